"""Decks whose slides are cut from the lines of a file, before any Markdown is read: Slidev and reveal.js.

The tools of these decks render each slide by itself: what one slide leaves open does not reach the next, and slides
may come from other files. So the slides' lines are put together with a break between them that nothing swallows,
parsed once (ids, footnotes and link targets are then those of the whole deck), and every line number led back to the
source.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from markdown_it.token import Token

from openbook.course.document import Block, Section
from openbook.course.front_matter import FrontMatter
from openbook.course.markdown import Dialect, Files, Parsed, parse, parser
from openbook.course.readers.sections import split_footnotes
from openbook.course.readers.sheets import first_words
from openbook.course.readers.slides import Slide, set_title, slide_sections
from openbook.errors import BuildWarning

_BREAK = "***"
_CLOSERS = (
    "-->",
    "```",
    "~~~",
    "$$",
    "</script>",
    "</style>",
    "</pre>",
    "</textarea>",
    "?>",
    "]]>",
    ":::",
    "::::",
    ":::::",
)
_FENCE = re.compile(r"^\s*(?:[-*+] +|\d+[.)] +)?(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)$")
_LOCAL = re.compile(r"^(?![a-z][a-z\d+.-]*:|/|#)", re.IGNORECASE)


@dataclass(slots=True)
class SlideText:
    """A slide as it is written.

    Attributes:
        lines: its Markdown, presenter notes taken out.
        numbers: of each of ``lines``, where it stands in the deck's own file, 1-based; for an imported slide always the
            line of the import.
        line, end_line: of the slide in the deck's own file.
        meta: of its own front matter.
        notes: presenter notes, as (text, start line, end line).
        level: 1 for a slide across, 2 for one below it; 0 when the deck does not say.
        folder: of the file that it stands in, relative to the deck's; "" for the same.
    """

    lines: list[str]
    numbers: list[int]
    line: int
    end_line: int
    meta: dict[str, Any] = field(default_factory=dict)
    notes: list[tuple[str, int, int]] = field(default_factory=list)
    level: int = 0
    folder: str = ""


@dataclass(frozen=True, slots=True)
class MarkdownDeck:
    """A deck, read: what a ``Reading`` is made of."""

    title: str | None
    parsed: Parsed
    slides: tuple[Slide, ...]
    sections: tuple[Section, ...]
    warnings: tuple[BuildWarning, ...]


def outside_fences(lines: Sequence[str]) -> list[tuple[int, str, bool]]:
    """Return (index, line, whether it stands outside fenced code) of Markdown's lines; a fence's own lines are inside.

    A fence that is never closed is none: else it would take all slides behind it.
    """
    outside = [True] * len(lines)
    fences = [(index, match) for index, line in enumerate(lines) if (match := _FENCE.match(line))]
    place = 0
    while place < len(fences):
        start, opening = fences[place]
        place += 1
        if opening["fence"][0] == "`" and "`" in opening["info"]:
            continue
        closing = next(
            (
                number
                for number in range(place, len(fences))
                if fences[number][1]["fence"].startswith(opening["fence"]) and not fences[number][1]["info"].strip()
            ),
            None,
        )
        if closing is not None:
            end = fences[closing][0]
            outside[start : end + 1] = [False] * (end + 1 - start)
            place = closing + 1
    return list(zip(range(len(lines)), lines, outside, strict=True))


def read_slides(
    texts: Sequence[SlideText],
    matter: FrontMatter,
    source: str,
    *,
    dialect: Dialect = "myst",
    files: Files | None = None,
) -> MarkdownDeck:
    """Parse slides.

    Args:
        texts: of the deck, in order.
        matter: front matter of the deck.
        source: path of its file, for errors and warnings.
        dialect: of its Markdown.
        files: which files its Markdown may include.
    """
    warnings: list[BuildWarning] = []
    lines, numbers, breaks = _join(texts)
    parsed = parse("\n".join(lines), source, dialect=dialect, files=files)
    found = {token.map[0] for token in parsed.tokens if token.type == "hr" and token.level == 0 and token.map}
    swallowed = [index for index, line in enumerate(breaks) if line not in found]
    if swallowed:
        texts = list(texts)
        for index, text in enumerate(texts[:-1]):
            sealed = _seal(text, dialect)
            if sealed is not text:
                texts[index] = sealed
                message = "something that the slide opens is never closed; it ends with the slide."
                warnings.append(BuildWarning("unclosed-slide", message, source, text.line))
        lines, numbers, breaks = _join(texts)
        parsed = parse("\n".join(lines), source, dialect=dialect, files=files)
    warnings += [_located(warning, numbers) for warning in parsed.warnings]
    slides = _slides(texts, parsed, breaks)
    named = _named(slide_sections(slides, parsed), texts, slides)
    sections = tuple(_relocated(section, numbers) for section in named)
    for token in parsed.tokens:
        _relocate(token, numbers)
    said = matter.data.get("title")
    title = str(said).strip() if said is not None and not isinstance(said, (list, dict)) else None
    parsed = replace(parsed, front_matter=matter, title=title or parsed.title)
    return MarkdownDeck(title or parsed.title, parsed, tuple(slides), sections, tuple(warnings))


def _located(warning: BuildWarning, numbers: Sequence[int]) -> BuildWarning:
    """Lead a warning's line back to the source."""
    return warning if warning.line is None else replace(warning, line=_number(numbers, warning.line))


