"""Late interaction measured: what a token vector may cost, how its score joins the others, what a gate gains by it.

``python -m bench late_interaction`` prints the tables of docs/late-interaction.md. The first run reads every passage
and question with the encoder (ten minutes on two cores); later ones take them from the cache. Choices are made on the
dev halves; the test halves are what is reported.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.labelled import Floats, LabelledSet, Readings, Searched, markdown, mrr_ndcg
from openbook.config import load_config
from openbook.evaluation.evaluate import evaluate_course
from openbook.evaluation.exhaustive import in_order_of_all
from openbook.evaluation.significance import auroc
from openbook.index.projection import Projection, projection
from openbook.index.token_vectors import BITS
from openbook.retrieval.late_interaction import NEIGHBOUR, in_order, shares, unit_rows
from openbook.settings import RerankSettings

SETS = (("squad2-half-dev", 3), ("cranfield", 1), ("xquad-en", 1))
DEPTH = RerankSettings().depth
KEYWORD_WEIGHT = RerankSettings().keyword_weight
COSINE_WEIGHT = RerankSettings().cosine_weight
REFUSED = 0.05
ROOT = Path(__file__).resolve().parents[1]

Scores = list[NDArray[np.float64]]
"""For each question the scores of its first candidates, in fused order."""
Transform = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Rows:
    """Passages' token vectors in some form.

    Attributes:
        vectors: float32 [rows, dims]; signs are ±1, scaled so that a product with a question is a cosine.
        starts: int64 [passages + 1].
        question: what a question's vectors go through.
        bytes: a row.
        ids: int32 [rows].
    """

    vectors: Floats
    starts: NDArray[np.int64]
    question: Transform
    bytes: float
    ids: NDArray[np.int32]


def same(vectors: Floats) -> Floats:
    """Change nothing."""
    return vectors


def floats(passages: Readings) -> Rows:
    """The vectors themselves."""
    return Rows(passages.vectors, passages.starts, same, 4.0 * passages.vectors.shape[1], passages.ids)


def signs(passages: Readings, transform: Transform, centre: Floats | None = None) -> Rows:
    """One bit for each output of the transform."""
    parts = [
        np.sign(transform(block if centre is None else block - centre))
        for block in np.array_split(passages.vectors, max(1, len(passages.vectors) // 20_000))
    ]
    bits = parts[0].shape[1]
    scale = np.float32(np.sqrt(np.pi / 2) / np.sqrt(bits))
    return Rows(np.concatenate(parts) * scale, passages.starts, transform, bits / 8, passages.ids)


def hadamard(bits: int, dims: int = 384) -> Transform:
    """The transform that ships, for ``bits`` directions."""
    found: Projection = projection(dims, bits)
    scale = np.sqrt(found.width / bits) / found.gain
    return lambda vectors: (found.apply(vectors) * scale).astype(np.float32)


def linear(matrix: NDArray[np.float64]) -> Transform:
    """A matrix product."""
    held = matrix.astype(np.float32)
    return lambda vectors: vectors @ held


def random_orthogonal(bits: int, dims: int = 384) -> NDArray[np.float64]:
    """The first columns of a random orthogonal matrix, scaled to keep the mean length."""
    full, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(dims, dims)))
    columns: NDArray[np.float64] = full[:, :bits] * np.sqrt(dims / bits)
    return columns


def learned(vectors: Floats, bits: int, rounds: int) -> NDArray[np.float64]:
    """Principal components, then a rotation: random (rounds = 0), or ITQ's (Gong and Lazebnik, CVPR 2011)."""
    generator = np.random.default_rng(0)
    sample = vectors[generator.choice(len(vectors), min(20_000, len(vectors)), replace=False)].astype(np.float64)
    _, components = np.linalg.eigh(np.cov(sample.T))
    basis = components[:, ::-1][:, :bits]
    rotation, _ = np.linalg.qr(generator.normal(size=(bits, bits)))
    projected = sample @ basis
    for _ in range(rounds):
        left, _, right = np.linalg.svd(projected.T @ np.sign(projected @ rotation))
        rotation = left @ right
    result: NDArray[np.float64] = basis @ rotation
    return result


