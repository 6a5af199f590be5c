"""Late interaction over every passage, for many questions at once.

``retrieval.late_interaction.full_retrieval`` is the reference, and how a tab would do it: tables of bytes, one question
at a time. Here the signs of a block of passages are unpacked once and multiplied with the pieces of many questions,
which gives the same scores but for the last bits of a float32, some fifty times faster on ten thousand passages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from openbook.index.projection import projection
from openbook.index.token_vectors import TokenVectors
from openbook.retrieval.late_interaction import NEIGHBOUR, PieceWeights, QuestionPieces, shares

ROWS: Final = 16_384
"""Word pieces of passages in a block: 12 MB of signs as float32."""

PIECES: Final = 1_024
"""Word pieces of questions in a block."""

DECIMALS: Final = 5
"""Scores are rounded to so many: below, the processor decides, and a ranking should not depend on that."""


def search_all(
    vectors: TokenVectors,
    questions: Sequence[QuestionPieces],
    depth: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[list[int]]:
    """The best passages of each question by MaxSim; of two alike the one of lower ordinal.

    Args:
        vectors: of the passages.
        questions: as the encoder read them.
        depth: how many passages each.
        progress: called with questions done and in all.
    """
    weights = PieceWeights(vectors.chunks, vectors.counts)
    rankings: list[list[int]] = []
    start = 0
    while start < len(questions):
        end, pieces = start, 0
        while end < len(questions) and (end == start or pieces + len(questions[end].ids) <= PIECES):
            pieces += len(questions[end].ids)
            end += 1
        for scores in _scores(vectors, weights, questions[start:end]):
            rounded = np.round(scores, DECIMALS)
            rankings.append(np.lexsort((np.arange(len(rounded)), -rounded))[:depth].tolist())
        start = end
        if progress is not None:
            progress(start, len(questions))
    return rankings


def in_order_of_all(
    products: NDArray[np.float32], questions: NDArray[np.int64], passages: NDArray[np.int64]
) -> NDArray[np.float32]:
    """As ``late_interaction.in_order``, but of many questions and passages at once, and not yet divided by the shares.

    Args:
        products: float32 [pieces of the questions, pieces of the passages].
        questions: at which row each but the first begins.
        passages: at which column each but the first begins.
    """
    pairs = np.float32(NEIGHBOUR) * products
    found = products.copy()
    for at, of in (((1, None), (None, -1)), ((None, -1), (1, None))):
        moved = pairs[slice(*of), slice(*of)].copy()
        # Between the last of one and the first of the next there is no neighbourhood.
        moved[questions - 1] = 0
        moved[:, passages - 1] = 0
        found[slice(*at), slice(*at)] += moved
    return found


def _scores(vectors: TokenVectors, weights: PieceWeights, questions: Sequence[QuestionPieces]) -> NDArray[np.float64]:
    """MaxSim of each question with each passage: float64 [questions, passages]."""
    scores = np.zeros((len(questions), vectors.chunks))
    edges = np.cumsum([0, *(len(question.ids) for question in questions)])
    if not edges[-1]:
        return scores
    questions_from = np.unique(edges[(edges > 0) & (edges < edges[-1])])
    stacked = np.concatenate([question.vectors for question in questions])
    transform = projection(stacked.shape[1], vectors.bits)
    # As in `make_tables`: the product with the signs is then an estimate of the cosine.
    scale = math.sqrt(math.pi / 2) * math.sqrt(transform.width) / (vectors.bits * transform.gain)
    projected = (transform.apply(stacked) * scale).astype(np.float32)
    idf = np.array([weights.idf(piece) for question in questions for piece in question.ids])
    divisors = np.concatenate([shares(len(question.ids)) for question in questions])[:, None]
    for first, end in _blocks(vectors.starts):
        rows = vectors.signs[vectors.starts[first] : vectors.starts[end]]
        if not len(rows):
            continue
        signs = np.unpackbits(rows, axis=1, bitorder="little").astype(np.float32) * 2 - 1
        products = projected @ signs.T
        starts = vectors.starts[first : end + 1] - vectors.starts[first]
        held = np.flatnonzero(np.diff(starts))
        matches = in_order_of_all(products, questions_from, starts[held][1:])
        best = np.maximum.reduceat(matches, starts[held], axis=1).astype(np.float64) / divisors * idf[:, None]
        for number, (low, high) in enumerate(pairwise(edges.tolist())):
            total = idf[low:high].sum()
            if total > 0:
                scores[number, first + held] = best[low:high].sum(axis=0) / total
    return scores


def _blocks(starts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Ranges of passages of about ``ROWS`` rows, at least one passage each."""
    blocks = []
    first = 0
    while first < len(starts) - 1:
        end = int(np.searchsorted(starts, starts[first] + ROWS, side="right")) - 1
        end = max(first + 1, end)
        blocks.append((first, end))
        first = end
    return blocks
