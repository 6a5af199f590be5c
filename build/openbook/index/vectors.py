"""Chunk vectors in one byte a component, each vector with a scale of its own.

A vector's scale is its greatest magnitude over 127, and a component its value over the scale, rounded to the nearest
integer, half to even. The question stays float32, so only one side of each product is rounded.
The file is little-endian: float32 scales, one a chunk, then the int8 components, chunk after chunk.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openbook.errors import IndexFormatError


class QuantizedVectors(NamedTuple):
    """``scales[i] * values[i]`` is close to vector i.

    Attributes:
        scales: float32 [chunks].
        values: int8 [chunks, dims], from -127 to 127.
    """

    scales: NDArray[np.float32]
    values: NDArray[np.int8]


def quantize(vectors: NDArray[np.float32]) -> QuantizedVectors:
    """Round float32 [chunks, dims] to one byte a component; a vector of zeros gets the scale 0."""
    scales = (np.abs(vectors).max(axis=1, initial=0) / np.float32(127)).astype(np.float32)
    divisors = np.where(scales > 0, scales, 1).astype(np.float64)
    # The scale is rounded itself, so a component may come out a hair beyond 127.
    values = np.clip(np.rint(vectors.astype(np.float64) / divisors[:, None]), -127, 127).astype(np.int8)
    return QuantizedVectors(scales, values)


def dequantize(quantized: QuantizedVectors) -> NDArray[np.float32]:
    """Give back float32 [chunks, dims]; not exactly of length 1."""
    vectors: NDArray[np.float32] = quantized.scales[:, None] * quantized.values.astype(np.float32)
    return vectors


def to_bytes(quantized: QuantizedVectors) -> bytes:
    """The content of ``vectors-<hash>.bin``."""
    return quantized.scales.astype("<f4").tobytes() + np.ascontiguousarray(quantized.values).tobytes()


def from_bytes(data: bytes, chunks: int, dims: int) -> QuantizedVectors:
    """Read what ``to_bytes`` wrote.

    Raises:
        IndexFormatError: it has another size than so many vectors need.
    """
    if len(data) != chunks * (4 + dims):
        raise IndexFormatError(
            f"the vectors take {len(data):,} bytes; {chunks:,} of {dims} components take {chunks * (4 + dims):,}.",
            hint="Build the site again.",
        )
    scales = np.frombuffer(data, dtype="<f4", count=chunks).astype(np.float32)
    values = np.frombuffer(data, dtype=np.int8, offset=4 * chunks).reshape(chunks, dims)
    return QuantizedVectors(scales, values)


def top_agreement(
    vectors: NDArray[np.float32], quantized: QuantizedVectors, questions: NDArray[np.float32], depth: int = 10
) -> float:
    """How much of the float32 ranking the rounded vectors keep.

    Args:
        vectors: float32 [chunks, dims], the originals.
        quantized: what became of them.
        questions: float32 [questions, dims].
        depth: of the rankings compared.

    Returns:
        Mean over the questions of the share of the ``depth`` best chunks that both have; 1.0 for no question or chunk.
    """
    depth = min(depth, len(vectors))
    if depth == 0 or len(questions) == 0:
        return 1.0
    exact = _best(vectors, questions, depth)
    rounded = _best(dequantize(quantized), questions, depth)
    shared = [len(set(a) & set(b)) for a, b in zip(exact.tolist(), rounded.tolist(), strict=True)]
    return sum(shared) / (depth * len(shared))


def _best(vectors: NDArray[np.float32], questions: NDArray[np.float32], depth: int) -> NDArray[np.intp]:
    scores = questions.astype(np.float64) @ vectors.astype(np.float64).T
    return np.argsort(-scores, axis=1, kind="stable")[:, :depth]