def keep(rows: Rows, kept: NDArray[np.bool_]) -> Rows:
    """Leave rows out; a passage keeps all of them rather than none."""
    kept = kept.copy()
    for a, b in zip(rows.starts[:-1], rows.starts[1:], strict=True):
        if not kept[a:b].any():
            kept[a:b] = True
    starts = np.concatenate([[0], np.cumsum(kept)])[rows.starts]
    return replace(rows, vectors=rows.vectors[kept], ids=rows.ids[kept], starts=starts)


def merged(passages: Readings) -> Readings:
    """One vector for a piece that stands several times in a passage: their mean."""
    texts = np.repeat(np.arange(len(passages)), np.diff(passages.starts))
    keys, place = np.unique(texts.astype(np.int64) << 16 | passages.ids, return_inverse=True)
    sums = np.zeros((len(keys), passages.vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, place, passages.vectors)
    starts = np.searchsorted(keys >> 16, np.arange(len(passages) + 1))
    return Readings(passages.pooled, (keys & 0xFFFF).astype(np.int32), unit_rows(sums), starts.astype(np.int64))


class Measured:
    """A set with its questions and the scores of the forms that were asked for."""

    def __init__(self, name: str, every: int) -> None:
        self.set = LabelledSet(name, every)
        self.questions = self.set.answerable
        self.candidates = [[hit.ordinal for hit in hits] for hits in self.questions.fused]

    @cached_property
    def shipped(self) -> Rows:
        """The form that the build writes."""
        return signs(self.set.passages, hadamard(BITS))

    def common(self, share: float) -> NDArray[np.bool_]:
        """Which rows are of pieces that at most that share of the passages hold."""
        rare: NDArray[np.bool_] = self.set.piece_counts[self.set.passages.ids] <= share * len(self.set)
        return rare

    def scores(
        self,
        rows: Rows,
        depth: int = DEPTH,
        weigh: Callable[[NDArray[np.int32]], NDArray[np.float64]] | None = None,
        *,
        questions: Searched | None = None,
        both_sides: bool = False,
        by_spread: bool = False,
        centre: Floats | None = None,
        neighbour: float = NEIGHBOUR,
    ) -> Scores:
        """MaxSim of each question's first ``depth`` candidates.

        Args:
            rows: of the passages.
            depth: how many.
            weigh: weights of a question's pieces by their ids; default: IDF.
            questions: default: the answerable ones.
            both_sides: average with MaxSim from the passage's pieces to the question's.
            by_spread: multiply a piece's weight by the standard deviation of its best cosine over the candidates.
            centre: taken from the question's vectors.
            neighbour: weight of a neighbour's cosine.
        """
        asked = questions or self.questions
        result = []
        for i, hits in enumerate(asked.fused):
            at = asked.readings.of(i)
            ids, vectors = asked.readings.ids[at], asked.readings.vectors[at]
            question = rows.question(vectors if centre is None else vectors - centre)
            weights = self.set.idf[ids] if weigh is None else weigh(ids)
            spans = [(rows.starts[hit.ordinal], rows.starts[hit.ordinal + 1]) for hit in hits[:depth]]
            products = question @ np.concatenate([rows.vectors[a:b] for a, b in spans]).T
            edges = np.cumsum([0, *(b - a for a, b in spans)])
            products = np.concatenate([in_order(products[:, a:b], neighbour) for a, b in _pairs(edges)], axis=1)
            best = np.maximum.reduceat(products, edges[:-1], axis=1)
            if by_spread:
                weights = weights * best.std(axis=1)
            found = weights @ best / weights.sum()
            if both_sides:
                backward = products.max(axis=0)
                own = [self.set.idf[rows.ids[a:b]] for a, b in spans]
                other = [w @ backward[a:b] / w.sum() for w, (a, b) in zip(own, _pairs(edges), strict=True)]
                found = (found + np.array(other)) / 2
            result.append(found)
        return result

    def full(self, rows: Rows, questions: Searched | None = None) -> NDArray[np.float64]:
        """MaxSim of each question with every passage: float64 [questions, passages]."""
        asked = questions or self.questions
        transposed = np.ascontiguousarray(rows.vectors.T)
        result = np.empty((len(asked), len(self.set)))
        for i in range(len(asked)):
            at = asked.readings.of(i)
            weights = self.set.idf[asked.readings.ids[at]]
            products = rows.question(asked.readings.vectors[at]) @ transposed
            matches = in_order_of_all(products, np.array([], np.int64), rows.starts[1:-1])
            best = np.maximum.reduceat(matches, rows.starts[:-1], axis=1) / shares(len(products))[:, None]
            result[i] = weights @ best / weights.sum()
        return result

    def replaced(self, scores: Scores) -> list[list[int]]:
        """Rankings in which late interaction alone orders the candidates."""
        return self.ordered(scores)

    def blended(
        self,
        scores: Scores,
        by_keyword: float = KEYWORD_WEIGHT,
        by_cosine: float = COSINE_WEIGHT,
        *,
        of_best: bool = False,
    ) -> list[list[int]]:
        """Rankings by MaxSim plus shares of the other scores, as ``openbook.retrieval.rerank`` does."""
        return self.ordered(
            [
                found + added[: len(found)]
                for found, added in zip(scores, self._others(by_keyword, by_cosine, of_best), strict=True)
            ]
        )

    def listed(self, scores: Scores, weight: float) -> list[list[int]]:
        """Rankings with late interaction as a third list of reciprocal rank fusion."""
        result = []
        for found, hits in zip(scores, self.questions.fused, strict=True):
            ranks = np.argsort(np.argsort(-found, kind="stable"), kind="stable") + 1
            result.append(np.array([hit.score for hit in hits[: len(found)]]) + weight / (60 + ranks))
        return self.ordered(result)

    def positioned(self, scores: Scores) -> list[list[int]]:
        """Rankings by the blend of qmd: 1 / fused rank weighs 75 % at ranks 1–3, 60 % at 4–10, 40 % beyond."""
        result = []
        for found in scores:
            ranks = np.arange(1, len(found) + 1)
            share = np.where(ranks <= 3, 0.75, np.where(ranks <= 10, 0.6, 0.4))
            result.append(share / ranks + (1 - share) * found)
        return self.ordered(result)

    def ordered(self, scores: Scores) -> list[list[int]]:
        """Candidates by score, the rest behind them as they were."""
        rankings = []
        for found, candidates in zip(scores, self.candidates, strict=True):
            order = np.argsort(-found, kind="stable")
            rankings.append([candidates[j] for j in order] + candidates[len(found) :])
        return rankings

    def _others(self, by_keyword: float, by_cosine: float, of_best: bool) -> list[NDArray[np.float64]]:
        result = []
        for i, candidates in enumerate(self.candidates):
            words = {hit.ordinal: hit.score for hit in self.questions.keyword[i]}
            listed = {hit.ordinal: hit.score for hit in self.questions.dense[i]}
            best = (max(words.values(), default=1.0) if of_best else self.questions.greatest[i]) or 1.0
            result.append(
                np.array([by_keyword * words.get(o, 0) / best + by_cosine * listed.get(o, 0) for o in candidates])
            )
        return result

    def cells(self, rankings: Sequence[Sequence[int]]) -> list[str]:
        """MRR@10 / nDCG@10 on the dev half and on the test half."""
        halves = []
        for half in (0, 1):
            mrr, ndcg = mrr_ndcg(rankings[half::2], self.questions.relevant[half::2])
            halves.append(f"{mrr:.3f} / {ndcg:.3f}")
        return halves


def forms(measured: Measured) -> list[tuple[str, Rows, dict[str, object]]]:
    """Every form of token vectors that is compared, smallest last."""
    passages = measured.set.passages
    mean = passages.vectors.mean(axis=0)
    one_bit = signs(passages, hadamard(192))
    duplicates = signs(merged(passages), hadamard(192))
    return [
        ("float32", floats(passages), {}),
        ("signs of the 384 components", signs(passages, same), {}),
        ("Hadamard, 192 bits", one_bit, {}),
        ("the same, question and passages centred", signs(passages, hadamard(192), mean), {"centre": mean}),
        ("random orthogonal, 192 bits", signs(passages, linear(random_orthogonal(192))), {}),
        ("PCA and a random rotation, 192 bits", signs(passages, linear(learned(passages.vectors, 192, 0))), {}),
        ("ITQ, 192 bits", signs(passages, linear(learned(passages.vectors, 192, 25))), {}),
        ("Hadamard, 192 bits, no pieces of over 50 % of passages", keep(one_bit, measured.common(0.5)), {}),
        ("Hadamard, 192 bits, no pieces of over 25 % of passages", keep(one_bit, measured.common(0.25)), {}),
        ("Hadamard, 192 bits, a piece once a passage (mean)", duplicates, {}),
        ("Hadamard, 128 bits", signs(passages, hadamard(128)), {}),
        ("PCA and a random rotation, 128 bits", signs(passages, linear(learned(passages.vectors, 128, 0))), {}),
        ("ITQ, 128 bits", signs(passages, linear(learned(passages.vectors, 128, 25))), {}),
        ("Hadamard, 64 bits", signs(passages, hadamard(64)), {}),
    ]


def form_table(measured: Measured) -> str:
    """Bytes against quality: the candidates in the order of MaxSim alone, and blended."""
    rows = []
    for name, form, options in forms(measured):
        scores = measured.scores(form, **options)  # type: ignore[arg-type]
        size = len(form.vectors) * form.bytes / len(measured.set)
        alone, both = measured.cells(measured.replaced(scores)), measured.cells(measured.blended(scores))
        rows.append((name, f"{form.bytes:.0f}", f"{size:,.0f}", *alone, *both))
    header = ("token vectors", "bytes a piece", "bytes a passage", "alone, dev", "alone, test", "blended, dev",
              "blended, test")  # fmt: skip
    return markdown(header, rows)


def score_table(measured: Measured) -> str:
    """What is summed: weights of the question's pieces, and both directions."""
    form, idf = measured.shipped, measured.set.idf
    found = [
        ("no weights", measured.scores(form, weigh=lambda ids: np.ones(len(ids)))),
        ("√IDF", measured.scores(form, weigh=lambda ids: np.sqrt(idf[ids]))),
        ("IDF", measured.scores(form)),
        ("IDF²", measured.scores(form, weigh=lambda ids: idf[ids] ** 2)),
        ("IDF times the spread over the candidates", measured.scores(form, by_spread=True)),
        ("IDF, mean of both directions", measured.scores(form, both_sides=True)),
        *(
            (f"IDF, neighbours with weight {weight}", measured.scores(form, neighbour=weight))
            for weight in (0.0, 0.15, 0.4, 0.6, 1.0)
        ),
    ]
    rows = [(name, *measured.cells(measured.replaced(scores)), *measured.cells(measured.blended(scores)))
            for name, scores in found]  # fmt: skip
    return markdown(("MaxSim", "alone, dev", "alone, test", "blended, dev", "blended, test"), rows)


def join_table(measured: Measured) -> str:
    """How MaxSim joins the lists that it reorders."""
    scores = measured.scores(measured.shipped)
    questions = measured.questions
    rows = [
        ("BM25 alone", [[hit.ordinal for hit in hits] for hits in questions.keyword]),
        ("dense alone", [[hit.ordinal for hit in hits] for hits in questions.dense]),
        ("both, by reciprocal ranks (hybrid)", measured.candidates),
        (f"the first {DEPTH} of hybrid by MaxSim alone", measured.replaced(scores)),
        *(
            (f"MaxSim as a third list, weight {weight}", measured.listed(scores, weight))
            for weight in (1, 2, 4, 8)
        ),
        ("position blend", measured.positioned(scores)),
        *(
            (f"MaxSim + {a} BM25 + {b} cosine", measured.blended(scores, a, b))
            for a, b in ((0.15, 0), (0, 0.1), (0.1, 0.1), (0.15, 0.1), (0.2, 0.1), (0.15, 0.15), (0.2, 0.2), (0.4, 0.2))
        ),
        *(
            (f"the same, {a} BM25 over the best hit + {b} cosine", measured.blended(scores, a, b, of_best=True))
            for a, b in ((0.1, 0.1), (0.15, 0.1), (0.2, 0.2))
        ),
        *(
            (f"blended, the first {depth}", measured.blended(measured.scores(measured.shipped, depth)))
            for depth in (10, 16, 20, 50)
        ),
        ("MaxSim over every passage, alone", order_of(measured.full(measured.shipped))),
    ]  # fmt: skip
    return markdown(("ranking", "dev", "test"), [(name, *measured.cells(order)) for name, order in rows])


def order_of(scores: NDArray[np.float64]) -> list[list[int]]:
    """The ten best passages of each question."""
    best: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :10].tolist()
    return best


