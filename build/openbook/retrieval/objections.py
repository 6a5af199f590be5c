"""What tells two like sentences apart that neither common words nor vectors see: numbers, negations, opposites.

Cheap and by name: a number of the first that does not stand near the second, a word that only one of the two denies,
one of a pair of opposites here and the other there. It is text in, reasons out, and knows nothing of passages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openbook.index.tokens import tokenize
from openbook.retrieval.keyword import STOP_WORDS
from openbook.retrieval.trace import Objection

_UNITS = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_PARTS = {"third": "3", "quarter": "4", "fifth": "5", "sixth": "6", "tenth": "10"}

NUMBER_WORDS: Final = {
    **{word: str(value) for value, word in enumerate(_UNITS, 2)},
    **{word: str(10 * value) for value, word in enumerate(_TENS, 2)},
    **_PARTS,
}
"""Left out are zero, one, first and second, which are written for other things than a number."""

NEGATIONS: Final = frozenset(["not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "without"])

SCOPE: Final = 2
"""How many of the words behind a "not", stop words aside, it is about."""

OPPOSITES: Final = (
    ("more", "less"), ("more", "fewer"), ("higher", "lower"), ("high", "low"), ("larger", "smaller"),
    ("increase", "decrease"), ("increases", "decreases"), ("before", "after"), ("above", "below"), ("always", "never"),
    ("faster", "slower"), ("longer", "shorter"), ("over", "under"), ("rises", "falls"), ("upper", "lower"),
    ("wide", "narrow"), ("increasing", "decreasing"), ("better", "worse"),
)  # fmt: skip

_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_WORD_OR_BREAK = re.compile(r"(?P<end>[,.;:()!?\n])|[a-z0-9_]+(?:'[a-z]+)?")


def object_to(said: str, quoted: str, around: str) -> list[Objection]:
    """What speaks against ``said`` being supported by ``quoted``.

    Args:
        said: a sentence of an answer, without its citations.
        quoted: the sentence of a passage that is most like it.
        around: that sentence with its neighbours and headings; a number may stand in any of them.
    """
    there = numbers(around)
    objections = [Objection(kind="number", what=number) for number in numbers(said) if not _stands(number, there)]
    terms, others = frozenset(tokenize(said)), frozenset(tokenize(quoted))
    denied, denies = _denied(said), _denied(quoted)
    objections += [
        Objection(kind="negation", what=term)
        for term in dict.fromkeys((*denied, *denies))
        if term in terms and term in others and (term in denied) != (term in denies)
    ]
    words, their_words = _words(said), _words(quoted)
    for first, second in OPPOSITES:
        for one, other in ((first, second), (second, first)):
            if one in words and other not in words and other in their_words and one not in their_words:
                objections.append(Objection(kind="opposite", what=f"{one}, {other}"))
    return objections


def numbers(text: str) -> list[str]:
    """The numbers of a text in digits, each once, without the commas of thousands."""
    found: dict[str, None] = {}
    for match in _NUMBER.finditer(text):
        written = match[0]
        found[written.replace(",", "" if _THOUSANDS.fullmatch(written) else ".")] = None
    for word in _words(text):
        if word in NUMBER_WORDS:
            found[NUMBER_WORDS[word]] = None
    return list(found)


def _stands(number: str, there: Sequence[str]) -> bool:
    """Whether a number is among others: as it is, as a share for a percentage or the reverse, or rounded."""
    if number in there:
        return True
    if not _DECIMAL.fullmatch(number):
        return False
    value = float(number)
    digits = _digits(number)
    for other in there:
        if not _DECIMAL.fullmatch(other):
            continue
        known = float(other)
        if abs(known - value) < 1e-9 or abs(known * 100 - value) < 1e-9 or abs(known - value * 100) < 1e-9:
            return True
        rounded = len(number.replace(".", "")) > 1 and _digits(other) > digits
        if rounded and abs(known - value) <= 0.5 / 10**digits:
            return True
    return False


def _digits(number: str) -> int:
    return len(number.partition(".")[2])


def _denied(text: str) -> list[str]:
    """The terms that a negation is about: the next ``SCOPE`` in its clause that are no stop words."""
    denied: list[str] = []
    left = 0
    for match in _WORD_OR_BREAK.finditer(_plain(text)):
        word = match[0]
        if match["end"]:
            left = 0
        elif word in NEGATIONS or word.endswith("n't"):
            left = SCOPE
        elif left > 0:
            found = [term for term in tokenize(word) if term not in STOP_WORDS]
            denied += found
            left -= 1 if found else 0
    return denied


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))


def _plain(text: str) -> str:
    return text.replace("’", "'").lower()
