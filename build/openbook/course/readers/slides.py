"""Decks that come down to Markdown: slides of tokens → sections. What cuts a source into slides is its format's."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it.token import Token

from openbook.course.document import Block, Section
from openbook.course.markdown import Parsed, parse
from openbook.course.markdown.blocks import BlockReader
from openbook.course.readers.sections import footnote_refs, footnotes, label_titles, split_footnotes

_MARKED = re.compile(r"[*_`<~]|\]\(|^[ \t]*[#>]", re.MULTILINE)


@dataclass(slots=True)
class Slide:
    """One slide.

    Attributes:
        number: 1-based, as the deck counts them.
        tokens: what stands on it, presenter notes taken out.
        start_line, end_line: lines of the source, 1-based and inclusive.
        anchor: id of the slide: that of its first heading, else ``slide-N``.
        title: text of its first heading, else "Slide N".
        level: of that heading, 0 without one.
        notes: presenter notes, as (text, start line, end line).
        directives: Marp's directives in comments on this slide, such as ``_class``.
    """

    number: int
    tokens: list[Token]
    start_line: int
    end_line: int
    anchor: str = ""
    title: str = ""
    level: int = 0
    notes: list[tuple[str, int, int]] = field(default_factory=list)
    directives: dict[str, Any] = field(default_factory=dict)


def slide_sections(slides: Sequence[Slide], parsed: Parsed) -> tuple[Section, ...]:
    """Return the sections of a deck: one a slide, its presenter notes as its last blocks.

    Args:
        slides: of the deck; ``set_title`` has been called for each.
        parsed: the source that their tokens came from.
    """
    reader = BlockReader(parsed.lines, label_titles(parsed))
    _, footnote_tokens = split_footnotes(parsed.tokens)
    seen: set[int] = set()
    sections = []
    for slide in slides:
        blocks = reader.read(_without_title(slide))
        blocks += footnotes(reader, footnote_tokens, footnote_refs(slide.tokens), seen)
        blocks += [
            Block(kind="speaker-notes", text=said, start_line=start, end_line=end)
            for text, start, end in slide.notes
            if (said := _plain(text))
        ]
        sections.append(
            Section(
                level=slide.level,
                title=slide.title,
                anchor=slide.anchor,
                blocks=tuple(blocks),
                start_line=slide.start_line,
                end_line=slide.end_line,
                slide=slide.number,
            )
        )
    return tuple(sections)


def _plain(notes: str) -> str:
    """Return presenter notes, which are Markdown too, as a reader sees them."""
    if not _MARKED.search(notes):
        return notes
    blocks = BlockReader(notes.split("\n")).read(parse(notes).tokens)
    return "\n\n".join(block.text for block in blocks)


def _without_title(slide: Slide) -> list[Token]:
    index = _title_index(slide.tokens)
    return slide.tokens if index is None else slide.tokens[:index] + slide.tokens[index + 3 :]


def _title_index(tokens: list[Token]) -> int | None:
    headings = [index for index, token in enumerate(tokens) if token.type == "heading_open" and token.meta["title"]]
    return next((index for index in headings if tokens[index].level == 0), headings[0] if headings else None)


def set_title(slide: Slide, taken: Container[str]) -> None:
    """Give a slide the title, level and anchor of its first heading, or else "Slide N" and ``slide-N``.

    Args:
        slide: to be changed.
        taken: ids that the deck uses already.
    """
    index = _title_index(slide.tokens)
    if index is not None:
        heading = slide.tokens[index]
        slide.title, slide.anchor, slide.level = heading.meta["title"], str(heading.attrs["id"]), int(heading.tag[1])
        return
    slide.title = f"Slide {slide.number}"
    slide.anchor = f"slide-{slide.number}"
    while slide.anchor in taken:
        slide.anchor += "-1"
