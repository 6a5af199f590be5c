"""What ranking could still gain on the course that ships: candidates, the ceiling of any reranker, and forms of MaxSim.

``python -m bench course_ranking``. The dev half of the gold set is what choices are made on. A label is a section, so a
ranking of chunks is read as one of sections, as ``openbook eval`` does. The first run reads every chunk with the
encoder (two minutes on two idle cores); later ones take it from the cache.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.labelled import Floats, Readings, markdown, read_texts
from bench.late_interaction import Rows as Form
from bench.late_interaction import floats, hadamard, keep, merged, same, signs
from openbook.config import load_config
from openbook.evaluation.gold import Question, section_of
from openbook.index.read import Index, load_index
from openbook.index.token_vectors import shard_path, to_files
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import prepare
from openbook.progress import Reporter
from openbook.retrieval.dense import dense
from openbook.retrieval.fusion import fuse
from openbook.retrieval.keyword import keyword
from openbook.retrieval.late_interaction import NEIGHBOUR, in_order
from openbook.retrieval.rerank import greatest_keyword_score
from openbook.settings import DenseSettings, FusionSettings, KeywordSettings, RerankSettings

ROOT = Path(__file__).resolve().parents[1]
CUTOFF = 10
HALVES = ("dev", "test")
DEPTH = RerankSettings().depth
BLEND = (RerankSettings().keyword_weight, RerankSettings().cosine_weight)
"""Shares of the keyword score and the cosine."""

Ranking = list[int]
"""Chunks, best first."""


@dataclass(frozen=True)
class Asked:
    """A question with what the first stages find.

    Attributes:
        question: labelled.
        ids, vectors: of its word pieces; the vectors of unit length.
        keyword, dense: chunk → score, in the order of the list.
        fused: chunks.
        greatest: keyword score that it could have.
    """

    question: Question
    ids: NDArray[np.int32]
    vectors: Floats
    keyword: dict[int, float]
    dense: dict[int, float]
    fused: Ranking
    greatest: float


class Course:
    """The course as built, its answerable questions, and its chunks' token vectors."""

    def __init__(self) -> None:
        config = load_config(ROOT)
        self._prepared = prepare(config, date(2026, 12, 1), Reporter(), EmbeddingCache())
        self._folder = tempfile.TemporaryDirectory(prefix="openbook-bench-")
        self._prepared.write(config, Path(self._folder.name), {})
        self.index: Index = load_index(Path(self._folder.name) / INDEX)
        self.sections = [section_of(chunk.id) for chunk in self._prepared.chunks]
        self.texts = [chunk.embedded_text() for chunk in self._prepared.chunks]
        self.questions = [question for question in self._prepared.run.questions if question.answerable]

    @cached_property
    def passages(self) -> Readings:
        """The chunks as the encoder read them."""
        return read_texts("course-chunks", self.texts)

    @cached_property
    def asked(self) -> Readings:
        """The questions."""
        return read_texts("course-questions", [question.text for question in self.questions])

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        """Weight of each word piece by its id."""
        counts = np.zeros(1 << 16, dtype=np.int64)
        for i in range(len(self.passages)):
            counts[np.unique(self.passages.ids[self.passages.of(i)])] += 1
        n = len(self.passages)
        weights: NDArray[np.float64] = np.log(1 + (n - counts + 0.5) / (counts + 0.5))
        self.piece_counts = counts
        return weights

    def search(
        self,
        keyword_settings: KeywordSettings | None = None,
        fusion: FusionSettings | None = None,
        depth: int = 50,
        feedback: int = 0,
    ) -> list[Asked]:
        """Ask every question of the first stages.

        Args:
            keyword_settings: default: the course's.
            fusion: default: the course's.
            depth: of both lists.
            feedback: add the mean vector of so many of the nearest chunks to the question's (Rocchio, weight 0.3).
        """
        by_keyword = replace_depth(keyword_settings or self.index.settings.keyword, depth)
        by_fusion = fusion or self.index.settings.fusion
        found = []
        vectors = self._vectors()
        for i, question in enumerate(self.questions):
            terms, words = keyword(self.index.keyword, question.text, by_keyword, self.index.chunk)
            vector = self.asked.pooled[i]
            near = dense(self.index.vectors, vector, DenseSettings(depth=depth), str)
            if feedback:
                mean = vectors[[hit.ordinal for hit in near[:feedback]]].mean(axis=0)
                moved = vector + 0.3 * mean
                near = dense(
                    self.index.vectors,
                    (moved / np.linalg.norm(moved)).astype(np.float32),
                    DenseSettings(depth=depth),
                    str,
                )
            at = self.asked.of(i)
            found.append(
                Asked(
                    question=question,
                    ids=self.asked.ids[at],
                    vectors=self.asked.vectors[at],
                    keyword={hit.ordinal: hit.score for hit in words},
                    dense={hit.ordinal: hit.score for hit in near},
                    fused=[hit.ordinal for hit in fuse(words, near, by_fusion)],
                    greatest=greatest_keyword_score(terms, self.index.size, by_keyword),
                )
            )
        return found

    def _vectors(self) -> Floats:
        held = self.index.vectors
        restored: Floats = held.values.astype(np.float32) * held.scales[:, None]
        return restored

    def rank(self, ranking: Ranking, question: Question) -> int | None:
        """Of the first relevant section."""
        seen = dict.fromkeys(self.sections[chunk] for chunk in ranking)
        return next((rank for rank, one in enumerate(seen, 1) if one in question.relevant), None)

    def cells(self, rankings: Sequence[Ranking]) -> list[str]:
        """MRR@10 and hit@5 of each half."""
        cells = []
        for half in HALVES:
            ranks = [
                self.rank(ranking, question)
                for ranking, question in zip(rankings, self.questions, strict=True)
                if question.split == half
            ]
            mrr = sum(1 / rank for rank in ranks if rank is not None and rank <= CUTOFF) / len(ranks)
            hit = sum(rank is not None and rank <= 5 for rank in ranks) / len(ranks)
            cells += [f"{mrr:.3f}", f"{hit:.3f}"]
        return cells

    def oracle(self, asked: Sequence[Asked], depth: int) -> list[Ranking]:
        """The best that any order of the first ``depth`` could be: what answers first."""
        return [
            sorted(one.fused[:depth], key=lambda chunk, q=one.question: self.sections[chunk] not in q.relevant)
            for one in asked
        ]


