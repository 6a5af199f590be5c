"""Tables that Pandoc has beside the pipe table: grids, and columns under dashes with rows of one line or of several.

They become ordinary table tokens. What looks like one and is none stays text; no word of a cell is cut or lost.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from openbook.course.markdown.tables import table_tokens

_GRID = re.compile(r" {0,3}\+(?:[-=:]+\+)+ *$")
_GRID_LINE = re.compile(r" {0,3}[+|].*[+|] *$")
_COLUMNS = re.compile(r" *-+(?: +-+)+ *$")
_DASHES = re.compile(r" {0,3}-{3,} *$")
_RULES = re.compile(r"[-=:+|\s]*$")
_LONGEST_HEAD = 10
_LONGEST_TABLE = 1000
_TERMINATES: RuleOptionsType = {"alt": []}


class _Row(NamedTuple):
    cells: list[str]
    start: int
    end: int


def pandoc_tables_plugin(md: MarkdownIt) -> None:
    """Add the rules of this module."""
    md.block.ruler.before("table", "grid_table", grid_table, _TERMINATES)
    md.block.ruler.before("table", "dash_table", dash_table, _TERMINATES)


def grid_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table drawn with ``+``, ``-`` and ``|``; the rows above ``+===+`` are its head."""
    first = _line(state, start)
    if not _GRID.match(first):
        return False
    stop = start + 1
    while stop < end and _GRID_LINE.match(_line(state, stop)):
        stop += 1
    lines = [_line(state, number) for number in range(start, stop)]
    if len(lines) < 3 or not _GRID.match(lines[-1]):
        return False
    marks = [at for at, char in enumerate(first) if char == "+"]
    rows: list[_Row] = []
    head = 0
    begin = start + 1
    for number, line in enumerate(lines[1:], start + 1):
        if not _GRID.match(line):
            continue
        cells = [_grid_cells(text, marks) for text in lines[begin - start : number - start]]
        if cells:
            rows.append(_Row([_joined(column) for column in zip(*cells, strict=True)], begin, number))
        if "=" in line and not head:
            head = len(rows)
        begin = number + 1
    return _finish(state, silent, start, stop, rows, head)


def _grid_cells(line: str, marks: Sequence[int]) -> list[str]:
    """Return the parts of a line between its bars; where wide letters moved those, they are what they are."""
    if all(at < len(line) and line[at] in "|+" for at in marks):
        parts = [line[left + 1 : right] for left, right in itertools.pairwise(marks)]
    else:
        parts = line.strip()[1:-1].split("|")
    parts += [""] * (len(marks) - 1 - len(parts))
    width = len(marks) - 1
    parts[width - 1 :] = [" ".join(parts[width - 1 :])]
    return ["" if _RULES.match(part) else part.strip(" |+") for part in parts]


def dash_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Columns under dashes: with a head or between two lines of dashes, with rows of one line or of several."""
    first = _line(state, start)
    if start + 1 >= end or not first.strip():
        return False
    limit = min(end, start + _LONGEST_TABLE)
    dashes = _head_end(state, start, end, first)
    if dashes < 0:
        return False
    columns = [match.start() for match in re.finditer(r"-+", _line(state, dashes))]
    framed = dashes == start or _DASHES.match(first) is not None
    close = _close(state, dashes, limit, framed, headless=dashes == start)
    if close < 0:
        return False
    body = range(dashes + 1, close)
    several = framed and any(not _line(state, number).strip() for number in body)
    groups = _groups(state, body) if several else [[number] for number in body if _line(state, number).strip()]
    head_lines = list(range(start + (dashes != start and framed), dashes))
    rows = [_dash_row(state, group, columns) for group in ([head_lines] if head_lines else []) + groups]
    stop = close + (close < end and _line(state, close).strip() != "")
    return bool(groups) and _finish(state, silent, start, stop, rows, 1 if head_lines else 0)


def _head_end(state: StateBlock, start: int, end: int, first: str) -> int:
    """Return the line of dashes that says where the columns are, or -1."""
    if _COLUMNS.match(first):
        return start
    if not _DASHES.match(first):
        return start + 1 if _COLUMNS.match(_line(state, start + 1)) else -1
    for number in range(start + 1, min(end, start + _LONGEST_HEAD)):
        line = _line(state, number)
        if not line.strip():
            return -1
        if number > start + 1 and _COLUMNS.match(line):
            return number
    return -1


def _close(state: StateBlock, dashes: int, limit: int, framed: bool, *, headless: bool) -> int:
    """Return the line that ends a table, or -1: one of dashes when it is framed, else an empty one or the last."""
    for number in range(dashes + 1, limit):
        line = _line(state, number)
        if not line.strip():
            if not framed:
                return number
            continue
        closing = _COLUMNS.match(line) if headless else _DASHES.match(line) or _COLUMNS.match(line)
        if closing and (number + 1 >= limit or not _line(state, number + 1).strip()):
            return number
        if line.lstrip().startswith("#"):
            return -1
    return -1 if framed else limit


def _groups(state: StateBlock, body: range) -> list[list[int]]:
    groups: list[list[int]] = [[]]
    for number in body:
        if _line(state, number).strip():
            groups[-1].append(number)
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def _dash_row(state: StateBlock, numbers: Sequence[int], columns: Sequence[int]) -> _Row:
    cells = [_dash_cells(_line(state, number), columns) for number in numbers]
    return _Row([_joined(column) for column in zip(*cells, strict=True)], numbers[0], numbers[-1] + 1)


def _dash_cells(line: str, columns: Sequence[int]) -> list[str]:
    cuts = [0]
    for at in columns[1:]:
        # a word that begins before its column is not cut
        while cuts[-1] < at < len(line) and line[at - 1] != " " and line[at] != " ":
            at -= 1
        cuts.append(at)
    return [line[left:right].strip() for left, right in zip(cuts, [*cuts[1:], len(line)], strict=True)]


def _joined(parts: Sequence[str]) -> str:
    return "\n".join(part for part in parts if part)


def _line(state: StateBlock, number: int) -> str:
    return state.getLines(number, number + 1, state.blkIndent, False).expandtabs(4).rstrip()


def _finish(state: StateBlock, silent: bool, start: int, stop: int, rows: Sequence[_Row], head: int) -> bool:
    if not rows:
        return False
    if silent:
        return True
    state.line = stop
    near = Token("table", "", 0, map=[start, stop])
    cells = [
        [
            [Token("inline", "", 0, content=cell, map=[row.start, row.end], children=[], block=True)]
            for cell in row.cells
        ]
        for row in rows
    ]
    state.tokens.extend(table_tokens(cells, head, near))
    return True
