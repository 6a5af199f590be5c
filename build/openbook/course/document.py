"""What every reader returns: one tree for notes and decks of any format.

A document is a list of sections in reading order. A section is a heading with the blocks below it up to the next
heading of any level; the tree is in ``level`` (and ``Document.path_of``). A slide is a section too.
Blocks keep what a chunker must know: what kind of thing it is, where it stands in the source, and how it may be cut.
All line numbers are 1-based and inclusive.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Literal

import msgspec

from openbook.errors import BuildWarning

DocumentKind = Literal["notes", "slides"]
BlockKind = Literal[
    "paragraph",
    "list",
    "code",
    "math",
    "table",
    "figure",
    "admonition",
    "quote",
    "definition-list",
    "footnote",
    "speaker-notes",
]


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One block of a section.

    Attributes:
        kind: what it is; a chunker cuts each kind in its own way.
        text: plain text as a reader sees it: no markup, code and TeX verbatim, tables as ``a | b`` lines,
            lists with their markers and indentation.
        start_line, end_line: lines of the source that it came from.
        language: of a code block, as its info string says, or "".
        title: of an admonition; also a code block's or table's caption.
        header: of a table, the lines (column names) that each part must repeat.
        parts: the smallest pieces, in order, between which the block may be cut: a list's top-level items, a table's
            rows, a code block's blank-line groups, a paragraph's sentences. Joined by ``joiner`` they give back
            ``text`` (for a table: the rows without the header). Empty for a block that is never cut.
        joiner: what stands between two parts.
        part_lines: (start, end) lines of the source of each part; empty when not known better than for the block.
        children: the blocks inside an admonition or quote; ``text`` then holds all of theirs.
        picture: of a figure whose picture is held in the source itself, its name in ``Reading.pictures``, or "".
    """

    kind: BlockKind
    text: str
    start_line: int
    end_line: int
    language: str = ""
    title: str = ""
    header: str = ""
    parts: tuple[str, ...] = ()
    joiner: str = "\n"
    part_lines: tuple[tuple[int, int], ...] = ()
    children: tuple[Block, ...] = ()
    picture: str = ""


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A heading and what stands below it; or one slide.

    Attributes:
        level: 1–6; 0 for text that stands before any heading, and for a slide without one.
        title: plain text of the heading; for level 0 the document's title, or "Slide 3".
        anchor: id of the heading in the rendered page, unique in its document, never empty.
        blocks: in reading order, without the heading itself.
        slide: 1-based number when the section is a slide, else None. A slide's presenter notes are its blocks of
            kind ``speaker-notes``.
    """

    level: int
    title: str
    anchor: str
    blocks: tuple[Block, ...]
    start_line: int
    end_line: int
    slide: int | None = None


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One source file, read.

    Attributes:
        lecture: id of the lecture that it belongs to.
        kind: notes or slides.
        title: from front matter, else the first heading (see ``markdown.Parsed.title``), else the file's name.
        source: path relative to the course's root, with forward slashes.
        url: of the rendered page, relative to the site's root, not percent-encoded.
        sections: in reading order.
        warnings: what the reader noticed.
    """

    lecture: str
    kind: DocumentKind
    title: str
    source: str
    url: str
    sections: tuple[Section, ...]
    release: date | None = None
    tags: tuple[str, ...] = ()
    warnings: tuple[BuildWarning, ...] = ()

    def paths(self) -> Iterator[tuple[Section, tuple[str, ...]]]:
        """Yield each section with its heading path: the document's title, then each heading above it, then its own.

        The document's title is not repeated when the section is the level-1 heading of the same text.
        """
        stack: list[tuple[int, str]] = []
        for section in self.sections:
            # a slide without a heading ends nothing
            while stack and stack[-1][0] >= section.level and (section.level or section.slide is None):
                stack.pop()
            above = [title for _, title in stack]
            path = [self.title, *above]
            if section.level > 0 or section.slide is not None:
                path.append(section.title)
            if section.level > 0:
                stack.append((section.level, section.title))
            if len(path) > 1 and path[1] == path[0]:
                del path[1]
            yield section, tuple(path)