def replace_depth(settings: KeywordSettings, depth: int) -> KeywordSettings:
    """The same with another depth."""
    import msgspec

    return msgspec.structs.replace(settings, depth=depth)


@dataclass(frozen=True)
class Scored:
    """MaxSim of each question's first candidates."""

    asked: Sequence[Asked]
    scores: list[dict[int, float]]


def max_sims(
    course: Course,
    asked: Sequence[Asked],
    form: Form,
    depth: int,
    *,
    both_sides: float = 0,
    neighbour: float = NEIGHBOUR,
    window: int = 0,
    weigh: Callable[[NDArray[np.int32]], NDArray[np.float64]] | None = None,
) -> Scored:
    """Score the candidates.

    Args:
        course: the course.
        asked: its questions.
        form: of the passages' token vectors.
        depth: how many candidates.
        both_sides: share of MaxSim from the passage's pieces to the question's.
        neighbour: weight of a neighbour's cosine.
        window: score the best run of so many pieces, each beginning half a run behind the last; 0 for the whole chunk.
        weigh: weights of a question's pieces by their ids; default: IDF.
    """
    found = []
    for one in asked:
        question = form.question(one.vectors)
        weights = course.idf[one.ids] if weigh is None else weigh(one.ids)
        scores = {}
        for chunk in one.fused[:depth]:
            at = slice(form.starts[chunk], form.starts[chunk + 1])
            products = in_order(question @ form.vectors[at].T, neighbour)
            runs = [products] if not window else [products[:, a:b] for a, b in windows(products.shape[1], window)]
            score = max(float(weights @ run.max(axis=1) / weights.sum()) for run in runs)
            if both_sides:
                own = course.idf[form.ids[at]]
                back = float(own @ products.max(axis=0) / own.sum())
                score = (1 - both_sides) * score + both_sides * back
            scores[chunk] = score
        found.append(scores)
    return Scored(asked, found)


