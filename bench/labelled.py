"""Labelled sets of passages and questions, searched with the library's own stages; metrics and caches around them.

A set is a folder with ``corpus.jsonl``, ``queries*.jsonl`` and ``qrels.tsv`` (the layout of BEIR). Where they lie:
``OPENBOOK_SHARED_DATA``, else ``../shared/data`` beside the repository. Even questions are the dev half, on which
choices are made; odd ones the test half, on which they are reported.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openbook.index.tokens import tokenize
from openbook.index.vectors import quantize
from openbook.models.cache import cache_dir
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX, resolve
from openbook.retrieval.collection import ChunkRef
from openbook.retrieval.dense import Vectors, cosines, dense
from openbook.retrieval.fusion import fuse
from openbook.retrieval.keyword import KeywordIndex, keyword
from openbook.retrieval.late_interaction import unit_rows
from openbook.retrieval.rerank import greatest_keyword_score
from openbook.retrieval.trace import DenseHit, FusedHit, KeywordHit
from openbook.settings import DenseSettings, EncoderSettings, FusionSettings, KeywordSettings

Floats = NDArray[np.float32]

CUTOFF = 10


def data_folder() -> Path:
    """The folder of labelled sets."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("OPENBOOK_SHARED_DATA", default)) / "ir"


def encoder() -> Encoder:
    """The encoder that ships."""
    return Encoder(resolve(EncoderSettings()), threads=int(os.environ.get("OPENBOOK_BENCH_THREADS", "2")))


@dataclass(frozen=True)
class Readings:
    """Texts as the encoder read them.

    Attributes:
        pooled: float32 [texts, dims], unit length: the embeddings.
        ids: int32 [pieces]: of all texts one after the other, special tokens left out.
        vectors: float32 [pieces, dims], unit length.
        starts: int64 [texts + 1].
    """

    pooled: Floats
    ids: NDArray[np.int32]
    vectors: Floats
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def of(self, i: int) -> slice:
        """Where text i's pieces are."""
        return slice(int(self.starts[i]), int(self.starts[i + 1]))

    def some(self, which: Sequence[int]) -> Readings:
        """Some of the texts."""
        rows = np.concatenate([np.arange(self.starts[i], self.starts[i + 1]) for i in which])
        lengths = [int(self.starts[i + 1] - self.starts[i]) for i in which]
        starts = np.array([0, *np.cumsum(lengths)], dtype=np.int64)
        return Readings(self.pooled[list(which)], self.ids[rows], self.vectors[rows], starts)


def read_texts(name: str, texts: Sequence[str]) -> Readings:
    """Run the encoder over texts, once: what it gives is kept in the cache, in float16."""
    files = resolve(EncoderSettings())
    digest = hashlib.sha256(json.dumps([files.sha256[ONNX], list(texts)]).encode()).hexdigest()[:16]
    file = cache_dir() / "bench" / f"{name}-{digest}.npz"
    if not file.is_file():
        model = encoder()
        ids: list[int] = []
        starts, parts, pooled = [0], [], []
        for text in texts:
            read = model.token_vectors(text)
            mean = read.vectors.mean(axis=0)
            pooled.append(mean / np.linalg.norm(mean))
            parts.append(read.vectors[1:-1].astype(np.float16))
            ids += read.ids[1:-1]
            starts.append(len(ids))
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(file, V=np.concatenate(parts), I=np.array(ids, np.int32), off=np.array(starts), P=np.array(pooled))
    held = np.load(file)
    return Readings(
        held["P"].astype(np.float32), held["I"].astype(np.int32), unit_rows(held["V"].astype(np.float32)),
        held["off"].astype(np.int64),
    )  # fmt: skip


@dataclass(frozen=True)
class Searched:
    """Questions with what the first stages find.

    Attributes:
        texts: of the questions.
        readings: of the questions.
        keyword, dense, fused: hits of each question.
        greatest: keyword score that each question could have.
        cosines: float64 [questions, passages].
        relevant: passage → grade of each question; empty for questions without an answer.
    """

    texts: list[str]
    readings: Readings
    keyword: list[list[KeywordHit]]
    dense: list[list[DenseHit]]
    fused: list[list[FusedHit]]
    greatest: list[float]
    cosines: NDArray[np.float64]
    relevant: list[dict[int, int]]

    def __len__(self) -> int:
        return len(self.texts)


