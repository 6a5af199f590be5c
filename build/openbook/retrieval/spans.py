"""MaxSim of a text with each sentence of a chunk, from the signs that late interaction has of the chunk's pieces.

The encoder read the chunk as a whole, so that a piece's vector knows its context. Which pieces a sentence has follows
from counting: word pieces do not reach over white space, and a chunk's rows are the pieces of its heading path, if that
was read with it, and then those of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from openbook.retrieval.late_interaction import PieceWeights, QuestionPieces, make_tables, similarities, weighted
from openbook.retrieval.sentences import Span

CountTokens = Callable[[str], int]
"""Word pieces of a text, special tokens not counted."""

SpanScores = Callable[[int, str, Sequence[Span]], Sequence[float] | None]
"""Ordinal of a chunk, its text and spans → the MaxSim of each span; None for a chunk without signs."""


def piece_ranges(
    text: str, spans: Sequence[Span], rows: int, count_tokens: CountTokens
) -> list[tuple[int, int]] | None:
    """First piece of each span, and the one behind its last.

    Args:
        text: of the chunk.
        spans: of the text, in order.
        rows: how many pieces the chunk has.
        count_tokens: of the encoder's tokenizer.

    Returns:
        None when the text has more pieces than there are rows: the rows are not of this text.
    """
    ranges = []
    place = end = 0
    for span in spans:
        place += count_tokens(text[end : span.start])
        first = place
        place += count_tokens(text[span.start : span.end])
        ranges.append((first, place))
        end = span.end
    place += count_tokens(text[end:])
    heading = rows - place
    return [(first + heading, last + heading) for first, last in ranges] if heading >= 0 else None


def span_scorer(
    read: QuestionPieces,
    weights: PieceWeights,
    bits: int,
    signs: Mapping[int, NDArray[np.uint8]],
    count_tokens: CountTokens,
) -> SpanScores:
    """Compare a text with the spans of chunks.

    Args:
        read: the text: the question, or a sentence of an answer.
        weights: of word pieces.
        bits: directions of the signs.
        signs: of each chunk that may be asked for, uint8 [pieces, bits / 8].
        count_tokens: of the encoder's tokenizer.
    """
    tables = make_tables(read.vectors, bits)
    idf = [weights.idf(piece) for piece in read.ids]

    def scores(ordinal: int, text: str, spans: Sequence[Span]) -> list[float] | None:
        rows = signs.get(ordinal)
        ranges = piece_ranges(text, spans, len(rows), count_tokens) if rows is not None else None
        if rows is None or ranges is None:
            return None
        found = similarities(tables, rows)
        return [
            weighted(found[:, first:last].max(axis=1), idf) if last > first and len(found) else 0.0
            for first, last in ranges
        ]

    return scores
