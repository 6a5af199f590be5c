"""Words of a question that are nowhere in the course, and what they may be misspellings of.

Search by meaning reads through most slips of a finger; keyword search finds nothing of a word that is one letter off,
and the gate sees one that stands nowhere. So the page offers the question with the nearest words of the course. A word
that the encoder knows whole is taken for a word that was meant ("wage" is no slip for "wave"): its vocabulary of word
pieces stands in for a dictionary, and without token vectors nothing is offered.

The distance is optimal string alignment: letters left out, put in, taken for another, or two neighbours exchanged
(Damerau, *A technique for computer detection and correction of spelling errors*, 1964, found these to be four in five).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from openbook.index.tokens import tokenize
from openbook.retrieval.keyword import KeywordIndex
from openbook.retrieval.passages import collapse
from openbook.retrieval.trace import QueryTerm
from openbook.retrieval.words import as_typed

PREFIX: Final = 2
"""Letters that both words begin with: slips are rare there, and the tab has to load no more of the vocabulary. The last
letter is the same too: words that differ in it are mostly forms of one word."""
SHORTEST: Final = 5
"""Letters; shorter words are one slip from too many others."""
LONG: Final = 8
"""Letters from which on two slips are looked past."""
ABSENT: Final = 3
"""Words that stand nowhere: where so many do, and they are half of the question or more, it is in another language or
about something else, and what one of its words is near to is chance."""
COMMON: Final = 2
"""Chunks that hold a word that is offered: one alone may be a slip of the notes."""

_LETTERS: Final = re.compile(r"[a-z\u00e0-\u024f_]+")

Vocabulary = Callable[[str], Mapping[str, int]]
"""The course's terms that begin with a prefix, with the number of chunks that hold each."""


def respell(question: str, terms: Sequence[QueryTerm], pieces: Sequence[str], vocabulary: Vocabulary) -> str | None:
    """Write a question with the words of the course that its own are nearest to.

    Args:
        question: as it was typed.
        terms: of it, with the number of chunks that hold each.
        pieces: of it, as the encoder read it; one that begins with ``##`` goes on with the word before.
        vocabulary: of the course.

    Returns:
        The question on one line; None when there is nothing to mend.
    """
    absent = {term.term for term in terms if term.title_chunks + term.text_chunks == 0}
    known = {piece for piece, after in zip_longest(pieces, pieces[1:], fillvalue="") if "##" not in piece + after}
    mended = collapse(question)
    words = [(word, tokenize(word)[0]) for word in as_typed(mended)]
    # Whole words: the parts of a misspelt identifier are absent too.
    asked = {whole for _, whole in words} & {term.term for term in terms}
    if len(asked & absent) >= max(ABSENT, len(asked) / 2):
        return None
    for word, whole in words:
        if whole not in absent or known & {whole, word.lower()} or not _LETTERS.fullmatch(whole):
            continue
        meant = nearest(whole, vocabulary(whole[:PREFIX]))
        if meant is not None:
            mended = mended.replace(word, meant, 1)
    return None if mended == collapse(question) else mended


def vocabulary_of(index: KeywordIndex) -> Vocabulary:
    """The terms of an index."""

    def beginning_with(prefix: str) -> dict[str, int]:
        return {
            term: len(title.keys() | text.keys())
            for term, (title, text) in index.postings.items()
            if term.startswith(prefix)
        }

    return beginning_with


def nearest(word: str, vocabulary: Mapping[str, int]) -> str | None:
    """The word of a vocabulary that another is a slip away from, or, when it is long, two.

    Of several the nearest, of these the one in most chunks, of these the first in the order of code points.
    """
    if len(word) < SHORTEST:
        return None
    most = 1 if len(word) < LONG else 2
    found = [
        (distance, -chunks, term)
        for term, chunks in vocabulary.items()
        if term.startswith(word[:PREFIX]) and term[-1] == word[-1] and chunks >= COMMON and _LETTERS.fullmatch(term)
        for distance in (slips(word, term, most),)
        if distance <= most
    ]
    return min(found)[2] if found else None


def slips(first: str, second: str, most: int) -> int:
    """How many slips make one word of another; ``most + 1`` when it is more than ``most``."""
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
