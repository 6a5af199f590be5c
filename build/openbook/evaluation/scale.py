"""Where exact search stops being enough: the same vectors, searched exactly and by approximate indexes.

The vectors are made of a course's own, so that they lie as real ones do: in clusters, on few directions. Uniform noise
would flatter exact search (nothing is near anything) and ruin every approximate index.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.errors import MissingExtraError, ScaleError
from openbook.index.vectors import dequantize, quantize

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
Search = Callable[[Floats], Rows]

DEPTH: Final = 10
NEIGHBOURS: Final = 8
"""A made vector lies between a real one and one of so many of its nearest."""
NOISE: Final = 0.35
"""Length of what is added beside that line, against the distance between the two real vectors."""
EF_SEARCH: Final = (8, 16, 32, 64, 128, 256)
PROBES: Final = (1, 4, 16, 64)
RESCORED: Final = (50, 100, 400)
MILLION: Final = 1_000_000
HNSW_LINKS: Final = 32


class ScaleRow(msgspec.Struct, frozen=True, kw_only=True):
    """One index at one setting.

    Attributes:
        method: of search.
        setting: what was varied; empty when nothing was.
        recall: share of the ten nearest by exact float32 search that it finds.
        ms: median milliseconds a question, one at a time, one thread.
        build_seconds: to make the index, training included; 0 for none.
        bytes_per_vector: of the index as it is stored.
    """

    method: str
    setting: str
    recall: float
    ms: float
    build_seconds: float
    bytes_per_vector: float


class MemoryRow(msgspec.Struct, frozen=True, kw_only=True):
    """What a million vectors take.

    Attributes:
        method: how they are kept.
        formula: bytes a vector.
        megabytes: of a million, 10⁶ bytes each.
    """

    method: str
    formula: str
    megabytes: float


class ScaleReport(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison.

    Attributes:
        vectors, dims, questions: how many.
        seeds: real vectors that the others were made of.
        nearest_real, nearest_made: mean cosine of a question with its nearest among the real vectors and among the made
            ones: how alike the two are.
        rows: exact search first.
        memory: of a million vectors.
    """

    vectors: int
    dims: int
    questions: int
    seeds: int
    nearest_real: float
    nearest_made: float
    rows: tuple[ScaleRow, ...]
    memory: tuple[MemoryRow, ...]


