"""Late interaction: MaxSim of the question's word pieces against one bit a direction of each passage's.

For each piece of the question the greatest cosine among the passage's pieces, averaged with the pieces' IDF as
weights (Khattab and Zaharia, *ColBERT*, SIGIR 2020, whose sum has no weights). A passage's piece is the signs of its
projected vector; the question's stay as they are. The product of a projected unit vector q with another's signs,
times √(π/2) over the number of directions, is an unbiased estimate of the cosine for Gaussian directions, so that a
score here reads like a cosine.

For the order of passages a match counts its neighbours too: the cosine of the question's piece before with the
passage's piece before, and of the next with the next, each with the weight ``NEIGHBOUR``, as a mean. So a run of pieces
that stands in the same order counts for more than the same pieces here and there (as do ordered pairs of words in
Metzler and Croft, *A Markov Random Field Model for Term Dependencies*, SIGIR 2005), and the mean of three estimates is
off by less than each. The gate goes by MaxSim without them: it asks whether the words are there at all.

How it is computed is specified, so that the tab's numbers are these to the last bit: for each byte of signs and each
piece of the question a table of the 256 partial sums, made in float64 and kept in float32; a product is the sum of
one entry a byte, in order, in float64; to it come the neighbour before, then the neighbour after, then the division.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from openbook.errors import IndexFormatError
from openbook.index.projection import projection

NEIGHBOUR: Final = 0.3
"""Weight of a neighbour's cosine beside a piece's own; see docs/late-interaction.md for others."""

Tables = NDArray[np.float32]
"""float32 [pieces of the question, bytes of signs, 256]."""


@dataclass(frozen=True, slots=True)
class QuestionPieces:
    """The question as the encoder read it, special tokens left out.

    Attributes:
        ids: of the word pieces.
        pieces: the same as strings.
        vectors: float32 [pieces, dims], of unit length.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PieceWeights:
    """In how many chunks each word piece stands.

    Attributes:
        chunks: number of chunks, N.
        counts: piece id → chunks that hold it; pieces that are in none are not here.
    """

    chunks: int
    counts: Mapping[int, int]

    def idf(self, piece: int) -> float:
        """``ln(1 + (N − n + 0.5) / (n + 0.5))``, as in BM25; greatest for a piece that is in no chunk."""
        count = self.counts.get(piece, 0)
        return math.log(1 + (self.chunks - count + 0.5) / (count + 0.5))


@dataclass(frozen=True, slots=True)
class MaxSim:
    """One passage's score and how it came about.

    Attributes:
        score: weighted mean of the greatest cosines.
        in_order: weighted mean of ``best``.
        best: float64 [pieces of the question], the greatest of each in :func:`in_order`.
        places: int [pieces of the question], which of the passage's kept pieces it was; the first of equals.
    """

    score: float
    in_order: float
    best: NDArray[np.float64]
    places: NDArray[np.int64]


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale each row to length 1: summed in float64 in order, as the tab does."""
    squares = vectors.astype(np.float64) ** 2
    lengths = np.sqrt(np.cumsum(squares, axis=1)[:, -1]) if squares.size else np.ones(len(vectors))
    unit: NDArray[np.float32] = (vectors.astype(np.float64) / np.maximum(lengths, 1e-12)[:, None]).astype(np.float32)
    return unit


def make_tables(vectors: NDArray[np.float32], bits: int) -> Tables:
    """Project the question's pieces and tabulate their products with every byte of signs.

    Args:
        vectors: float32 [pieces, dims], unit length.
        bits: directions of the passages' signs.

    Returns:
        Tables; bit j of a byte (from the least significant) stands for direction 8 · byte + j, set for plus.
    """
    pieces, dims = vectors.shape
    transform = projection(dims, bits)
    # Of a unit vector in `width` orthogonal directions, `bits` hold the share bits / width of its squared length.
    scale = math.sqrt(math.pi / 2) * math.sqrt(transform.width) / (bits * transform.gain)
    projected = (transform.apply(vectors) * scale).reshape(pieces, bits // 8, 8)
    tables = np.zeros((pieces, bits // 8, 256))
    for j in range(8):
        tables[:, :, 0] -= projected[:, :, j]
    for j in range(8):
        tables[:, :, 1 << j : 2 << j] = tables[:, :, : 1 << j] + 2 * projected[:, :, j, None]
    return tables.astype(np.float32)


def similarities(tables: Tables, signs: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Estimated cosine of each piece of the question with each piece of a passage.

    Args:
        tables: of the question.
        signs: uint8 [pieces of the passage, bytes].

    Returns:
        float64 [pieces of the question, pieces of the passage].

    Raises:
        IndexFormatError: the signs are of another number of directions than the tables.
    """
    pieces, width, _ = tables.shape
    if signs.ndim != 2 or signs.shape[1] != width:
        raise IndexFormatError(
            f"token vectors of shape {signs.shape} do not fit a question of {width} bytes a piece.",
            hint="Build the index again.",
        )
    sums = np.zeros((pieces, len(signs)))
    for byte in range(width):
        sums += tables[:, byte, :][:, signs[:, byte]]
    return sums