def _join(texts: Sequence[SlideText]) -> tuple[list[str], list[int], list[int]]:
    """Return the deck as one text, where each line comes from, and at which lines (from 0) one slide ends."""
    # the first line is empty, lest a slide's own rule be taken for front matter
    lines, numbers = [""], [texts[0].line if texts else 1]
    breaks: list[int] = []
    for index, text in enumerate(texts):
        if index:
            breaks.append(len(lines) + 1)
            lines += ["", _BREAK, ""]
            numbers += [text.line] * 3
        lines += text.lines
        numbers += text.numbers
    return lines, numbers, breaks


def _seal(text: SlideText, dialect: Dialect) -> SlideText:
    """Close what a slide leaves open; a slide that leaves nothing open is returned as it is."""

    def ends(lines: Sequence[str]) -> bool:
        tokens = parser(dialect).parse("\n".join(["", *lines, "", _BREAK, ""]), {})
        # footnotes are put behind the break
        tokens, _ = split_footnotes(tokens)
        return bool(tokens) and tokens[-1].type == "hr" and tokens[-1].level == 0

    if ends(text.lines):
        return text
    for closer in _CLOSERS:
        if ends([*text.lines, closer]):
            return replace(text, lines=[*text.lines, closer], numbers=[*text.numbers, text.end_line])
    width = max((len(match["fence"]) for line in text.lines if (match := _FENCE.match(line))), default=2) + 1
    fence = "`" * width
    return replace(text, lines=[fence, *text.lines, fence], numbers=[text.line, *text.numbers, text.end_line])


def _slides(texts: Sequence[SlideText], parsed: Parsed, breaks: Sequence[int]) -> list[Slide]:
    slides = [
        Slide(number=number, tokens=[], start_line=text.line, end_line=text.end_line, notes=list(text.notes))
        for number, text in enumerate(texts, 1)
    ]
    body, _ = split_footnotes(parsed.tokens)
    at, ends = 0, set(breaks)
    for token in body:
        if token.type == "hr" and token.level == 0 and token.map and token.map[0] in ends:
            at += 1
        elif at < len(slides):
            slides[at].tokens.append(token)
    for slide, text in zip(slides, texts, strict=True):
        if text.folder:
            for token in slide.tokens:
                _move(token, text.folder)
        set_title(slide, parsed.targets)
        said = text.meta.get("title")
        if slide.level == 0 and isinstance(said, str) and said.strip():
            slide.title, slide.level = " ".join(said.split()), 1
        if slide.level and text.level:
            slide.level = text.level
    return slides


def _move(token: Token, folder: str) -> None:
    """Make addresses on a slide from another folder relative to the deck's own."""
    for name in ("src", "href"):
        address = token.attrs.get(name)
        if isinstance(address, str) and address and _LOCAL.match(address):
            token.attrs[name] = posixpath.normpath(posixpath.join(folder, address))
    for child in token.children or ():
        _move(child, folder)


def _named(sections: Sequence[Section], texts: Sequence[SlideText], slides: Sequence[Slide]) -> list[Section]:
    """Put slides below the section slides that the deck has, and name those without a title."""
    levels = [section.level for section in sections]
    if any(text.meta.get("layout") == "section" for text in texts):
        started = False
        for index, text in enumerate(texts):
            if text.meta.get("layout") == "section":
                levels[index], started = min(levels[index], 1), True
            elif started and levels[index]:
                levels[index] = min(6, levels[index] + 1)
    named = [msgspec.structs.replace(section, level=level) for section, level in zip(sections, levels, strict=True)]
    named = name_untitled(named)
    for section, slide in zip(named, slides, strict=True):
        slide.title, slide.level = section.title, section.level
    return named


def name_untitled(sections: Sequence[Section]) -> list[Section]:
    """Name slides without a title, as a lecturer would: for the slide before, else for their first words.

    A slide with neither title nor text keeps its number for a name.
    """
    named: list[Section] = []
    title, level = "", 0
    for section in sections:
        if section.slide is None or section.level or not section.blocks:
            if section.level:
                title, level = section.title, section.level
            named.append(section)
            continue
        name = f"{title} (cont.)" if title else first_words(section.blocks)
        named.append(msgspec.structs.replace(section, title=name, level=level or 1) if name else section)
    return named


def _number(numbers: Sequence[int], line: int) -> int:
    return numbers[min(max(line, 1), len(numbers)) - 1]


def _relocated(section: Section, numbers: Sequence[int]) -> Section:
    notes = [block for block in section.blocks if block.kind == "speaker-notes"]
    rest = [_moved(block, numbers) for block in section.blocks if block.kind != "speaker-notes"]
    return msgspec.structs.replace(section, blocks=(*rest, *notes))


def _moved(block: Block, numbers: Sequence[int]) -> Block:
    start = _number(numbers, block.start_line)
    return msgspec.structs.replace(
        block,
        start_line=start,
        end_line=max(start, _number(numbers, block.end_line)),
        part_lines=tuple(
            (_number(numbers, first), max(_number(numbers, first), _number(numbers, last)))
            for first, last in block.part_lines
        ),
        children=tuple(_moved(child, numbers) for child in block.children),
    )


def _relocate(token: Token, numbers: Sequence[int]) -> None:
    if token.map is not None:
        first = _number(numbers, token.map[0] + 1)
        token.map = [first - 1, max(first, _number(numbers, token.map[1]))]
    for child in token.children or ():
        _relocate(child, numbers)
