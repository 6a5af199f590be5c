"""The ladder: ways of ranking, from forty lines of BM25 to late interaction over everything, on the same questions.

What the page does at a question (keyword, dense, fusion, reranking) is read from the traces of the real pipeline; the
other rungs are run here over the same passages. Every rung gives its first fifty passages, read as labels: a section
counts once, at the place of its first chunk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from openbook.evaluation.bm25 import Bm25
from openbook.evaluation.exhaustive import search_all
from openbook.evaluation.fts5 import Fts5, available
from openbook.evaluation.metrics import MEASURES, judge
from openbook.evaluation.report import Comparison, Interval, KindMetrics, QuestionRanks, Rung
from openbook.evaluation.significance import bootstrap, holm, randomisation_test
from openbook.progress import Advance
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.late_interaction import PieceWeights, QuestionPieces, full_retrieval, make_tables
from openbook.retrieval.trace import DenseStage, FuseStage, KeywordStage, RerankStage, Trace

DEPTH: Final = 50
_MRR: Final = MEASURES.index("mrr_10")
_TIMED: Final = 3
"""Questions on which an exhaustive search is timed as the tab would do it."""

TITLES: Final[Mapping[str, str]] = {
    "bm25": "textbook BM25",
    "fts5": "SQLite FTS5",
    "keyword": "MiniSearch, as the tab scores it",
    "dense": "dense",
    "hybrid": "hybrid",
    "late-interaction": "hybrid + late interaction",
    "cross-encoder": "hybrid + cross-encoder",
    "late-interaction-all": "late interaction over everything",
    "colbert": "ColBERT (PyLate)",
}
"""Every rung, in order."""

OPTIONAL: Final[Mapping[str, str]] = {
    "cross-encoder": "its weights are not here, see [models.cross_encoder]",
    "colbert": "`openbook eval --colbert` adds it",
}
"""Rungs that need more than an index, and why one of them is not there: none is left out in silence."""

NO_LATE_INTERACTION: Final = "the index has no token vectors"
NO_FTS5: Final = "this Python's SQLite has no FTS5"

Which = Literal["dev", "test", "all"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question with its labels.

    Attributes:
        kind: may be empty.
        split: dev or test.
        grades: label → grade, above 0 for what is relevant.
    """

    id: str
    text: str
    kind: str
    split: str
    grades: Mapping[str, int]

    @property
    def answerable(self) -> bool:
        """Whether something is relevant to it."""
        return any(grade > 0 for grade in self.grades.values())


@dataclass(frozen=True, slots=True)
class Material:
    """What the rungs are run on.

    Attributes:
        index: that the questions were asked of.
        texts: of its passages, heading path or title included.
        label_of: the label that a chunk's id stands for.
        asked: every question with its trace.
        pieces: what the encoder read of a question, by its text.
        embed_ms: median milliseconds to embed a question; None when times are not wanted.
        index_bytes: of the index by what it holds: keyword, vectors, token vectors.
        model_bytes: of the encoder and its runtime.
        ships: name of the rung that the course's settings make the tab use.
    """

    index: SearchIndex
    texts: Sequence[str]
    label_of: Callable[[str], str]
    asked: Sequence[tuple[Labelled, Trace]]
    pieces: Mapping[str, QuestionPieces]
    embed_ms: float | None
    index_bytes: Mapping[str, int]
    model_bytes: int
    ships: str


class Ranked(NamedTuple):
    """What a rung made of the questions.

    Attributes:
        rankings: ordinals, best first, of each answerable question; None when the rung was not run.
        missing: why not.
        ms: a question.
    """

    name: str
    rankings: list[list[int]] | None
    missing: str = ""
    ms: float | None = None
    index_bytes: int | None = None
    model_bytes: int | None = None


class Ladder(NamedTuple):
    """The rungs, each compared with the one before, and the questions behind them."""

    rungs: tuple[Rung, ...]
    comparisons: tuple[Comparison, ...]
    questions: tuple[QuestionRanks, ...]