def make_vectors(real: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Make ``count`` vectors that lie as the real ones do.

    Each lies at a random place between a real vector and one of its ``NEIGHBOURS`` nearest, and beside that line by the
    difference of two further real vectors, shortened to ``NOISE`` of the line's length: noise in the directions in
    which the real ones differ.

    Args:
        real: float32 [seeds, dims], unit length; at least ``NEIGHBOURS + 1``.
        count: how many to make.
        rng: the same state gives the same vectors.

    Returns:
        float32 [count, dims], unit length.

    Raises:
        ScaleError: there are too few real vectors.
    """
    if len(real) <= NEIGHBOURS:
        raise ScaleError(
            f"{len(real)} vectors are too few to make others of; at least {NEIGHBOURS + 1} are needed.",
            hint="Give a larger course.",
        )
    near = np.argsort(-(real @ real.T), axis=1, kind="stable")[:, 1 : NEIGHBOURS + 1]
    made = np.empty((count, real.shape[1]), np.float32)
    for start in range(0, count, 10_000):
        part = slice(start, min(count, start + 10_000))
        size = part.stop - part.start
        first = rng.integers(len(real), size=size)
        line = real[near[first, rng.integers(NEIGHBOURS, size=size)]] - real[first]
        beside = real[rng.integers(len(real), size=size)] - real[rng.integers(len(real), size=size)]
        lengths = np.linalg.norm(beside, axis=1, keepdims=True)
        beside *= NOISE * np.linalg.norm(line, axis=1, keepdims=True) / np.where(lengths > 0, lengths, 1)
        made[part] = real[first] + rng.random((size, 1), np.float32) * line + beside
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def compare(
    real: Floats, questions: Floats, count: int, *, seed: int = 0, advance: Callable[[int, int], None] | None = None
) -> ScaleReport:
    """Search ``count`` vectors made of ``real`` in every way.

    Args:
        real: float32 [seeds, dims], unit length: a course's chunks.
        questions: float32 [questions, dims], unit length.
        count: how many vectors to search.
        seed: of the made vectors.
        advance: told how many of the indexes are done.

    Raises:
        MissingExtraError: FAISS is not installed.
        ScaleError: there are too few real vectors or questions.
    """
    faiss = _faiss()
    if len(questions) == 0:
        raise ScaleError("there is no question to ask.", hint="Give a course with a gold set.")
    vectors = make_vectors(real, count, np.random.default_rng(seed))
    exact = _nearest(vectors, questions)
    rows = []
    for done, make in enumerate(_METHODS, 1):
        began = time.perf_counter()
        index = make(faiss, vectors)
        build_seconds = time.perf_counter() - began
        for setting, search in index.settings:
            found, ms = _timed(search, questions)
            rows.append(
                ScaleRow(
                    method=index.method,
                    setting=setting,
                    recall=_recall(exact, found),
                    ms=ms,
                    build_seconds=build_seconds,
                    bytes_per_vector=index.size / count,
                )
            )
        if advance is not None:
            advance(done, len(_METHODS))
    return ScaleReport(
        vectors=count,
        dims=real.shape[1],
        questions=len(questions),
        seeds=len(real),
        nearest_real=float((questions @ real.T).max(axis=1).mean()),
        nearest_made=float(np.mean([(vectors @ question).max() for question in questions])),
        rows=tuple(rows),
        memory=tuple(memory(real.shape[1])),
    )


def memory(dims: int) -> Iterator[MemoryRow]:
    """What a million vectors of so many dimensions take, by the layouts of FAISS (Douze et al. 2024) and of the index.

    HNSW keeps 2·M links of four bytes a vector on the lowest level (Malkov and Yashunin 2018); the levels above hold
    1/M of the vectors and are left out.
    """
    links = 2 * HNSW_LINKS * 4
    for method, formula, size in (
        ("float32", f"4 · {dims}", 4 * dims),
        ("float32 + HNSW", f"4 · {dims} + 2 · {HNSW_LINKS} · 4", 4 * dims + links),
        ("int8 + scale (the index of the site)", f"{dims} + 4", dims + 4),
        ("1 bit, rescored by int8", f"{dims} / 8 + {dims} + 4", dims // 8 + dims + 4),
        ("PQ, a byte for 8 dimensions", f"{dims} / 8", dims // 8),
        ("1 bit", f"{dims} / 8", dims // 8),
    ):
        yield MemoryRow(method=method, formula=formula, megabytes=size * MILLION / 1e6)


class _Index(msgspec.Struct, frozen=True):
    """An index that was made: its size in bytes, and how to search it, setting by setting."""

    method: str
    size: int
    settings: Sequence[tuple[str, Search]]


def _exact(faiss: Any, vectors: Floats) -> _Index:
    return _Index("exact, float32", vectors.nbytes, [("", _flat(faiss, vectors))])


def _int8(faiss: Any, vectors: Floats) -> _Index:
    kept = quantize(vectors)
    return _Index("exact, int8", kept.scales.nbytes + kept.values.nbytes, [("", _flat(faiss, dequantize(kept)))])


def _flat(faiss: Any, vectors: Floats) -> Search:
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    return lambda questions: _rows(index, questions)


def _binary(faiss: Any, vectors: Floats) -> _Index:
    count, dims = vectors.shape
    index = faiss.IndexBinaryFlat(dims)
    index.add(np.packbits(vectors > 0, axis=1))
    kept = quantize(vectors)

    def rescored(depth: int) -> Search:
        def search(questions: Floats) -> Rows:
            _, rows = index.search(np.packbits(questions > 0, axis=1), min(depth, count))
            return np.stack(
                [
                    found[np.argsort(-_scores(kept.scales, kept.values, found, question), kind="stable")[:DEPTH]]
                    for found, question in zip(rows, questions, strict=True)
                ]
            )

        return search

    size = count * dims // 8 + kept.scales.nbytes + kept.values.nbytes
    return _Index("1 bit, rescored by int8", size, [(f"{depth} rescored", rescored(depth)) for depth in RESCORED])


def _hnsw(faiss: Any, vectors: Floats) -> _Index:
    dims = vectors.shape[1]
    index = faiss.IndexHNSWFlat(dims, HNSW_LINKS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 100
    index.add(vectors)

    def at(width: int) -> Search:
        def search(questions: Floats) -> Rows:
            index.hnsw.efSearch = width
            return _rows(index, questions)

        return search

    return _Index("HNSW", _stored(faiss, index), [(f"efSearch {width}", at(width)) for width in EF_SEARCH])


def _ivf(faiss: Any, vectors: Floats) -> _Index:
    count, dims = vectors.shape
    lists = max(1, min(1024, count // 40))
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dims), dims, lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.min_points_per_centroid = 1  # few vectors are a test's, and no reason to warn
    index.train(vectors)
    index.add(vectors)

    def at(probes: int) -> Search:
        def search(questions: Floats) -> Rows:
            index.nprobe = probes
            return _rows(index, questions)

        return search

    return _Index(f"IVF, {lists} lists", _stored(faiss, index), [(f"nprobe {probes}", at(probes)) for probes in PROBES])


def _pq(faiss: Any, vectors: Floats) -> _Index:
    dims = vectors.shape[1]
    index = faiss.IndexPQ(dims, dims // 8, 8, faiss.METRIC_INNER_PRODUCT)
    index.pq.cp.min_points_per_centroid = 1
    index.train(vectors[:50_000])
    index.add(vectors)
    return _Index(f"PQ, {dims // 8} bytes", _stored(faiss, index), [("", lambda q: _rows(index, q))])


_METHODS: Final = (_exact, _int8, _binary, _hnsw, _ivf, _pq)


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise MissingExtraError("FAISS is not installed.", hint="Install it: pip install 'openbook[scale]'.") from error
    # One question in one tab: what counts is one thread.
    faiss.omp_set_num_threads(1)
    return faiss


def _rows(index: Any, questions: Floats) -> Rows:
    found: Rows = index.search(questions, DEPTH)[1]
    return found


def _stored(faiss: Any, index: Any) -> int:
    return int(faiss.serialize_index(index).nbytes)


def _scores(scales: Floats, values: NDArray[np.int8], rows: Rows, question: Floats) -> Floats:
    scores: Floats = (values[rows].astype(np.float32) @ question) * scales[rows]
    return scores


def _nearest(vectors: Floats, questions: Floats) -> Rows:
    depth = min(DEPTH, len(vectors))
    rows = []
    for question in questions:
        scores = vectors @ question
        best = np.argpartition(-scores, depth - 1)[:depth]
        rows.append(best[np.argsort(-scores[best], kind="stable")])
    return np.stack(rows)


def _timed(search: Search, questions: Floats) -> tuple[Rows, float]:
    search(questions[:1])  # the first call touches memory that no later one has to
    found, times = [], []
    for row in range(len(questions)):
        began = time.perf_counter()
        found.append(search(questions[row : row + 1])[0])
        times.append(1e3 * (time.perf_counter() - began))
    return np.stack(found), float(np.median(times))


def _recall(exact: Rows, found: Rows) -> float:
    shared = [len(set(a) & set(b)) for a, b in zip(exact.tolist(), found.tolist(), strict=True)]
    return sum(shared) / exact.size
