"""Lists as text, with their markers and the indentation that they have in the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from openbook.course.document import Block
from openbook.course.markdown.tables import matching

_BEFORE_MARKER = re.compile(r"[\s>]*")


class Item(NamedTuple):
    """One top-level item of a list: its text, nested lists and all, and its lines in the source."""

    text: str
    start_line: int
    end_line: int


class _Marker(NamedTuple):
    text: str
    column: int
    content: int


def list_items(
    inner: list[Token],
    lines: Sequence[str],
    read: Callable[[list[Token]], list[Block]],
    read_text: Callable[[Token], str],
) -> list[Item]:
    """Return the items of a list.

    Args:
        inner: the tokens between the list's opening and closing ones.
        lines: of the source.
        read: reads blocks that are neither paragraphs nor lists.
        read_text: reads an inline token.
    """
    return _Lists(lines, read, read_text).items(inner, None)


class _Lists:
    def __init__(
        self,
        lines: Sequence[str],
        read: Callable[[list[Token]], list[Block]],
        read_text: Callable[[Token], str],
    ) -> None:
        self._lines = lines
        self._read = read
        self._read_text = read_text
        self._base: int | None = None

    def items(self, inner: list[Token], parent: tuple[int, int] | None) -> list[Item]:
        """Return items; ``parent`` is the line of the item that the list is in, and the column of its content."""
        found: list[Item] = []
        index = 0
        while index < len(inner):
            close = matching(inner, index)
            token = inner[index]
            first, end = token.map or [0, 1]
            while end > first + 1 and not self._line(end - 1).strip():
                end -= 1
            marker = self._marker(token, parent)
            text = self._item(inner[index + 1 : close], marker, first)
            found.append(Item(text, first + 1, end))
            index = close + 1
        return found

    def _line(self, number: int) -> str:
        return self._lines[number].expandtabs(4) if number < len(self._lines) else ""

    def _marker(self, token: Token, parent: tuple[int, int] | None) -> _Marker:
        """Find the marker in the source: where it stands, compared with the list's first, and how far its text is."""
        written = (token.info + token.markup) if token.info else token.markup
        first = token.map[0] if token.map else 0
        line = self._line(first)
        before = _BEFORE_MARKER.match(line)
        column = before.end() if before else 0
        fits = line.startswith(written, column) and (parent is None or parent[0] != first)
        if not fits:
            column = parent[1] if parent else 0
            return _Marker(written, column, column + len(written) + 1)
        if self._base is None:
            self._base = column
        behind = line[column + len(written) :]
        gap = len(behind) - len(behind.lstrip())
        gap = gap if behind.strip() and 1 <= gap <= 4 else 1
        column = max(0, column - self._base)
        return _Marker(written, column, column + len(written) + gap)

    def _item(self, inner: list[Token], marker: _Marker, first: int) -> str:
        lines: list[str] = []
        index = 0
        while index < len(inner):
            close = matching(inner, index) if inner[index].nesting == 1 else index
            token = inner[index]
            if token.type == "paragraph_open":
                lines.extend(self._indent(self._read_text(inner[index + 1]).strip(), marker.content))
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                nested = self.items(inner[index + 1 : close], (first, marker.content))
                lines.extend(line for item in nested if item.text for line in item.text.split("\n"))
            else:
                for block in self._read(inner[index : close + 1]):
                    lines.extend(self._indent(block.text, marker.content))
            index = close + 1
        if not lines:
            return ""
        if lines[0][: marker.content].strip():
            # a nested list that is indented less than the text of its item
            return "\n".join([f"{' ' * marker.column}{marker.text}", *lines])
        gap = " " * (marker.content - marker.column - len(marker.text))
        lines[0] = f"{' ' * marker.column}{marker.text}{gap}{lines[0][marker.content :]}"
        return "\n".join(lines)

    @staticmethod
    def _indent(text: str, width: int) -> list[str]:
        return [f"{' ' * width}{line}" if line.strip() else "" for line in text.split("\n")] if text else []