def gate_table(measured: Measured) -> str:
    """How well a score tells questions with an answer from those without."""
    off = measured.set.without_answer("queries.offtopic")
    near = measured.set.without_answer("queries.unanswerable", 4)
    asked = {"answerable": measured.questions, "off": off, "near": near}
    form = measured.shipped

    cosine = {name: one.cosines.max(axis=1) for name, one in asked.items()}
    reranked = {
        name: np.array([s.max() for s in measured.scores(form, questions=one, neighbour=0)])
        for name, one in asked.items()
    }
    in_line = {name: np.array([s.max() for s in measured.scores(form, questions=one)]) for name, one in asked.items()}
    every = {name: measured.full(form, one).max(axis=1) for name, one in asked.items()}
    keyword = {name: np.array([hits[0].score if hits else 0 for hits in one.keyword]) for name, one in asked.items()}

    def mixed(weight: float) -> dict[str, NDArray[np.float64]]:
        return {name: reranked[name] + weight * cosine[name] for name in asked}

    rows = []
    for label, scores in (
        ("best BM25", keyword),
        ("best cosine", cosine),
        (f"best MaxSim of the first {DEPTH}", reranked),
        ("the same, neighbours counted", in_line),
        ("best MaxSim of every passage, neighbours counted", every),
        ("MaxSim + 0.25 cosine", mixed(0.25)),
        ("MaxSim + 0.5 cosine", mixed(0.5)),
        ("MaxSim + cosine", mixed(1)),
        ("logistic regression on MaxSim and cosine", logistic([reranked, cosine])),
    ):
        dev, test = scores["answerable"][0::2], scores["answerable"][1::2]
        threshold = np.quantile(dev, REFUSED)
        off_test = scores["off"][1::2]
        at_refused = np.quantile(test, REFUSED)
        rows.append(
            (
                label,
                f"{auroc(dev, scores['off'][0::2]):.4f}",
                f"{auroc(test, off_test):.4f}",
                f"{np.mean(off_test < at_refused):.1%}",
                f"{threshold:.3f}: {np.mean(test < threshold):.1%} refused, {np.mean(off_test < threshold):.1%} caught",
                f"{auroc(scores['answerable'], scores['near']):.3f}",
                f"{np.mean(scores['near'] < threshold):.1%}",
            )
        )
    return markdown(
        ("score", "AUROC off-topic, dev", "test", "off-topic caught at 5 % refused, test",
         "with the threshold of the dev half", "AUROC near-misses", "near-misses caught"),
        rows,
    )  # fmt: skip


