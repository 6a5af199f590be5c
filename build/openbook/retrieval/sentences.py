r"""Where a passage's sentences are: the unit that is quoted, and at whose end a passage may be cut.

A passage is a chunk's plain text: blocks with an empty line between them. Prose is split into sentences by rule, a list
into its items; code, tables and displayed math are kept whole, since half of one says nothing. What kind a block is
can be read only from its look, for plain text carries no markup: when in doubt a block is prose.

The rules are written with explicit character sets, and not with ``\w`` or ``\s``, because Python and JavaScript
do not mean the same by those. ``web/src/retrieval/sentences.ts`` is this module in TypeScript, line by line.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import msgspec

from openbook.retrieval.trace import SpanKind

SPACE: Final = " \t\n\r\f\v\u00a0\u2028\u2029\u3000"
STOPS: Final = ".!?…"
CJK_STOPS: Final = "。！？"
CLOSERS: Final = "\"'”’»)]}」』）】》*_`"
OPENERS: Final = "\"'“‘«([{「『（【《*_`"

ABBREVIATIONS: Final = frozenset(
    [
        "al", "approx", "art", "bzw", "ca", "cf", "ch", "chap", "co", "corp", "d.h", "dept", "dr", "e.g", "ed", "eds",
        "eq", "eqs", "esp", "est", "etc", "exp", "ff", "fig", "figs", "ger", "gen", "gov", "i.e", "ibid", "inc", "jr",
        "lat", "lit", "ltd", "max", "min", "mr", "mrs", "ms", "mt", "n.b", "no", "nos", "op", "p", "pp", "prof", "ref",
        "refs", "resp", "rev", "sec", "sect", "sen", "sr", "st", "tab", "u.a", "v", "viz", "vol", "vols", "vs", "z.b",
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    ]
)  # fmt: skip
"""Lower case, without the last stop: a stop behind one of these does not end a sentence."""

_BLANK = re.compile(r"\n[ \t\r]*(?:\n[ \t\r]*)+", re.ASCII)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)]|\[[ xX]\])[ \t]+(?:\[[ xX]\][ \t]+)?", re.ASCII)
_TABLE = re.compile(r"[^|]\|[^|]")
_CODE = re.compile(
    r"^[ \t]*(?:"
    r"(?:import|from|def|class|return|for|while|if|elif|else|try|except|with|assert|raise|print|let|const|var|function)"
    r"\b.*[:;{(\])]$|"
    r"(?:import|from)[ ][a-zA-Z_.]+(?:[ ](?:import|as)[ ].*)?$|"
    r"return[ ].*$|"
    r"(?:SELECT|INSERT|UPDATE|CREATE|DELETE|FROM|WHERE|GROUP BY|ORDER BY|JOIN)[ ].*|"
    r"[a-zA-Z_][a-zA-Z0-9_.,\[\]'\" ]*[ ]?(?:[-+*/|&@]|//)?=[ ]?[^=].*|"
    r"[a-zA-Z_][a-zA-Z0-9_.]*\(.*\)?[;:,{]?|"
    r"(?:\$|>>>|\.\.\.|%|#|//|@|--)[ ]?[^ ].*|"
    r"[\])}{(\[]+[,;]?|"
    r".*[{;\\]$"
    r")[ \t]*$",
    re.ASCII,
)
_MATH = re.compile(
    r"^(?:\$\$|\\\[|\\begin\{)|\\(?:frac|sum|int|mathbf|mathrm|mathbb|left|right|begin|end|cdot|partial|sqrt)\b",
    re.ASCII,
)
_SENTENCE_END = re.compile(r"[.!?:。！？…][\"'”’»)\]]*$")


class Span(msgspec.Struct, frozen=True):
    """A sentence, or a block that is kept whole.

    Attributes:
        start, end: offsets in the text, in code points; the span has no space at its ends.
        block: 0-based number of the block that it stands in.
    """

    start: int
    end: int
    kind: SpanKind
    block: int


def split_sentences(text: str) -> list[Span]:
    """Return the spans of ``text`` in order. They do not overlap; between them are only spaces and list markers."""
    spans: list[Span] = []
    for number, (start, end) in enumerate(_blocks(text)):
        kind = _kind(text[start:end])
        if kind != "sentence":
            spans.append(Span(start, end, kind, number))
            continue
        for item_start, item_end in _items(text, start, end):
            for sentence_start, sentence_end in _sentences(text, item_start, item_end):
                spans.append(Span(sentence_start, sentence_end, "sentence", number))
    return spans


def _blocks(text: str) -> list[tuple[int, int]]:
    blocks = []
    start = 0
    for gap in [*_BLANK.finditer(text), None]:
        end = gap.start() if gap else len(text)
        trimmed = _trim(text, start, end)
        if trimmed:
            blocks.append(trimmed)
        start = gap.end() if gap else end
    return blocks


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Leave out the spaces at both ends; None when nothing is left."""
    while start < end and text[start] in SPACE:
        start += 1
    while end > start and text[end - 1] in SPACE:
        end -= 1
    return (start, end) if start < end else None


