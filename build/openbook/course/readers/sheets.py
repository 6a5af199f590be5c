"""Slides of decks that are no Markdown → the sections of a document: named, anchored, each below what it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from openbook.course.anchors import Slugger, slugify
from openbook.course.document import Block, Section
from openbook.errors import BuildWarning

_NAME_LENGTH = 60
_PROSE = ("paragraph", "list", "quote", "admonition", "definition-list", "figure")


@dataclass(slots=True)
class Sheet:
    """One slide, or one page.

    Attributes:
        number: 1-based, as the deck counts them.
        title: as the deck says it; "" when it says none.
        level: 1, or 2 for a slide below the last one of level 1.
        above: names of the deck's own sections that it stands in, outermost first.
        blocks: presenter notes last.
        anchor: wanted for it; "" for one made from the title.
        line, end_line: of the source; in a binary file both are the slide's number.
    """

    number: int
    title: str = ""
    level: int = 1
    above: tuple[str, ...] = ()
    blocks: list[Block] = field(default_factory=list)
    anchor: str = ""
    line: int = 1
    end_line: int = 1


class Deck(NamedTuple):
    """A deck, read.

    Attributes:
        title: that its properties or its first slide give, or "".
        sections: of its document.
        slides: how many it has, hidden and empty ones included.
        warnings: what could not be read.
    """

    title: str
    sections: tuple[Section, ...]
    slides: int
    warnings: tuple[BuildWarning, ...]


def sections_of(sheets: Sequence[Sheet], word: str = "Slide", *, numbered: bool = False) -> tuple[Section, ...]:
    """Return one section a sheet, and one for the name of each of the deck's own sections.

    A sheet without a title is named for the one before it, as a lecturer would say it ("Gradient descent (cont.)"),
    or for its first words; one with neither title nor text gives no section, since there is nothing to find or read.

    Args:
        sheets: in order.
        word: what the deck calls a sheet, for anchors: "Slide" or "Page".
        numbered: whether a sheet without a title is named by its number alone, as the pages of a book are.
    """
    slugger = Slugger(reserved=(sheet.anchor for sheet in sheets if sheet.anchor))
    sections: list[Section] = []
    above: tuple[str, ...] = ()
    previous = ""
    for sheet in sheets:
        if not sheet.title and not sheet.blocks:
            continue
        names = sheet.above
        if names and names != above and names[-1] == sheet.title:
            # the sheet is the section's own title
            names, level = names[:-1], 0
        else:
            level = sheet.level
        shared = 0
        while shared < min(len(names), len(above)) and names[shared] == above[shared]:
            shared += 1
        for depth, name in enumerate(names[shared:], shared + 1):
            anchor = slugger.heading(name)
            sections.append(
                Section(
                    level=min(depth, 6),
                    title=name,
                    anchor=anchor,
                    blocks=(),
                    start_line=sheet.line,
                    end_line=sheet.line,
                )
            )
        above = sheet.above
        title = sheet.title
        if not title and not numbered:
            title = f"{previous} (cont.)" if previous else first_words(sheet.blocks)
        title = title or f"{word} {sheet.number}"
        previous = sheet.title or previous
        wanted = slugify(sheet.title) if sheet.title else f"{word.lower()}-{sheet.number}"
        sections.append(
            Section(
                level=max(1, min(len(sheet.above) + level, 6)),
                title=title,
                anchor=sheet.anchor or slugger.unique(wanted),
                blocks=tuple(sheet.blocks),
                start_line=sheet.line,
                end_line=max(sheet.line, sheet.end_line),
                slide=sheet.number,
            )
        )
    return tuple(sections)


def first_words(blocks: Sequence[Block]) -> str:
    """Return the first words of a slide's text as a name for it, or "" when it has no prose."""
    text = next((block.text for block in blocks if block.kind in _PROSE), "")
    line = text.lstrip().partition("\n")[0].lstrip("-*• ").rstrip()
    if len(line) <= _NAME_LENGTH:
        return line.rstrip(":.")
    head = line[:_NAME_LENGTH]
    return f"{(head.rpartition(' ')[0] or head).rstrip(' ,;:.')}…"


def numbers(values: Sequence[int]) -> str:
    """Return numbers as a person lists them: ``2, 5–7``."""
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
