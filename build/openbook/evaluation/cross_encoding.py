"""The cross-encoder's rung: the first of the fused hits, reordered as the tab does once its reader has loaded it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from openbook.errors import ModelNotFoundError
from openbook.evaluation.course_report import Extra
from openbook.evaluation.ladder import DEPTH, Labelled, Material, Ranked
from openbook.models.cross_encoder import CrossEncoder, remembering, resolve_cross_encoder
from openbook.models.embeddings import EmbeddingCache
from openbook.retrieval.cross_encoder import passage_text
from openbook.retrieval.rerank import rerank_by_cross_encoder
from openbook.retrieval.trace import DenseStage, FuseStage, KeywordStage, stage_of
from openbook.settings import CrossEncoderSettings

_TIMED: Final = 3
"""Questions on which the model is timed; of the others it may remember the scores."""

_BEFORE: Final = (KeywordStage, DenseStage, FuseStage)


def cross_encoder_rung(settings: CrossEncoderSettings, root: Path | None, cache: EmbeddingCache | None) -> Extra | None:
    """The rung, or None when the weights are not on this machine; nothing is fetched for it.

    Args:
        settings: ``[models.cross_encoder]``.
        root: that a path in them is relative to.
        cache: of scores.

    Raises:
        ModelHashError: a file is here and is not the one that it must be.
    """
    try:
        files = resolve_cross_encoder(settings, root=root, allow_download=False)
    except ModelNotFoundError:
        return None
    return rung_of(CrossEncoder(files), cache)


def rung_of(model: CrossEncoder, cache: EmbeddingCache | None) -> Extra:
    """The rung of a model that is here."""

    def run(material: Material, questions: Sequence[Labelled]) -> Iterator[Ranked]:
        index, score = material.index, remembering(model, cache)
        traces = {question.id: trace for question, trace in material.asked}
        rankings: list[list[int]] = []
        spent: list[float] = []
        for question in questions:
            trace = traces[question.id]
            fused = stage_of(trace, FuseStage).hits
            candidates = [hit.ordinal for hit in fused[: index.settings.rerank.cross_depth]]
            texts = [
                passage_text(index.chunk(ordinal), passage.text)
                for ordinal, passage in zip(candidates, index.passages(candidates), strict=True)
            ]
            scores = dict(zip(candidates, score(question.text, texts), strict=True))
            rankings.append([hit.ordinal for hit in rerank_by_cross_encoder(fused, scores)[:DEPTH]])
            if material.embed_ms is not None and len(spent) < _TIMED:
                started = time.perf_counter()
                model.score(question.text, texts)
                first = sum(stage.ms for stage in trace.stages if isinstance(stage, _BEFORE))
                spent.append((time.perf_counter() - started) * 1000 + first)
        sizes = material.index_bytes
        yield Ranked(
            "cross-encoder",
            rankings,
            ms=median(spent) + (material.embed_ms or 0.0) if spent else None,
            index_bytes=sizes["keyword"] + sizes["vectors"],
            model_bytes=material.model_bytes + sum(path.stat().st_size for path in model.files.paths.values()),
        )

    return run
