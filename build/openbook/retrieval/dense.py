"""Dense search: exact cosine of a float32 question against int8 chunks.

The sum is specified, so that the tab's is the same to the last bit and equal texts tie in both: float64, eight
partial sums (component j goes to sum j mod 8, in order), added as ((0+4)+(2+6))+((1+5)+(3+7)), then times the
chunk's scale. A plain matrix product sums in an order of the library's own, and gives equal rows unequal scores.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from openbook.errors import IndexFormatError
from openbook.retrieval.trace import DenseHit
from openbook.settings import DenseSettings

LANES: Final = 8


@dataclass(frozen=True, slots=True)
class Vectors:
    """Chunk vectors, one row a chunk: ``scales[i] * values[i]`` is of unit length but for rounding.

    Attributes:
        scales: float32, shape (n,).
        values: int8, shape (n, dims).
    """

    scales: NDArray[np.float32]
    values: NDArray[np.int8]


def cosines(vectors: Vectors, question: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosine of the question (float32, shape (dims,), unit length) with each chunk, float64, shape (n,).

    Raises:
        IndexFormatError: the question has another number of dimensions than the chunks.
    """
    rows, dims = vectors.values.shape
    if question.shape != (dims,):
        raise IndexFormatError(
            f"the question's vector has shape {question.shape}, the chunks' have {dims} components.",
            hint="Build the index again with the encoder that asks.",
        )
    sums = np.zeros((rows, LANES))
    for start in range(0, dims, LANES):
        step = vectors.values[:, start : start + LANES].astype(np.float64)
        sums[:, : step.shape[1]] += step * question[start : start + LANES].astype(np.float64)
    even = (sums[:, 0] + sums[:, 4]) + (sums[:, 2] + sums[:, 6])
    odd = (sums[:, 1] + sums[:, 5]) + (sums[:, 3] + sums[:, 7])
    result: NDArray[np.float64] = (even + odd) * vectors.scales.astype(np.float64)
    return result


def dense(
    vectors: Vectors,
    question: NDArray[np.float32],
    settings: DenseSettings,
    chunk_id: Callable[[int], str],
    allowed: AbstractSet[int] | None = None,
) -> list[DenseHit]:
    """Return the ``settings.depth`` chunks of greatest cosine; of two alike the one of lower ordinal.

    Args:
        vectors: of all chunks.
        question: its vector.
        settings: how many are wanted.
        chunk_id: names a chunk.
        allowed: ordinals that a filter lets through; None for all.

    Raises:
        IndexFormatError: as for :func:`cosines`.
    """
    scores = cosines(vectors, question)
    places = np.arange(len(scores)) if allowed is None else np.array(sorted(allowed), dtype=np.intp)
    best = places[np.lexsort((places, -scores[places]))][: settings.depth]
    return [
        DenseHit(ordinal=int(ordinal), id=chunk_id(int(ordinal)), rank=rank, score=float(scores[ordinal]))
        for rank, ordinal in enumerate(best, 1)
    ]