def in_order(cosines: NDArray[np.float64], neighbour: float = NEIGHBOUR) -> NDArray[np.float64]:
    """Each pair of pieces with its neighbours on either side, in the same order.

    Args:
        cosines: float64 [pieces of the question, pieces of one passage].
        neighbour: weight of a neighbour's cosine.

    Returns:
        float64 of the same shape: the mean of a pair's cosine and, with their weight, those of the pairs before and
        after it. What is behind the passage's ends counts as 0, what is behind the question's not at all.
    """
    found = cosines.copy()
    found[1:, 1:] += neighbour * cosines[:-1, :-1]
    found[:-1, :-1] += neighbour * cosines[1:, 1:]
    found /= shares(len(found), neighbour)[:, None]
    return found


def shares(pieces: int, neighbour: float = NEIGHBOUR) -> NDArray[np.float64]:
    """What the weights of each of the question's pieces and its neighbours sum to."""
    neighbours = np.full(pieces, 2)
    neighbours[:1] -= 1
    neighbours[-1:] -= 1
    return 1 + neighbour * neighbours


def max_sim(tables: Tables, weights: Sequence[float], signs: NDArray[np.uint8]) -> MaxSim:
    """Score one passage.

    Args:
        tables: of the question.
        weights: of the question's pieces.
        signs: uint8 [pieces of the passage, bytes]; a passage of no pieces scores 0, as does a question of none.

    Raises:
        IndexFormatError: as for :func:`similarities`.
    """
    found = similarities(tables, signs)
    if not found.size:
        return MaxSim(0.0, 0.0, np.zeros(len(tables)), np.zeros(len(tables), dtype=np.int64))
    matches = in_order(found)
    places = matches.argmax(axis=1)
    best = matches[np.arange(len(matches)), places]
    return MaxSim(weighted(found.max(axis=1), weights), weighted(best, weights), best, places)


def full_retrieval(
    tables: Tables, weights: Sequence[float], signs: NDArray[np.uint8], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Score every passage: MaxSim, neighbours counted, as a retriever of its own.

    Args:
        tables: of the question.
        weights: of the question's pieces.
        signs: uint8 [pieces of all passages, bytes].
        starts: int [passages + 1]: passage i's pieces are ``signs[starts[i]:starts[i + 1]]``.

    Returns:
        float64 [passages].
    """
    scores = np.zeros(len(starts) - 1)
    held = np.flatnonzero(np.diff(starts))
    if not len(held) or not len(tables):
        return scores
    total = sum(weights)
    # A few pieces of the question at a time: the whole matrix of a large course would not fit the processor's cache.
    first, last = starts[held], starts[held + 1] - 1
    nothing = np.zeros(len(signs))
    before, own = nothing, similarities(tables[:1], signs)[0]
    for piece, (weight, share) in enumerate(zip(weights, shares(len(tables)), strict=True)):
        behind = similarities(tables[piece + 1 : piece + 2], signs)[0] if piece + 1 < len(tables) else nothing
        match = own + NEIGHBOUR * _moved(before, 1, first) + NEIGHBOUR * _moved(behind, -1, last)
        scores[held] += weight * np.maximum.reduceat(match, first) / share
        before, own = own, behind
    return scores / total if total > 0 else np.zeros(len(scores))


def _moved(products: NDArray[np.float64], by: int, without: NDArray[np.int64]) -> NDArray[np.float64]:
    """The products of a neighbour; those pieces have none in their passage."""
    found = np.roll(products, by)
    found[without] = 0
    return found


def weighted(best: NDArray[np.float64], weights: Sequence[float]) -> float:
    """Mean of the pieces' greatest cosines, by the pieces' weights; summed in order."""
    numerator = denominator = 0.0
    for value, weight in zip(best.tolist(), weights, strict=True):
        numerator += weight * value
        denominator += weight
    return numerator / denominator if denominator > 0 else 0.0
