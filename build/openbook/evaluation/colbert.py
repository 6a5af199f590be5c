"""ColBERT's own weights as a rung, by PyLate: what late interaction does when a model was trained for it.

Needs the extra: ``pip install 'openbook[colbert]'``. Documents and questions are encoded by ``pylate.models.ColBERT``
(https://lightonai.github.io/pylate/), then every question is compared with every document: the sum over the
question's vectors of the greatest product with any of the document's (Khattab and Zaharia, SIGIR 2020). PyLate's own
indexes are approximate, which at the size of a course could only lose something.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from openbook.errors import MissingExtraError, ModelNotFoundError
from openbook.evaluation.course_report import Extra
from openbook.evaluation.exhaustive import DECIMALS
from openbook.evaluation.ladder import DEPTH, Labelled, Material, Ranked

BATCH: Final = 32

Floats = NDArray[np.float32]


class ColbertModel(Protocol):
    """What is used of ``pylate.models.ColBERT``."""

    def encode(self, sentences: list[str], *, batch_size: int, is_query: bool, show_progress_bar: bool) -> Any:
        """One array [vectors, dims] for each text."""


def load_colbert(name: str) -> ColbertModel:
    """Load a model by its name on the hub or its folder.

    Raises:
        MissingExtraError: PyLate is not installed.
        ModelNotFoundError: there is no such model, or it cannot be fetched.
    """
    try:
        from pylate import models
    except ImportError as error:
        raise MissingExtraError("ColBERT needs PyLate.", hint="Install it: pip install 'openbook[colbert]'.") from error
    try:
        model: ColbertModel = models.ColBERT(model_name_or_path=name, device="cpu")
    except (OSError, ValueError) as error:
        raise ModelNotFoundError(
            f"the ColBERT model {name!r} cannot be loaded: {error}.",
            hint="Give the folder of a model that PyLate reads, or connect to the internet once.",
        ) from error
    return model


def colbert_rung(name: str) -> Extra:
    """The rung, with the model loaded at once, so that what is missing is said before anything is measured."""
    model = load_colbert(name)

    def run(material: Material, questions: Sequence[Labelled]) -> Iterator[Ranked]:
        yield rank(model, material.texts, [question.text for question in questions], material.embed_ms is not None)

    return run


def rank(model: ColbertModel, texts: Sequence[str], questions: Sequence[str], timed: bool = False) -> Ranked:
    """Rank all passages for each question.

    Args:
        model: that encodes.
        texts: of the passages.
        questions: their texts.
        timed: whether to say how long a question takes.
    """
    documents = [np.asarray(found, dtype=np.float32) for found in _encode(model, texts, is_query=False)]
    started = time.perf_counter()
    encoded = [np.asarray(found, dtype=np.float32) for found in _encode(model, questions, is_query=True)]
    starts = np.cumsum([0, *(len(found) for found in documents)])
    stacked = np.concatenate(documents) if documents else np.zeros((0, 1), dtype=np.float32)
    rankings = [_search(found, stacked, starts) for found in encoded]
    spent = (time.perf_counter() - started) * 1000 / max(1, len(questions))
    return Ranked(
        "colbert",
        rankings,
        ms=spent if timed else None,
        # As PyLate gives them: float32, nothing compressed.
        index_bytes=int(stacked.nbytes),
        model_bytes=_parameter_bytes(model),
    )


def _encode(model: ColbertModel, texts: Sequence[str], *, is_query: bool) -> Any:
    return model.encode(list(texts), batch_size=BATCH, is_query=is_query, show_progress_bar=False)


def _search(question: Floats, documents: Floats, starts: NDArray[np.int64]) -> list[int]:
    if not len(documents):
        return []
    products = question @ documents.T
    held = np.flatnonzero(np.diff(starts))
    scores = np.full(len(starts) - 1, -np.inf)
    scores[held] = np.maximum.reduceat(products, starts[held], axis=1).sum(axis=0)
    rounded = np.round(scores, DECIMALS)
    ranking: list[int] = np.lexsort((np.arange(len(rounded)), -rounded))[:DEPTH].tolist()
    return ranking


def _parameter_bytes(model: ColbertModel) -> int | None:
    """Of the weights; None for a model that does not say."""
    parameters = getattr(model, "parameters", None)
    return None if parameters is None else sum(one.numel() * one.element_size() for one in parameters())