def run_ladder(
    material: Material, split: Which = "all", others: Iterable[Ranked] = (), progress: Advance | None = None
) -> Ladder:
    """Run every rung and measure it.

    Args:
        material: index, passages and questions.
        split: half of the questions.
        others: rungs that were run elsewhere, such as a cross-encoder; put into their place.
        progress: called with questions done and in all, for the rung that takes longest.
    """
    asked = [
        (question, trace)
        for question, trace in material.asked
        if question.answerable and split in ("all", question.split)
    ]
    ranked = [*_run(material, asked, progress), *others]
    ranked += [Ranked(name, None, why) for name, why in OPTIONAL.items() if name not in {one.name for one in ranked}]
    order = list(TITLES)
    ranked.sort(key=lambda one: order.index(one.name))
    return _measure(material, [question for question, _ in asked], ranked)


def _run(material: Material, asked: Sequence[tuple[Labelled, Trace]], progress: Advance | None) -> Iterable[Ranked]:
    timed = material.embed_ms is not None
    questions = [question.text for question, _ in asked]
    sizes, model = material.index_bytes, material.model_bytes
    bm25 = Bm25(material.texts)
    rankings, ms = _searched(bm25.search, questions, timed)
    yield Ranked("bm25", rankings, ms=ms, index_bytes=sizes["keyword"], model_bytes=0)
    if available():
        table = Fts5(material.texts)
        rankings, ms = _searched(table.search, questions, timed)
        yield Ranked("fts5", rankings, ms=ms, index_bytes=table.bytes, model_bytes=0)
        table.close()
    else:
        yield Ranked("fts5", None, NO_FTS5)
    yield from _of_traces(material, [trace for _, trace in asked])
    vectors = material.index.token_vectors
    if vectors is None:
        yield Ranked("late-interaction-all", None, NO_LATE_INTERACTION)
        return
    pieces = [material.pieces[question] for question in questions]
    rankings = search_all(vectors, pieces, DEPTH, progress)
    ms = None
    if timed and pieces:
        weights = PieceWeights(vectors.chunks, vectors.counts)
        spent = []
        for read in pieces[:: max(1, len(pieces) // _TIMED)][:_TIMED]:
            started = time.perf_counter()
            full_retrieval(
                make_tables(read.vectors, vectors.bits), [weights.idf(piece) for piece in read.ids],
                vectors.signs, vectors.starts,
            )  # fmt: skip
            spent.append((time.perf_counter() - started) * 1000)
        ms = median(spent) + (material.embed_ms or 0.0)
    yield Ranked("late-interaction-all", rankings, ms=ms, index_bytes=sizes["token vectors"], model_bytes=model)


def _searched(
    search: Callable[[str, int], list[int]], questions: Sequence[str], timed: bool
) -> tuple[list[list[int]], float | None]:
    rankings, spent = [], []
    for question in questions:
        started = time.perf_counter()
        rankings.append(search(question, DEPTH))
        spent.append((time.perf_counter() - started) * 1000)
    return rankings, median(spent) if timed and spent else None


def _of_traces(material: Material, traces: Sequence[Trace]) -> Iterable[Ranked]:
    """The rungs that the page itself climbs."""
    sizes, model, embed_ms = material.index_bytes, material.model_bytes, material.embed_ms

    def ms(*kinds: type) -> float | None:
        if embed_ms is None or not traces:
            return None
        spent = [sum(stage.ms for stage in trace.stages if isinstance(stage, kinds)) for trace in traces]
        return median(spent) + (embed_ms if DenseStage in kinds else 0.0)

    def hits(kind: type[KeywordStage | DenseStage | FuseStage | RerankStage]) -> list[list[int]]:
        return [
            [hit.ordinal for stage in trace.stages if isinstance(stage, kind) for hit in stage.hits[:DEPTH]]
            for trace in traces
        ]

    keyword, both = sizes["keyword"], sizes["keyword"] + sizes["vectors"]
    hybrid = (KeywordStage, DenseStage, FuseStage)
    yield Ranked("keyword", hits(KeywordStage), ms=ms(KeywordStage), index_bytes=keyword, model_bytes=0)
    yield Ranked("dense", hits(DenseStage), ms=ms(DenseStage), index_bytes=sizes["vectors"], model_bytes=model)
    yield Ranked("hybrid", hits(FuseStage), ms=ms(*hybrid), index_bytes=both, model_bytes=model)
    if material.index.token_vectors is None:
        yield Ranked("late-interaction", None, NO_LATE_INTERACTION)
        return
    yield Ranked(
        "late-interaction", hits(RerankStage), ms=ms(*hybrid, RerankStage),
        index_bytes=both + sizes["token vectors"], model_bytes=model,
    )  # fmt: skip


def _measure(material: Material, questions: Sequence[Labelled], ranked: Sequence[Ranked]) -> Ladder:
    index = material.index
    labels = [material.label_of(index.chunk(ordinal).id) for ordinal in range(index.size)]
    kinds = list(dict.fromkeys(question.kind for question in questions if question.kind))
    scores: dict[str, NDArray[np.float64]] = {}
    ranks: list[dict[str, int | None]] = [{} for _ in questions]
    rungs = []
    for one in ranked:
        if one.rankings is None or not questions:
            rungs.append(Rung(name=one.name, title=TITLES[one.name], missing=one.missing or "there is no question"))
            continue
        judged = []
        for number, (question, ranking) in enumerate(zip(questions, one.rankings, strict=True)):
            # A passage that is the question itself is no find: BEIR's evaluation drops it too (ArguAna, Quora).
            found = [label for label in dict.fromkeys(labels[ordinal] for ordinal in ranking) if label != question.id]
            judged.append(judge(found, question.grades))
            relevant = (rank for rank, label in enumerate(found, 1) if question.grades.get(label, 0) > 0)
            ranks[number][one.name] = next(relevant, None)
        table = scores[one.name] = np.array(judged)
        low, high = bootstrap(table)
        rungs.append(
            Rung(
                name=one.name,
                title=TITLES[one.name],
                ships=one.name == material.ships,
                metrics=_named(table.mean(axis=0)),
                intervals={name: Interval(float(low[i]), float(high[i])) for i, name in enumerate(MEASURES)},
                kinds=tuple(_kinds(table, questions, kinds)) if len(kinds) > 1 else (),
                ms=one.ms,
                index_bytes=one.index_bytes,
                model_bytes=one.model_bytes,
            )
        )
    return Ladder(
        rungs=tuple(rungs),
        comparisons=tuple(_compare(scores)),
        questions=tuple(
            QuestionRanks(
                id=question.id,
                text=question.text,
                kind=question.kind,
                split=question.split,
                relevant=tuple(label for label, grade in question.grades.items() if grade > 0),
                ranks=found,
            )
            for question, found in zip(questions, ranks, strict=True)
        ),
    )


def _kinds(table: NDArray[np.float64], questions: Sequence[Labelled], kinds: Sequence[str]) -> Iterable[KindMetrics]:
    for kind in kinds:
        rows = [number for number, question in enumerate(questions) if question.kind == kind]
        yield KindMetrics(kind=kind, questions=len(rows), metrics=_named(table[rows].mean(axis=0)))


def _named(values: NDArray[np.float64]) -> dict[str, float]:
    return {name: float(value) for name, value in zip(MEASURES, values, strict=True)}


def _compare(scores: Mapping[str, NDArray[np.float64]]) -> list[Comparison]:
    found = []
    for (before, theirs), (name, ours) in pairwise(scores.items()):
        difference = ours[:, _MRR] - theirs[:, _MRR]
        low, high = bootstrap(difference)
        found.append((name, before, difference, Interval(float(low), float(high)), randomisation_test(difference)))
    adjusted = holm([p for *_, p in found])
    return [
        Comparison(
            rung=name,
            against=before,
            difference=float(difference.mean()),
            interval=interval,
            better=int((difference > 0).sum()),
            worse=int((difference < 0).sum()),
            p=p,
            p_holm=p_holm,
        )
        for (name, before, difference, interval, p), p_holm in zip(found, adjusted, strict=True)
    ]
