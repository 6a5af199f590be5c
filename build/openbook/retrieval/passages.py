"""Hits → numbered passages: what a reader, a model and the extractive answer are shown.

A passage is a section: a part of it is matched, because a small text has a sharper vector, but the section around it is
what answers. So five numbers stand for five different places; a text that is there twice, such as a slide shown again,
is taken once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from openbook.retrieval.collection import ChunkRef, SearchIndex
from openbook.retrieval.sentences import SPACE, split_sentences
from openbook.retrieval.trace import Passage, RerankHit, VerbatimLines

ELLIPSIS: Final = "…"

CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Kana, Han and Hangul, as a character class: written without spaces, or in far longer words."""

_WORD = re.compile(f"[{CJK}]|[^{SPACE}{CJK}]+")
_SPACES = re.compile(f"[{SPACE}]+")
_LEAST_OVERLAP: Final = 20

NEIGHBOURS: Final = 3
"""How many parts on either side of the matched one are read with it; few sections have more."""


class PassagePart(msgspec.Struct, frozen=True):
    """A chunk of a passage: its ordinal, the number of the part in its section, its text and the lines not of prose."""

    ordinal: int
    part: int
    text: str
    verbatim: tuple[VerbatimLines, ...] = ()


class PassageTexts(msgspec.Struct, frozen=True):
    """A passage and the texts of its chunks, in reading order.

    Attributes:
        relevance: MaxSim of its best chunk; None where there was no late interaction.
    """

    passage: Passage
    parts: tuple[PassagePart, ...]
    relevance: float | None = None


def select_passages(index: SearchIndex, hits: Sequence[RerankHit], count: int) -> list[PassageTexts]:
    """Walk the ranking until ``count`` sections are found.

    Args:
        index: gives chunks and texts.
        hits: best first.
        count: how many passages are wanted; fewer come when the hits run out.

    Returns:
        The passages, numbered from 1 in the order of their best hit.
    """
    best: dict[tuple[str, str, str], RerankHit] = {}
    seen: set[str] = set()
    for hit in hits:
        if len(best) == count:
            break
        chunk = index.chunk(hit.ordinal)
        key = (chunk.lecture, chunk.kind, chunk.anchor)
        if key in best:
            continue
        text = index.passages([hit.ordinal])[0].text
        if text not in seen:
            seen.add(text)
            best[key] = hit
    return [_passage(index, number, hit.ordinal, hit.late_interaction) for number, hit in enumerate(best.values(), 1)]


def _passage(index: SearchIndex, number: int, ordinal: int, relevance: float | None) -> PassageTexts:
    best = index.chunk(ordinal)
    ordinals = section_ordinals(index, ordinal)
    parts = tuple(
        PassagePart(one, index.chunk(one).part, found.text, found.verbatim)
        for one, found in zip(ordinals, index.passages(ordinals), strict=True)
    )
    passage = Passage(
        number=number,
        ordinal=ordinal,
        ordinals=tuple(ordinals),
        id=best.id,
        label=label(best),
        lecture=best.lecture,
        kind=best.kind,
        path=best.path,
        url=best.url,
        text=join_parts((part.part, part.text) for part in parts),
    )
    return PassageTexts(passage, parts, relevance)


def section_ordinals(index: SearchIndex, ordinal: int) -> list[int]:
    """The chunk and the parts of its section around it, in reading order.

    Ids are in order, so a section's parts stand close together, though other sections' may stand between them
    (``#gap``, ``#gap-year``, ``#gap~2``): a look through the lecture's own chunks finds all.
    """
    best = index.chunk(ordinal)

    def near(step: int) -> list[int]:
        found = []
        one = ordinal + step
        while 0 <= one < index.size:
            chunk = index.chunk(one)
            if (chunk.lecture, chunk.kind) != (best.lecture, best.kind):
                break
            if chunk.anchor == best.anchor and abs(chunk.part - best.part) <= NEIGHBOURS:
                found.append(one)
            one += step
        return found

    around = [ordinal] if best.parts == 1 else [*near(-1), ordinal, *near(1)]
    return sorted(around, key=lambda one: index.chunk(one).part)


def label(chunk: ChunkRef) -> str:
    """Name a chunk's lecture and section in one line; a page of a site is a lecture that nobody counts, number 0."""
    place = f"Lecture {chunk.lecture_number}, {chunk.kind}: " if chunk.lecture_number else ""
    return collapse(place + " / ".join(chunk.path))


def collapse(text: str) -> str:
    """Make every run of spaces and line ends one space, so that the text is a single line."""
    return _SPACES.sub(" ", text).strip(" ")


def join_parts(parts: Iterable[tuple[int, str]]) -> str:
    """Join parts of a section in reading order; neighbours that overlap are not repeated, a gap shows as "…"."""
    joined = ""
    before: int | None = None
    for number, text in parts:
        if before is None:
            joined = text
        elif number == before + 1:
            joined = _join(joined, text)
        else:
            joined = f"{joined}\n\n{ELLIPSIS}\n\n{text}"
        before = number
    return joined


def _join(first: str, second: str) -> str:
    for length in range(min(len(first), len(second)), _LEAST_OVERLAP - 1, -1):
        if first.endswith(second[:length]):
            return first + second[length:]
    return f"{first}\n\n{second}"


def count_words(text: str) -> int:
    """Count words; a Chinese, Japanese or Korean character counts as one, which is about what it costs a model."""
    return sum(1 for _ in _WORD.finditer(text))


def cut(text: str, verbatim: Sequence[VerbatimLines], words: int) -> str:
    """Return at most ``words`` words from the beginning of ``text``, with "…" where something was left out.

    The cut is at the end of a sentence, or of a line of code, unless that would lose more than half of the budget.
    """
    ends = [match.end() for match in _WORD.finditer(text)]
    if len(ends) <= words:
        return text
    limit = ends[words - 1]
    least = ends[(words - 1) // 2]
    best = max((end for end in _ends(text, verbatim) if least <= end <= limit), default=limit)
    return f"{text[:best]} {ELLIPSIS}"


def _ends(text: str, verbatim: Sequence[VerbatimLines]) -> list[int]:
    ends = []
    for span in split_sentences(text, verbatim):
        if span.kind != "sentence":
            line = text.find("\n", span.start, span.end)
            while line >= 0:
                ends.append(line)
                line = text.find("\n", line + 1, span.end)
        ends.append(span.end)
    return ends
