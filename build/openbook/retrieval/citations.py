"""Citations in what a model writes: ``[2]``, ``[1, 3]``, ``[1-3]``, ``[Passage 2]``.

The one place that says what a citation is; the check, the page, the conversation and its export ask here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LONGEST_RANGE: Final = 20
"""How far a range of numbers is read."""

_CODE_OR_CITATION = re.compile(r"`[^`\n]+`|\[(?:[Pp]assages? )?([0-9]{1,3}(?: ?[,;–-] ?[0-9]{1,3})*)\]")
_LETTER = re.compile(r"[A-Za-z0-9_)]")
_RANGE = re.compile(r" ?[–-] ?")
_LIST = re.compile(r" ?[,;] ?")


@dataclass(frozen=True, slots=True)
class Citation:
    """Numbers in brackets.

    Attributes:
        start, end: offsets in the text, brackets included, in code points.
        numbers: of passages, as written; one may stand there twice.
    """

    start: int
    end: int
    numbers: tuple[int, ...]


def citations(text: str, given: Sequence[int]) -> list[Citation]:
    """The citations in a text, in order; between backticks nothing is one.

    Args:
        text: of an answer, or a sentence of one.
        given: numbers of the passages. Right behind a letter a number in brackets is a citation only if there is such a
            passage; else it is an index, as in ``x[0]``.
    """
    found = [
        Citation(one.start(), one.end(), tuple(_numbers(one[1])))
        for one in _CODE_OR_CITATION.finditer(text)
        if one[1] is not None
    ]
    return [one for one in found if not _attached(text, one) or all(number in given for number in one.numbers)]


def _attached(text: str, one: Citation) -> bool:
    return one.start > 0 and _LETTER.match(text[one.start - 1]) is not None


def _numbers(written: str) -> list[int]:
    numbers: list[int] = []
    for part in _LIST.split(written):
        first, *rest = [int(number) for number in _RANGE.split(part)]
        last = rest[-1] if rest else first
        numbers += range(first, min(last, first + LONGEST_RANGE) + 1) if last > first else [first, *rest]
    return numbers
