"""Cutting: blocks → pieces that fit, pieces → parts of even size.

A block that fits is one piece and stays whole. One that does not is cut at its own seams: an admonition or a quote
between the blocks in it, a table between rows (each part repeats the column names), a list between items, code at
blank lines, a paragraph at sentence ends; what is still too long at its lines, then sentences, then words, and as a
last resort between letters. Nothing is dropped.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from openbook.course.document import Block
from openbook.course.sentences import split_sentences

# what it costs to begin a part before a piece, against the squared share of the budget that parts fill
BETWEEN_BLOCKS = 0.0
BEFORE_HEADING = -0.1
INSIDE_BLOCK = 0.15
AFTER_COLON = 0.3
BETWEEN_CODES = 0.15
BETWEEN_LINES = 0.3
INDENTED = 0.02
INSIDE_LINE = 0.5
AFTER_HEADING = 5.0

UNLIMITED = sys.maxsize

# a run of letters without white space counts as one word for each so many of them: a picture in base64 is not one word
LETTERS_A_WORD = 100


Verbatim = tuple[int, int, Literal["code", "table", "math"]]
"""First and last line of a text, counted from 0, and what stands there instead of prose."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The least that is moved between parts.

    Attributes:
        text: of the piece.
        separator: what stands before it when it does not begin a part.
        start_line, end_line: lines of the source.
        cut: what it costs to begin a part with it.
        header: what a part repeats when it begins with this piece: the column names of a table.
        aside: True for a footnote, whose lines are not those of the text around it.
        verbatim: lines of ``text`` that are no prose: first and last line, counted from 0, and the kind of block.
        continues: whether it goes on with the block of the piece before it.
    """

    text: str
    separator: str
    start_line: int
    end_line: int
    cut: float = BETWEEN_BLOCKS
    header: str = ""
    aside: bool = False
    verbatim: tuple[Verbatim, ...] = ()
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a part may hold.

    Attributes:
        tokens: word pieces, the heading path and special tokens already taken off.
        words: as ``weigh_words`` counts them.
        count: word pieces of a text, special tokens not counted.
    """

    tokens: int
    words: int
    count: Callable[[str], int]

    def fits(self, text: str) -> bool:
        """Tell whether a text may be a part of its own."""
        if self.tokens >= UNLIMITED:
            return True
        return weigh_words(text) <= self.words and self.count(text) <= self.tokens

    def less(self, text: str) -> Budget:
        """Return the budget that is left beside a text."""
        return replace(self, tokens=self.tokens - self.count(text), words=self.words - weigh_words(text))


def weigh_words(text: str) -> int:
    """Count words, a very long one as several."""
    return sum(math.ceil(len(word) / LETTERS_A_WORD) for word in text.split())


def cut_block(block: Block, budget: Budget) -> list[Piece]:
    """Cut a block into pieces that each fit the budget; a block that fits is one piece."""
    if budget.fits(block.text):
        pieces = [Piece(block.text, "\n\n", block.start_line, block.end_line, verbatim=_inner_verbatim(block))]
    elif block.children:
        pieces = list(_cut_children(block, budget))
    elif block.kind == "table":
        pieces = list(_cut_table(block, budget))
    elif block.parts:
        pieces = list(_cut_parts(block, budget))
    else:
        pieces = list(_refine(block.text, block.start_line, block.end_line, budget, exact=False))
    if block.kind in ("code", "table", "math"):
        pieces = [
            replace(piece, verbatim=((0, piece.text.count("\n"), block.kind),), continues=index > 0)
            for index, piece in enumerate(pieces)
        ]
    pieces[0] = replace(pieces[0], separator="\n\n", cut=BETWEEN_BLOCKS)
    return [replace(piece, aside=True) for piece in pieces] if block.kind == "footnote" else pieces


def _inner_verbatim(block: Block) -> tuple[Verbatim, ...]:
    """Where code, tables and formulas stand in the text of a box, which its children make up in order."""
    found: list[Verbatim] = []
    position = 0
    for child in block.children:
        start = block.text.find(child.text, position) if child.text else -1
        if start < 0:
            continue
        position = start + len(child.text)
        line = block.text.count("\n", 0, start)
        if child.kind in ("code", "table", "math"):
            found.append((line, line + child.text.count("\n"), child.kind))
        else:
            found += [(line + first, line + last, kind) for first, last, kind in _inner_verbatim(child)]
    return tuple(found)


def _cut_children(block: Block, budget: Budget) -> Iterator[Piece]:
    if block.title:
        yield from _refine(block.title, block.start_line, block.start_line, budget, exact=False)
    for number, child in enumerate(block.children):
        pieces = cut_block(child, budget)
        if number == 0 and block.title:
            pieces[0] = replace(pieces[0], separator="\n", cut=AFTER_HEADING)
        yield from pieces


def _cut_table(block: Block, budget: Budget) -> Iterator[Piece]:
    header = block.header
    rest = budget.less(header + "\n") if header else budget
    repeated = header if rest.tokens >= budget.tokens // 2 and rest.words >= budget.words // 2 else ""
    if header:
        yield from _refine(header, block.start_line, block.start_line, budget, exact=False)
    for number, row in enumerate(block.parts):
        start, end = block.part_lines[number] if block.part_lines else (block.start_line, block.end_line)
        for index, piece in enumerate(_refine(row, start, end, rest if repeated else budget, exact=False)):
            cut = piece.cut if index else (AFTER_HEADING if number == 0 and header else INSIDE_BLOCK)
            # the first row follows the header itself
            own = repeated if number or index else ""
            yield replace(piece, separator=piece.separator if index else "\n", cut=cut, header=own)