def _kind(block: str) -> SpanKind:
    lines = [line for line in block.split("\n") if line.strip(SPACE)]
    if _MATH.search(block) and not any(_SENTENCE_END.search(line.strip(SPACE)) for line in lines):
        return "math"
    if len(lines) > 1 and all(_TABLE.search(line) for line in lines):
        return "table"
    if _ITEM.match(lines[0]):
        return "sentence"
    code = sum(1 for line in lines if _CODE.match(line) or line.startswith(("    ", "\t")))
    prose = sum(1 for line in lines if _SENTENCE_END.search(line.strip(SPACE)) and not _CODE.match(line))
    return "code" if code * 2 > len(lines) and code > prose else "sentence"


def _items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The items of a list block, without their markers; of any other block, the block."""
    items: list[tuple[int, int]] = []
    item = line = start
    while line < end:
        stop = text.find("\n", line, end)
        stop = end if stop < 0 else stop + 1
        marker = _ITEM.match(text[line:stop])
        if marker:
            if line > item:
                items.append((item, line))
            item = line + marker.end()
        line = stop
    items.append((item, end))
    return [trimmed for trimmed in (_trim(text, *span) for span in items) if trimmed]


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
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
                    sentences.append(trimmed)
                begin = after
            position = after
        else:
            position += 1
    rest = _trim(text, begin, end)
    if rest:
        sentences.append(rest)
    return sentences


def _ends(text: str, begin: int, stop: int, after: int, end: int) -> bool:
    """Whether the stop at ``stop``, with what closes behind it up to ``after``, ends the sentence of ``begin``."""
    if after >= end:
        return True
    if text[after] not in SPACE or (text[stop] == "." and _abbreviates(text, begin, stop)):
        return False
    following = after
    while following < end and text[following] in SPACE + OPENERS:
        following += 1
    if following >= end or unicodedata.category(text[following]) != "Ll":
        return True
    # A sentence may begin with a name that is written small: `zero_grad` or np.argmax.
    word_end = following
    while word_end < end and text[word_end] not in SPACE:
        word_end += 1
    name = text[following:word_end].rstrip(CLOSERS + STOPS + ",;:")
    return "_" in name or "." in name or "(" in name or text[following - 1] == "`"


def _abbreviates(text: str, begin: int, stop: int) -> bool:
    """Whether the word before the full stop is an abbreviation, an initial (J. Smith) or a list's number."""
    word = stop
    while word > begin and text[word - 1] not in SPACE + OPENERS + "/-–—":
        word -= 1
    before = text[word:stop]
    if before.lower() in ABBREVIATIONS:
        return True
    if len(before) == 1 and unicodedata.category(before) == "Lu":
        return True
    return word == begin and before.isascii() and before.isdigit()


def utf16_length(text: str) -> int:
    """Length as JavaScript counts it: a character beyond the Basic Multilingual Plane is two."""
    return len(text) + sum(1 for character in text if character > "\uffff")