class LabelledSet:
    """One set.

    Args:
        name: of its folder.
        every: take every so manieth question.
    """

    def __init__(self, name: str, every: int = 1) -> None:
        self.name = name
        self.every = every
        self.folder = data_folder() / name
        self.corpus = _lines(self.folder / "corpus.jsonl")

    def __len__(self) -> int:
        return len(self.corpus)

    @cached_property
    def passages(self) -> Readings:
        """The passages, read as chunks are: title, empty line, text."""
        return read_texts(f"{self.name}-corpus", [f"{p.get('title', '')}\n\n{p['text']}".strip() for p in self.corpus])

    @cached_property
    def vectors(self) -> Vectors:
        """The passages' embeddings in one byte a component."""
        return Vectors(*quantize(self.passages.pooled))

    @cached_property
    def keyword_index(self) -> KeywordIndex:
        """Over titles and texts."""
        return keyword_index([(p.get("title", ""), p["text"]) for p in self.corpus])

    @cached_property
    def piece_counts(self) -> NDArray[np.int64]:
        """In how many passages each word piece stands, by its id."""
        counts = np.zeros(1 << 16, dtype=np.int64)
        for i in range(len(self)):
            counts[np.unique(self.passages.ids[self.passages.of(i)])] += 1
        return counts

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        """Weight of each word piece by its id."""
        n = len(self)
        weights: NDArray[np.float64] = np.log(1 + (n - self.piece_counts + 0.5) / (self.piece_counts + 0.5))
        return weights

    @cached_property
    def answerable(self) -> Searched:
        """The questions that have an answer."""
        places = {p["_id"]: i for i, p in enumerate(self.corpus)}
        grades: dict[str, dict[int, int]] = defaultdict(dict)
        for line in (self.folder / "qrels.tsv").read_text().splitlines()[1:]:
            question, passage, grade = line.split("\t")
            if int(grade) > 0 and passage in places:
                grades[question][places[passage]] = int(grade)
        every = _lines(self.folder / "queries.jsonl")
        kept = [i for i, q in enumerate(every) if grades[q["_id"]]][:: self.every]
        readings = read_texts(f"{self.name}-queries", [q["text"] for q in every]).some(kept)
        return self._search([every[i]["text"] for i in kept], readings, [grades[every[i]["_id"]] for i in kept])

    def without_answer(self, stem: str, every: int = 1) -> Searched:
        """The questions of another file, which the passages do not answer."""
        texts = [q["text"] for q in _lines(self.folder / f"{stem}.jsonl")[::every]]
        return self._search(texts, read_texts(f"{self.name}-{stem}", texts), [{} for _ in texts])

    def _search(self, texts: list[str], readings: Readings, relevant: list[dict[int, int]]) -> Searched:
        by_keyword, by_vector, fused, greatest = [], [], [], []
        for text, vector in zip(texts, readings.pooled, strict=True):
            terms, hits = keyword(self.keyword_index, text, KeywordSettings(), _chunk)
            by_keyword.append(hits)
            greatest.append(greatest_keyword_score(terms, len(self), KeywordSettings()))
            by_vector.append(dense(self.vectors, vector, DenseSettings(), str))
            fused.append(fuse(by_keyword[-1], by_vector[-1], FusionSettings()))
        scores = np.array([cosines(self.vectors, vector) for vector in readings.pooled])
        return Searched(texts, readings, by_keyword, by_vector, fused, greatest, scores, relevant)


def keyword_index(passages: Iterable[tuple[str, str]]) -> KeywordIndex:
    """Index (title, text) pairs as the build does."""
    postings: dict[str, tuple[dict[int, int], dict[int, int]]] = {}
    lengths: dict[int, tuple[int, int]] = {}
    for ordinal, fields in enumerate(passages):
        counts = [Counter(tokenize(field)) for field in fields]
        lengths[ordinal] = (len(counts[0]), len(counts[1]))
        for place, counted in enumerate(counts):
            for term, frequency in counted.items():
                postings.setdefault(term, ({}, {}))[place][ordinal] = frequency
    means = np.array(list(lengths.values()), dtype=np.float64).mean(axis=0)
    return KeywordIndex(
        documents=len(lengths), lengths=lengths, averages=(float(means[0]), float(means[1])), postings=postings
    )


def mrr_ndcg(rankings: Sequence[Sequence[int]], relevant: Sequence[dict[int, int]]) -> tuple[float, float]:
    """Mean reciprocal rank and nDCG (gain 2^grade − 1), both at 10."""
    reciprocal, gained = [], []
    for ranking, grades in zip(rankings, relevant, strict=True):
        top = list(ranking[:CUTOFF])
        reciprocal.append(next((1 / rank for rank, one in enumerate(top, 1) if one in grades), 0.0))
        gain = sum((2 ** grades[one] - 1) / np.log2(rank + 1) for rank, one in enumerate(top, 1) if one in grades)
        best = sorted(grades.values(), reverse=True)[:CUTOFF]
        gained.append(gain / sum((2**grade - 1) / np.log2(rank + 1) for rank, grade in enumerate(best, 1)))
    return float(np.mean(reciprocal)), float(np.mean(gained))


def wilson(outcomes: Sequence[bool]) -> str:
    """A share with its 95 % interval (Wilson, 1927): 12 of 16 = 75 % (51–90)."""
    count, hits, z = len(outcomes), sum(outcomes), 1.96
    if count == 0:
        return "–"
    share = hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * np.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return f"{hits} of {count} = {100 * share:.0f} % ({100 * max(0, middle - half):.0f}–{100 * (middle + half):.0f})"


def markdown(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _chunk(ordinal: int) -> ChunkRef:
    # The path is no question's words, so that no passage counts as a heading that was typed in.
    return ChunkRef(
        id=str(ordinal), lecture="", lecture_number=0, kind="notes", path=("\N{WORD JOINER}",), anchor="", part=1,
        parts=1, url="",
    )  # fmt: skip
