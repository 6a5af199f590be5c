"""What tells two like sentences apart that neither common words nor vectors see: numbers, negations, opposites.

Cheap and by name: a number of the first that does not stand near the second, a word that only one of the two denies,
one of a pair of opposites here and the other there. It is text in, reasons out, and knows nothing of passages.
"""

from __future__ import annotations

import math
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

NUMBER_WORDS: Final = {
    **{word: value for value, word in enumerate(_UNITS, 2)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "twice": 2,
    "dozen": 12,
}
"""Left out are zero, one, first and second, which are written for other things than a number."""

PARTS: Final = {"half": 50, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "tenth": 10}
"""A part is known by what it divides by, so that one in five is a fifth; a half is 50 %."""

DIVISORS: Final = {**PARTS, "half": 2}
MAGNITUDES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}

NEGATIONS: Final = frozenset(["not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "without"])

SCOPE: Final = 2
"""How many of the words behind a "not", stop words aside, it is about."""

SAME_CLAUSE: Final = 0.7
"""Share of a sentence's words of content from which on a clause says the same, or its contrary."""
FEWEST: Final = 3
"""Words of content; of fewer no share tells anything."""

_OPPOSITES = """
more | less fewer; most | least fewest; many | few; much | little; high | low; higher | lower;
highest | lowest; large big | small tiny; larger bigger greater | smaller; largest biggest greatest | smallest;
long | short; longer | shorter; longest | shortest; wide broad | narrow; wider broader | narrower;
fast quick | slow; faster quicker | slower; early | late; earlier | later; good | bad; better | worse;
best | worst; easy | hard difficult; easier | harder; easiest | hardest; cheap | expensive costly;
cheaper | dearer; strong | weak; stronger | weaker; deep | shallow; safe | dangerous unsafe; same | different;
equal | unequal; dependent | independent; known | unknown; valid | invalid; stable | unstable;
possible | impossible; correct true | wrong false incorrect; useful | useless; positive | negative;
necessary required | optional unnecessary; deterministic | random; linear | nonlinear; encrypted | unencrypted;
increase grow rise | decrease shrink fall reduce; before | after; above | below; over | under; upper | lower;
inside | outside; always | never; often usually | rarely seldom; everything | nothing;
everybody everyone | nobody; minimum min | maximum max; minimise minimize | maximise maximize;
keep kept retain preserve | drop discard lose lost remove delete throw thrown; include | exclude;
add | remove subtract; allow permit | forbid prevent; accept | reject; enable | disable; pass | fail;
start begin | end stop; open | close; improve | worsen; help | hurt harm; common frequent | rare scarce uncommon;
cheapest | expensive costly dearest; newest latest | oldest; newer | older; visible | hidden invisible
"""
OPPOSITES: Final = tuple(tuple(frozenset(side.split()) for side in pair.split("|")) for pair in _OPPOSITES.split(";"))

_MAGNITUDE = re.compile(rf"(?:{'|'.join(MAGNITUDES)})s?")
_NUMERAL = re.compile(
    r"(?:(?P<digits>[0-9]+(?:[.,][0-9]+)*)"
    rf"|\b(?P<words>(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_UNITS[:8])})|{'|'.join(NUMBER_WORDS)})\b"
    rf"|\b(?P<part>{'|'.join(PARTS)})s?\b(?: of)?(?: an?)?)"
    rf"(?:[ -]?\b{_MAGNITUDE.pattern}\b)*"
    rf"|\b{_MAGNITUDE.pattern}(?:[ -]{_MAGNITUDE.pattern})*\b",
    re.ASCII,
)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_ENDINGS = (("", ""), ("s", ""), ("es", ""), ("d", ""), ("ed", ""), ("ing", ""), ("ing", "e"))
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_BREAK = re.compile(r"[,.;:()!?\n]")
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
    turned = [
        term
        for term in dict.fromkeys((*denied, *denies))
        if term in terms and term in others and (term in denied) != (term in denies)
    ]
    if not turned and _turned(said, quoted):
        turned = [*denied, *denies][:1]
    objections += [Objection(kind="negation", what=term) for term in turned]
    return [*objections, *_opposites(said, quoted)]


def _turned(said: str, quoted: str) -> bool:
    """Whether nearly all that is said stands in one clause, and only one of the two denies anything.

    So it is seen that "is there already" has turned "does not exist yet" round, of which no word is denied in both.
    """
    terms = _content(said)
    clause = max(_BREAK.split(quoted), key=lambda one: len(terms & _content(one)))
    if len(terms) < FEWEST or len(terms & _content(clause)) < SAME_CLAUSE * len(terms):
        return False
    return _denies(said) not in (_denies(clause), _denies(quoted))


def _content(text: str) -> frozenset[str]:
    return frozenset(tokenize(text)) - STOP_WORDS - NEGATIONS


def _denies(text: str) -> bool:
    return any(word in NEGATIONS or word.endswith("n't") for word in _words(text))


def _opposites(said: str, quoted: str) -> list[Objection]:
    """A word of the one whose opposite the other has, where neither has both."""
    words, others = _forms(said), _forms(quoted)
    found = []
    for first, second in OPPOSITES:
        for one, other in ((first, second), (second, first)):
            if one & words.keys() and not other & words.keys() and other & others.keys() and not one & others.keys():
                pair = words[min(one & words.keys())], others[min(other & others.keys())]
                found.append(Objection(kind="opposite", what=", ".join(pair)))
    return found


def _forms(text: str) -> dict[str, str]:
    """What each word may be a form of, and the word: keep for keeps, drop for dropped."""
    forms: dict[str, str] = {}
    for word in _words(text):
        for ending, instead in _ENDINGS:
            if word.endswith(ending) and len(word) > len(ending) + 2:
                form = word[: len(word) - len(ending)] + instead
                forms.setdefault(form, word)
                if form[-1] == form[-2]:  # dropped
                    forms.setdefault(form[:-1], word)
    return forms


def numbers(text: str) -> list[str]:
    """The numbers of a text in digits, each once, without the commas of thousands; of words what they come to."""
    found: dict[str, None] = {}
    for match in _NUMERAL.finditer(_plain(text)):
        digits, words, part = match["digits"], match["words"], match["part"]
        factors = [MAGNITUDES[word.removesuffix("s")] for word in _MAGNITUDE.findall(match[0])]
        if digits is not None:
            found[_in_digits(digits.replace(",", "" if _THOUSANDS.fullmatch(digits) else "."), factors)] = None
        elif words is not None:
            found[_in_digits(str(sum(NUMBER_WORDS[word] for word in re.split("[ -]", words))), factors)] = None
        elif part is not None and factors:
            found[_in_digits(str(1 / DIVISORS[part]), factors)] = None
        else:
            found[str(PARTS[part]) if part is not None else _in_digits("1", factors)] = None
    return list(found)


def _in_digits(number: str, factors: Sequence[int]) -> str:
    """A number times magnitudes: 1.5 and a million are 1500000."""
    if not factors or not _DECIMAL.fullmatch(number):
        return number
    value = float(number) * math.prod(factors)
    return str(round(value)) if abs(value - round(value)) < 1e-6 * value else str(value)


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
