"""The gate's score: what the coverage of a question adds to MaxSim, on courses of any size and on a labelled set.

``python -m bench answerability``. The course that ships is asked whole, and in parts of one to eight lectures: there
the questions of all other lectures have no answer, which are hundreds of near-misses that somebody could well ask. The
weight was chosen on the dev halves; ``COVERAGE`` is what ships.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.labelled import data_folder, encoder, markdown
from openbook.config import Config, load_config
from openbook.evaluation.calibration import DEFAULT_ANSWERABILITY, MOST_REFUSED
from openbook.evaluation.course import ask_each
from openbook.evaluation.labelled import load_labelled
from openbook.evaluation.passage_index import PassageIndex
from openbook.evaluation.significance import auroc
from openbook.index.pieces import read_chunks, read_questions
from openbook.index.read import load_index
from openbook.index.token_vectors import collect
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import Prepared, prepare
from openbook.progress import Reporter
from openbook.retrieval.gate import COVERAGE
from openbook.retrieval.trace import GateStage, Trace, stage_of
from openbook.settings import RetrievalSettings

ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = (0.0, 0.1, COVERAGE, 0.3, 0.5)
SIZES = (1, 2, 4, 8)
"""Lectures in a part."""
HALVES = ("dev", "test")
SETS = ("squad2-half-dev",)


class Scored(NamedTuple):
    """A question, and what the gate goes by."""

    kind: str
    split: str
    max_sim: float
    coverage: float

    def score(self, weight: float) -> float:
        """As ``answerability`` is, with another weight."""
        return (self.max_sim + weight * self.coverage) / (1 + weight)


def run() -> list[tuple[str, str]]:
    """Tables, each with its heading."""
    config = load_config(ROOT)
    prepared = prepare(config, date(2026, 12, 1), Reporter(), EmbeddingCache())
    lectures = sorted({chunk.lecture for chunk in prepared.chunks})
    whole = list(_asked(config, prepared, lectures))
    parts = {
        size: [
            scored
            for start in range(0, len(lectures), size)
            for scored in _asked(config, prepared, lectures[start : start + size])
        ]
        for size in SIZES
    }
    kinds = ("other lectures", "near-miss", "off-topic")
    default = f"Without a gold set: the default threshold, {DEFAULT_ANSWERABILITY}"
    return [
        ("The whole course", _table(whole, kinds[1:])),
        *((f"Parts of {size} lecture{'s' if size > 1 else ''}", _table(found, kinds)) for size, found in parts.items()),
        *((name, _table(list(_of_set(name)), ("offtopic", "unanswerable"))) for name in SETS),
        (default, _default({**parts, len(lectures): whole}, ("answerable", *kinds))),
    ]


def _asked(config: Config, prepared: Prepared, lectures: Sequence[str]) -> Iterator[Scored]:
    """Ask all questions of a course that has only these lectures."""
    chunks = [chunk for chunk in prepared.chunks if chunk.lecture in lectures]
    texts = [chunk.embedded_text(config.settings.chunks.context) for chunk in chunks]
    embedded, pieces = read_chunks(prepared.encoder, texts, prepared.cache)
    part = dataclasses.replace(prepared, chunks=chunks, embedded=embedded, token_vectors=collect(pieces))
    with tempfile.TemporaryDirectory(prefix="openbook-") as name:
        part.write(config, Path(name), {})
        index = load_index(Path(name) / INDEX)
        for question, trace in part.run.traces(index):
            here = any(section.split("/")[0] in lectures for section in question.relevant)
            kind = "answerable" if here else "other lectures" if question.answerable else question.kind
            yield _scored(kind, question.split, trace)


def _of_set(name: str) -> Iterator[Scored]:
    labelled, model, cache = load_labelled(data_folder() / name, None), encoder(), EmbeddingCache()
    index = PassageIndex.of(labelled.documents, model, cache, RetrievalSettings(), lambda done, total: None)
    texts = [question.text for question in labelled.questions]
    embedded, pieces = read_questions(model, texts, cache)
    read = dict(zip(texts, pieces, strict=True))

    def count(text: str) -> int:
        return len(read[text].ids)

    for question, trace in ask_each(index, labelled.questions, embedded.vectors, pieces, count):
        yield _scored("answerable" if question.answerable else question.kind, question.split, trace)


def _scored(kind: str, split: str, trace: Trace) -> Scored:
    gate = stage_of(trace, GateStage)
    return Scored(kind, split, gate.late_interaction or 0.0, gate.coverage or 0.0)


def _table(found: Sequence[Scored], kinds: Sequence[str]) -> str:
    """AUROC against each kind, and its share that is caught where 5 % of the answerable are refused."""
    header = ["weight of coverage", *(f"{kind}, {half}" for kind in kinds for half in HALVES)]
    rows = []
    for weight in WEIGHTS:
        cells = []
        for kind in kinds:
            for half in HALVES:
                positive = _scores(found, "answerable", half, weight)
                negative = _scores(found, kind, half, weight)
                caught = np.mean(negative < np.quantile(positive, MOST_REFUSED))
                cells.append(f"{auroc(positive, negative):.3f}, {caught:.0%}")
        rows.append(
            (f"{weight}{' (ships)' if weight == COVERAGE else ' (MaxSim alone)' if weight == 0 else ''}", *cells)
        )
    return markdown(header, rows)


def _scores(found: Sequence[Scored], kind: str, half: str | None, weight: float) -> NDArray[np.float64]:
    return np.array([one.score(weight) for one in found if one.kind == kind and half in (None, one.split)])


def _default(found: dict[int, list[Scored]], kinds: Sequence[str]) -> str:
    """Shares that the gate refuses, of both halves: nothing was chosen on these."""
    rows = []
    for size, scored in found.items():
        scores = [_scores(scored, kind, None, COVERAGE) for kind in kinds]
        rows.append((str(size), *(f"{np.mean(s < DEFAULT_ANSWERABILITY):.1%}" if len(s) else "–" for s in scores)))
    return markdown(("lectures", *(f"{kind}, refused" for kind in kinds)), rows)
