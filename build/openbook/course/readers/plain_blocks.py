"""Blocks made of plain text, for readers whose source is no Markdown.

Each function returns one block whose ``parts`` and ``text`` agree as ``document.Block`` says, or None when there is
nothing to read in it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from openbook.course.document import Block, BlockKind
from openbook.course.sentences import split_sentences

_SPACES = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r"\n[ \t]+(?=\n)")


def squeeze(text: str) -> str:
    """Return text with runs of white space as one space each, lines trimmed and empty lines dropped."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def paragraph(text: str, line: int, end: int | None = None, kind: BlockKind = "paragraph") -> Block | None:
    r"""Return running text; a forced line break in it is ``\n``."""
    text = squeeze(text)
    if not text:
        return None
    parts = tuple(split_sentences(text))
    return Block(
        kind=kind,
        text=text,
        start_line=line,
        end_line=end or line,
        parts=parts if len(parts) > 1 else (),
        joiner="",
    )


def item_text(marker: str, text: str) -> str:
    """Return a list item: its marker, and its lines behind that in one column."""
    first, _, rest = text.partition("\n")
    return f"{marker} {first}" + ("\n" + textwrap.indent(rest, " " * (len(marker) + 1)) if rest else "")


def list_block(items: Iterable[str], line: int, end: int | None = None) -> Block | None:
    """Return a list of items that carry their markers already."""
    items = tuple(item for item in items if item.strip())
    if not items:
        return None
    return Block(
        kind="list",
        text="\n".join(items),
        start_line=line,
        end_line=end or line,
        parts=items if len(items) > 1 else (),
    )


def code_block(text: str, language: str, line: int, end: int | None = None, caption: str = "") -> Block | None:
    """Return code; its common indentation is taken off."""
    text = textwrap.dedent(text.replace("\u00a0", " ").expandtabs(4))
    text = _BLANK_LINES.sub("\n", text).rstrip().lstrip("\n")
    if not text.strip():
        return None
    groups = ([caption] if caption else []) + text.split("\n\n")
    return Block(
        kind="code",
        text="\n\n".join(groups),
        start_line=line,
        end_line=end or line,
        language=language,
        title=caption,
        parts=tuple(groups),
        joiner="\n\n",
    )


def table_block(
    header: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    line: int,
    end: int | None = None,
    caption: str = "",
) -> Block | None:
    """Return a table of cells; a cell's line breaks become spaces."""
    head = ([caption] if caption else []) + [row for row in map(_row, header) if row]
    body = tuple(row for row in map(_row, rows) if row)
    if not head and not body:
        return None
    return Block(
        kind="table",
        text="\n".join([*head, *body]),
        start_line=line,
        end_line=end or line,
        title=caption,
        header="\n".join(head),
        parts=body,
    )


def _row(cells: Sequence[str]) -> str:
    row = " | ".join(" ".join(cell.split()) for cell in cells)
    return row if row.strip(" |") else ""


def box(kind: BlockKind, title: str, children: Sequence[Block], line: int, end: int | None = None) -> Block | None:
    """Return an admonition or a quote round other blocks."""
    text = "\n\n".join(child.text for child in children)
    whole = f"{title}\n{text}" if title and text else title or text
    if not whole.strip():
        return None
    return Block(kind=kind, text=whole, start_line=line, end_line=end or line, title=title, children=tuple(children))


def whole(kind: BlockKind, text: str, line: int, end: int | None = None) -> Block | None:
    """Return a block that is never cut: a formula, a figure's text, a note."""
    text = text.strip()
    return Block(kind=kind, text=text, start_line=line, end_line=end or line) if text else None