def logistic(features: Sequence[dict[str, NDArray[np.float64]]]) -> dict[str, NDArray[np.float64]]:
    """Log-odds of a question having an answer, fitted on the dev halves with both kinds weighing the same."""
    stacked = {name: np.stack([one[name] for one in features], axis=1) for name in features[0]}
    positive, negative = stacked["answerable"][0::2], stacked["off"][0::2]
    x = np.concatenate([positive, negative])
    mean, spread = x.mean(axis=0), x.std(axis=0)
    x = np.column_stack([(x - mean) / spread, np.ones(len(x))])
    y = np.repeat([1.0, 0.0], [len(positive), len(negative)])
    balance = np.repeat([0.5 / len(positive), 0.5 / len(negative)], [len(positive), len(negative)])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (balance * (p - y)) + 1e-4 * weights
        curve = (x * (balance * p * (1 - p))[:, None]).T @ x + 1e-4 * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return {name: (one - mean) / spread @ weights[:-1] + weights[-1] for name, one in stacked.items()}


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    tables = [table for name, every in SETS for table in tables_of(name, every)]
    return [*tables, ("The shipped course: MRR over its gold set", course_table()), ("In the tab", tab_table())]


def gain_table(measured: Measured) -> str:
    """What the shipped form gains over hybrid on the test half, with the interval of the paired bootstrap."""
    new = reciprocal(measured.blended(measured.scores(measured.shipped)), measured.questions.relevant)[1::2]
    generator = np.random.default_rng(0)
    rows = []
    for name, order in (
        ("hybrid", measured.candidates),
        ("BM25 alone", [[hit.ordinal for hit in hits] for hits in measured.questions.keyword]),
    ):
        gain = new - reciprocal(order, measured.questions.relevant)[1::2]
        means = gain[generator.integers(0, len(gain), (2000, len(gain)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        rows.append((name, f"{gain.mean():+.3f}", f"{low:+.3f} … {high:+.3f}"))
    return markdown(("against", "MRR@10, test", "95 % interval"), rows)


def reciprocal(rankings: Sequence[Sequence[int]], relevant: Sequence[dict[int, int]]) -> NDArray[np.float64]:
    """Reciprocal rank at 10 of each question."""
    return np.array(
        [
            next((1 / rank for rank, one in enumerate(ranking[:10], 1) if one in grades), 0.0)
            for ranking, grades in zip(rankings, relevant, strict=True)
        ]
    )


def course_table() -> str:
    """The course of this repository, by its gold set, dev and test halves together."""
    evaluation = evaluate_course(load_config(ROOT), as_of=date(2026, 12, 1), timed=False).evaluation
    return markdown(
        ("ranking", "hit@1", "hit@5", "MRR@10"),
        [
            (rung.title, *(f"{rung.metrics[name]:.3f}" for name in ("hit_1", "hit_5", "mrr_10")))
            for rung in evaluation.measured
        ],
    )


def tab_table() -> str:
    """Milliseconds in V8, one thread: a question of 12 pieces, chunks of 160."""
    bundler = ROOT / "web" / "node_modules" / ".bin" / "rolldown"
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "bench.mjs"
        source = ROOT / "bench" / "late_interaction_tab.mjs"
        subprocess.run([bundler, source, "--file", bundle, "--platform", "node"], check=True, capture_output=True)
        found = json.loads(subprocess.run(["node", bundle], check=True, capture_output=True).stdout)
    return markdown(
        ("bits", "chunks", "kB of signs", "tables, ms", "scores, ms", "first run, ms"),
        [
            (one["bits"], f"{one['chunks']:,}", f"{one['chunks'] * 160 * one['bits'] / 8 / 1000:,.0f}",
             f"{one['making']:.1f}", f"{one['scoring']:.1f}", f"{one['first']:.1f}")
            for one in found
        ],
    )  # fmt: skip


def tables_of(name: str, every: int) -> list[tuple[str, str]]:
    """Of one set."""
    measured = Measured(name, every)
    size = f"{len(measured.set):,} passages, {len(measured.questions):,} questions"
    cut = int((np.diff(measured.set.passages.starts) >= 254).sum())
    tables = [
        (f"{name}: ranking ({size}; MRR@10 / nDCG@10)", join_table(measured)),
        (f"{name}: size of a token vector ({cut} passages are longer than the encoder reads)", form_table(measured)),
        (f"{name}: how it is summed", score_table(measured)),
    ]
    tables.insert(1, (f"{name}: gain", gain_table(measured)))
    if name == "squad2-half-dev":
        tables.insert(2, (f"{name}: the gate", gate_table(measured)))
    return tables


def _pairs(edges: NDArray[np.int64]) -> list[tuple[int, int]]:
    return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