def _cut_parts(block: Block, budget: Budget) -> Iterator[Piece]:
    separator = block.joiner
    for number, part in enumerate(block.parts):
        start, end = block.part_lines[number] if block.part_lines else (block.start_line, block.end_line)
        text = part.rstrip() if not block.joiner else part
        for index, piece in enumerate(_refine(text, start, end, budget, exact=block.kind == "code")):
            yield replace(
                piece, separator=piece.separator if index else separator, cut=piece.cut if index else INSIDE_BLOCK
            )
        separator = block.joiner or part[len(text) :]


def _refine(text: str, start: int, end: int, budget: Budget, *, exact: bool) -> Iterator[Piece]:
    """Cut a text at lines, sentences, words, letters, no finer than it must be.

    Args:
        text: to be cut.
        start: its first line in the source.
        end: its last line.
        budget: that each piece must fit.
        exact: whether each line of the text is a line of the source.
    """
    if budget.fits(text):
        yield Piece(text, "\n", start, end, INSIDE_BLOCK)
        return
    if "\n" in text:
        yield from _refine_lines(text, start, end, budget, exact=exact)
        return
    units, cut = split_sentences(text), INSIDE_BLOCK
    if len(units) < 2:
        units, cut = _word_groups(text, budget), INSIDE_LINE
    if len(units) < 2:
        for run in _runs(text, budget):
            yield Piece(run, "", start, end, INSIDE_LINE)
        return
    separator = ""
    for unit in units:
        stripped = unit.rstrip()
        for index, piece in enumerate(_refine(stripped, start, end, budget, exact=exact)):
            yield piece if index else replace(piece, separator=separator, cut=cut)
        separator = unit[len(stripped) :]


def _word_groups(text: str, budget: Budget) -> list[str]:
    """Split a text at white space into groups of words, few enough in a part to keep parts even."""
    words = re.findall(r"\s*\S+\s*", text)
    size = max(1, min(budget.tokens, budget.words) // 16)
    return (
        ["".join(words[start : start + size]) for start in range(0, len(words), size)] if len(words) > size else words
    )


def _refine_lines(text: str, start: int, end: int, budget: Budget, *, exact: bool) -> Iterator[Piece]:
    separator = ""
    for number, line in enumerate(text.split("\n")):
        first, last = (min(start + number, end), min(start + number, end)) if exact else (start, end)
        if line.strip():
            for index, piece in enumerate(_refine(line, first, last, budget, exact=exact)):
                cut = BETWEEN_LINES + INDENTED * min(12, len(line) - len(line.lstrip()))
                yield piece if index else replace(piece, separator=separator, cut=cut)
            separator = ""
        separator += "\n"


def _runs(text: str, budget: Budget) -> Iterator[str]:
    """Cut a text without white space into runs of letters that fit, each as long as may be."""
    start = 0
    while start < len(text):
        length = 1
        while start + length < len(text) and budget.fits(text[start : start + 2 * length]):
            length *= 2
        step = length // 2
        while step:
            if start + length < len(text) and budget.fits(text[start : start + length + step]):
                length += step
            step //= 2
        yield text[start : start + length]
        start += length


def partition(pieces: Sequence[Piece], budget: Budget) -> list[list[Piece]]:
    """Divide pieces into as few parts as fit, and among those into the most even ones.

    The sum over parts of the squared share of the budget that each fills, plus what the cuts cost, is minimised by
    dynamic programming.
    """
    tokens = [budget.count(piece.text) for piece in pieces]
    words = [weigh_words(piece.text) for piece in pieces]
    headers = [(budget.count(piece.header), weigh_words(piece.header)) if piece.header else (0, 0) for piece in pieces]
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    for end in range(1, len(pieces) + 1):
        chosen: tuple[int, float, int] | None = None
        sum_tokens = sum_words = 0
        for begin in range(end - 1, -1, -1):
            sum_tokens += tokens[begin]
            sum_words += words[begin]
            if begin < end - 1 and (sum_tokens > budget.tokens or sum_words > budget.words):
                break
            load_tokens, load_words = sum_tokens + headers[begin][0], sum_words + headers[begin][1]
            if begin < end - 1 and (load_tokens > budget.tokens or load_words > budget.words):
                continue
            share = max(load_tokens / max(1, budget.tokens), load_words / max(1, budget.words))
            before = best[begin]
            option = (before[0] + 1, before[1] + share**2 + (pieces[begin].cut if begin else 0.0), begin)
            if chosen is None or option < chosen:
                chosen = option
        assert chosen is not None
        best.append(chosen)
    parts: list[list[Piece]] = []
    end = len(pieces)
    while end:
        begin = best[end][2]
        parts.append(list(pieces[begin:end]))
        end = begin
    return parts[::-1]


def join(pieces: Sequence[Piece]) -> str:
    """Return the text of a part."""
    first = pieces[0]
    text = f"{first.header}\n{first.text}" if first.header else first.text
    for piece in pieces[1:]:
        text += piece.separator + piece.text
    return text.rstrip().lstrip("\n")


def join_verbatim(pieces: Sequence[Piece]) -> tuple[Verbatim, ...]:
    """Return which lines of ``join(pieces)`` are no prose; what was one block in the source is one range."""
    found: list[Verbatim] = []
    text = ""
    for index, piece in enumerate(pieces):
        header = f"{piece.header}\n" if index == 0 and piece.header else ""
        line = (text + (piece.separator if index else "")).count("\n")
        for first, last, kind in piece.verbatim:
            if index and piece.continues and found:
                found[-1] = (found[-1][0], line + last, kind)
            else:
                found.append((line + first, line + last + header.count("\n"), kind))
        text += (piece.separator if index else "") + header + piece.text
    blank = len(text) - len(text.lstrip("\n"))
    end = join(pieces).count("\n")
    return tuple((max(0, first - blank), min(end, last - blank), kind) for first, last, kind in found)
