r"""Where a passage's sentences are: the unit that is quoted, and at whose end a passage may be cut.

A passage is a chunk's plain text. Code, tables and displayed math, which a chunk knows by their lines, are kept whole,
since half of one says nothing. Of the rest each line is a paragraph, an item of a list or a title: it is split into
sentences by rule, and no sentence goes over a line's end.

The rules are written with explicit character sets, and not with ``\w`` or ``\s``, because Python and JavaScript
do not mean the same by those. ``web/src/retrieval/sentences.ts`` is this module in TypeScript, line by line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

import msgspec

from openbook.retrieval.trace import SpanKind, VerbatimLines

SPACE: Final = " \t\n\r\f\v\u00a0\u2028\u2029\u3000"
STOPS: Final = ".!?…"
CJK_STOPS: Final = "。！？"
CLOSERS: Final = "\"'”’»)]}」』）】》*_`"
OPENERS: Final = "\"'“‘«([{「『（【《*_`"

ABBREVIATIONS: Final = frozenset(
    [
        "al", "approx", "bzw", "ca", "cf", "chap", "corp", "d.h", "dept", "dr", "e.g", "eds", "eq", "eqs", "esp", "etc",
        "ff", "fig", "figs", "gen", "gov", "i.e", "ibid", "inc", "jr", "ltd", "mr", "mrs", "ms", "mt", "n.b", "pp",
        "prof", "ref", "refs", "resp", "sect", "sen", "sr", "st", "tab", "u.a", "viz", "vol", "vols", "vs", "z.b",
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    ]
)  # fmt: skip
"""Lower case, without the last stop: a stop behind one of these does not end a sentence."""

NUMBERED: Final = frozenset(["art", "ch", "ed", "max", "min", "no", "nos", "op", "p", "sec", "v"])
"""The same, but words as well: only before a number are they abbreviations."""

TITLE_WORDS: Final = 12

_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?", re.ASCII)


class Span(msgspec.Struct, frozen=True):
    """A sentence, or a block that is kept whole.

    Attributes:
        start, end: offsets in the text, in code points; the span has no space at its ends.
    """

    start: int
    end: int
    kind: SpanKind


def split_sentences(text: str, verbatim: Sequence[VerbatimLines] = ()) -> list[Span]:
    """Return the spans of a text in order. They do not overlap; between them are only spaces and list markers.

    Args:
        text: of a chunk.
        verbatim: its lines that are no prose, in order.
    """
    lines = _lines(text)
    spans: list[Span] = []
    begin = 0
    for first, last, kind in verbatim:
        spans += _prose(text, lines[begin:first])
        trimmed = _trim(text, lines[first][0], lines[last][1])
        if trimmed:
            spans.append(Span(*trimmed, kind))
        begin = last + 1
    return spans + _prose(text, lines[begin:])


def _lines(text: str) -> list[tuple[int, int]]:
    breaks = [position for position, character in enumerate(text) if character == "\n"]
    return list(zip([0, *(position + 1 for position in breaks)], [*breaks, len(text)], strict=True))


def _prose(text: str, lines: Sequence[tuple[int, int]]) -> list[Span]:
    """The sentences of lines that follow each other. A title goes with the first sentence below it."""
    spans: list[Span] = []
    title: int | None = None
    for number, (start, end) in enumerate(lines):
        marker = _ITEM.match(text, start, end)
        found = sentences_in(text, marker.end() if marker else start, end)
        below = lines[number + 1] if number + 1 < len(lines) else None
        if title is not None and found:
            found[0] = Span(title, found[0].end, "sentence")
            title = None
        elif not marker and below and len(found) == 1 and _is_title(text, found[0], below):
            title = found[0].start
            continue
        spans += found
    return spans


def _is_title(text: str, line: Span, below: tuple[int, int]) -> bool:
    """Whether a line is short, no sentence, and stands right above a paragraph."""
    words = text.count(" ", line.start, line.end) + 1
    return (
        words <= TITLE_WORDS
        and not ends_like_a_sentence(text[line.start : line.end])
        and _trim(text, *below) is not None
        and not _ITEM.match(text, *below)
    )


def ends_like_a_sentence(text: str) -> bool:
    """Whether a stop, and perhaps what closes behind it, is the last thing in ``text``."""
    bare = text.rstrip(CLOSERS)
    return bool(bare) and bare[-1] in STOPS + CJK_STOPS


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Leave out the spaces at both ends; None when nothing is left."""
    while start < end and text[start] in SPACE:
        start += 1
    while end > start and text[end - 1] in SPACE:
        end -= 1
    return (start, end) if start < end else None


def sentences_in(text: str, start: int, end: int) -> list[Span]:
    """The sentences between two offsets; a line break there is a space like others."""
    sentences = []
    begin = position = start
    while position < end:
        character = text[position]
        if character in CJK_STOPS or character in STOPS:
            after = position + 1
            while after < end and text[after] in STOPS + CJK_STOPS:
                after += 1
            while after < end and text[after] in CLOSERS:
                after += 1
            if character in CJK_STOPS or _ends(text, begin, position, after, end):
                trimmed = _trim(text, begin, after)
                if trimmed:
                    sentences.append(Span(*trimmed, "sentence"))
                begin = after
            position = after
        else:
            position += 1
    rest = _trim(text, begin, end)
    if rest:
        sentences.append(Span(*rest, "sentence"))
    return sentences


def _ends(text: str, begin: int, stop: int, after: int, end: int) -> bool:
    """Whether the stop at ``stop``, with what closes behind it up to ``after``, ends the sentence of ``begin``."""
    if after >= end:
        return True
    if text[after] not in SPACE:
        return False
    following = after
    while following < end and text[following] in SPACE + OPENERS:
        following += 1
    numbered = following < end and text[following] in "0123456789"
    if text[stop] == "." and _abbreviates(text, begin, stop, numbered):
        return False
    if following >= end or unicodedata.category(text[following]) != "Ll":
        return True
    # A sentence may begin with a name that is written small: `zero_grad` or np.argmax.
    word_end = following
    while word_end < end and text[word_end] not in SPACE:
        word_end += 1
    name = text[following:word_end].rstrip(CLOSERS + STOPS + ",;:")
    return "_" in name or "." in name or "(" in name or text[following - 1] == "`"


def _abbreviates(text: str, begin: int, stop: int, numbered: bool) -> bool:
    """Whether the word before the full stop is an abbreviation, an initial (J. Smith) or a list's number."""
    word = stop
    while word > begin and text[word - 1] not in SPACE + OPENERS + "/-–—":
        word -= 1
    before = text[word:stop]
    if before.lower() in ABBREVIATIONS or (numbered and before.lower() in NUMBERED):
        return True
    if len(before) == 1 and unicodedata.category(before) == "Lu":
        return True
    return word == begin and before.isascii() and before.isdigit()


def utf16_length(text: str) -> int:
    """Length as JavaScript counts it: a character beyond the Basic Multilingual Plane is two."""
    return len(text) + sum(1 for character in text if character > "\uffff")