def windows(pieces: int, length: int) -> list[tuple[int, int]]:
    """Runs of that length, each beginning half a run behind the one before; the last ends with the passage."""
    first = range(0, max(1, pieces - length), length // 2)
    return [*((at, at + length) for at in first if at + length < pieces), (max(0, pieces - length), pieces)]


def blended(scored: Scored, by_keyword: float = BLEND[0], by_cosine: float = BLEND[1]) -> list[Ranking]:
    """As ``openbook.retrieval.rerank`` does it."""
    rankings = []
    for one, scores in zip(scored.asked, scored.scores, strict=True):
        total = {
            chunk: score
            + by_keyword * one.keyword.get(chunk, 0.0) / (one.greatest or 1.0)
            + by_cosine * one.dense.get(chunk, 0.0)
            for chunk, score in scores.items()
        }
        first = sorted(total, key=lambda chunk, total=total: (-total[chunk], chunk))
        rankings.append(first + [chunk for chunk in one.fused if chunk not in scores])
    return rankings


def listed(scored: Scored, weight: float) -> list[Ranking]:
    """MaxSim as a third list of reciprocal rank fusion."""
    rankings = []
    for one, scores in zip(scored.asked, scored.scores, strict=True):
        by_score = sorted(scores, key=lambda chunk, scores=scores: (-scores[chunk], chunk))
        places = {chunk: rank for rank, chunk in enumerate(by_score, 1)}
        lists = [(list(one.keyword), 1.0), (list(one.dense), 1.0), (by_score, weight)]
        total: dict[int, float] = {}
        for ranking, share in lists:
            for rank, chunk in enumerate(ranking, 1):
                total[chunk] = total.get(chunk, 0.0) + share / (60 + rank)
        first = sorted(places, key=lambda chunk, total=total: (-total[chunk], chunk))
        rankings.append(first + [chunk for chunk in one.fused if chunk not in places])
    return rankings


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    course = Course()
    _ = course.idf
    return [
        ("Candidates, and the best order of them", markdown(_HEAD, candidates(course))),
        ("MaxSim over them", markdown(("ranking", "kB a question", *_HEAD[1:]), forms(course))),
        (
            f"kB of token vectors that a question fetches, {len(course.questions)} questions",
            markdown(("candidates", "mean", "most", "no question could fetch more than"), fetched(course)),
        ),
    ]


_HEAD = ("ranking", "MRR@10, dev", "hit@5, dev", "MRR@10, test", "hit@5, test")


def candidates(course: Course) -> Iterator[Sequence[Any]]:
    """Lists of the first stages and their ceilings."""
    usual = course.search()
    yield "hybrid", *course.cells([one.fused for one in usual])
    for depth in (12, 16, 20, 40, 50, 100):
        yield f"the first {depth}, in the best order", *course.cells(course.oracle(usual, depth))
    others: tuple[tuple[str, dict[str, Any]], ...] = (
        ("dense list with double weight", {"fusion": FusionSettings(dense_weight=2)}),
        ("k = 10", {"fusion": FusionSettings(k=10)}),
        ("title at its full weight", {"keyword_settings": KeywordSettings(boost_title=1.0)}),
        ("title at 0.25", {"keyword_settings": KeywordSettings(boost_title=0.25)}),
        ("feedback of 3 nearest chunks", {"feedback": 3}),
        ("both lists 200 deep", {"depth": 200}),
    )
    for name, options in others:
        asked = course.search(**options)
        yield f"{name}: hybrid", *course.cells([one.fused for one in asked])
        yield f"{name}: best order of 20", *course.cells(course.oracle(asked, 20))


def forms(course: Course) -> Iterator[Sequence[Any]]:
    """Forms of token vectors, depths and ways to join."""
    usual = course.search()
    passages = course.passages

    def size(form: Form, asked: Sequence[Asked], depth: int) -> str:
        lengths = np.diff(form.starts) * form.bytes
        return f"{np.mean([lengths[one.fused[:depth]].sum() for one in asked]) / 1e3:.0f}"

    full = signs(passages, hadamard(192))
    half = course.piece_counts[passages.ids] <= 0.5 * len(passages)
    once = merged(passages)
    yield (
        "24 bytes, as it ships",
        size(full, usual, DEPTH),
        *course.cells(blended(max_sims(course, usual, full, DEPTH))),
    )

    def variant(name: str, form: Form = full, by: tuple[float, float] = BLEND, **options: Any) -> Sequence[Any]:
        scored = max_sims(course, usual, form, **{"depth": DEPTH, **options})
        return name, size(form, usual, options.get("depth", DEPTH)), *course.cells(blended(scored, *by))

    yield variant(
        f"24 bytes, neighbours with weight {NEIGHBOUR}, first {DEPTH}, {BLEND[0]} keyword + {BLEND[1]} cosine"
    )
    for weight in (0, 0.15, 0.4, 0.6):
        yield variant(f"neighbours with weight {weight}", neighbour=weight)
    for depth in (12, 20, 40):
        yield variant(f"first {depth}", depth=depth)
    for length in (48, 64, 96):
        yield variant(f"the best {length} pieces of a chunk", window=length)
        yield variant(f"the best {length} pieces of a chunk, without neighbours", window=length, neighbour=0)
    forms: tuple[tuple[str, Form], ...] = (
        ("16 bytes", signs(passages, hadamard(128))),
        ("24 bytes, no pieces of over half the chunks", keep(full, half)),
        ("32 bytes, no pieces of over half the chunks", keep(signs(passages, hadamard(256)), half)),
        ("48 bytes", signs(passages, same)),
        ("48 bytes, no pieces of over half the chunks", keep(signs(passages, same), half)),
        ("float32", floats(passages)),
    )
    for name, form in forms:
        yield variant(name, form)
        yield variant(f"{name}, without neighbours", form, neighbour=0)
    # Merged pieces stand in no order, so that they have no neighbours.
    yield variant("24 bytes, a piece once a chunk, without neighbours", signs(once, hadamard(192)), neighbour=0)
    for by in ((0, 0), (0.1, 0.1), (0.2, 0.1), (0.15, 0), (0.15, 0.15), (0.3, 0.3)):
        yield variant(f"{by[0]} keyword + {by[1]} cosine", by=by)
    scored = max_sims(course, usual, full, DEPTH)
    for weight in (1.0, 4.0):
        yield f"a third list of weight {weight}", size(full, usual, DEPTH), *course.cells(listed(scored, weight))
    for share in (0.2, 0.5):
        yield variant(f"{share} from the passage's side", both_sides=share)
    yield variant("√IDF", weigh=lambda ids: np.sqrt(course.idf[ids]))
    yield variant("IDF²", weigh=lambda ids: course.idf[ids] ** 2)
    yield variant("no weights", weigh=lambda ids: np.ones(len(ids)))


def fetched(course: Course) -> Iterator[Sequence[Any]]:
    """What a question makes the tab fetch of the index as it is written: whole shards of its candidates."""
    assert course.index.token_vectors is not None
    directory, shards = to_files(course.index.token_vectors)
    sizes = [len(shards[shard_path(digest)]) for digest in directory.digests]
    first = np.array(directory.first)
    for depth in (DEPTH, 20):
        found = []
        for one in course.search():
            of = {int(np.searchsorted(first, chunk, side="right")) - 1 for chunk in one.fused[:depth]}
            found.append(sum(sizes[shard] for shard in of) / 1e3)
        yield depth, f"{np.mean(found):.1f}", f"{max(found):.1f}", f"{depth * max(sizes) / 1e3:.1f}"
