"""Decks in Quarto's Markdown (``format: revealjs``, ``beamer`` or ``pptx``) → one section a slide.

As Pandoc does it: a heading of the slide level begins a slide, a heading above that level is a slide of its own and
the heading of those that follow, and a rule begins a slide without a title. Before them stands the title slide, which
is made of the front matter. Notes are in ``::: {.notes}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.encoding import decode
from openbook.course.front_matter import FrontMatter, split
from openbook.course.markdown import Files
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.markdown_decks import MarkdownDeck, SlideText, outside_fences, read_slides
from openbook.course.readers.notes import files_of
from openbook.course.readers.reveal import Load, loader_of
from openbook.course.readers.sheets import numbers
from openbook.course.readers.slidev import flow
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning

FORMATS = ("revealjs", "beamer", "pptx")
_SLIDE_LEVEL = 2
_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))?[ \t]*#*[ \t]*$")
_RULE = re.compile(r"^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_DIV = re.compile(r"^ {0,3}(?P<colons>:{3,})[ \t]*(?P<rest>.*?)[ \t]*:*$")
_NOTES = re.compile(r"^(?:\{[^}]*\.(?:notes|speaker-notes)\b[^}]*\}|notes)$")
_PAUSE = re.compile(r"^[ \t]*\.[ \t]\.[ \t]\.[ \t]*$")
_INCLUDE = re.compile(r"^\s*\{\{<\s*include\s+(?P<path>\S+)\s*>\}\}\s*$")
_DEEPEST_INCLUDE = 5
_HIDDEN = re.compile(r"visibility\s*=\s*[\"']?hidden")


class QuartoSlides:
    """Reads decks in Quarto's Markdown."""

    name = "quarto-slides"
    suffixes = (".qmd", ".rmd", ".md", ".markdown")
    text = True

    def detects(self, probe: Probe) -> bool:
        """Its first format is one of slides."""
        return slide_format(probe.front_matter.data) is not None or (probe.deck and probe.suffix in (".qmd", ".rmd"))

    def kind(self, probe: Probe) -> DocumentKind:
        """Slides, always."""
        return "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a deck."""
        name = source.path_in(config)
        files, load = files_of(source, config), loader_of(source, config)
        deck = read_quarto_slides(decode(raw, name).text, name, load, files)
        document = make_document(
            source, config, lecture, title=deck.title, sections=deck.sections, warnings=deck.warnings
        )
        return Reading(document, deck.parsed, deck.slides)


def slide_format(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the options of the format of slides that front matter names first, or None when it names none first."""
    said = data.get("format", data.get("output"))
    if isinstance(said, str):
        return {} if _is_slides(said) else None
    if isinstance(said, dict) and said:
        name, options = next(iter(said.items()))
        if _is_slides(str(name)):
            return options if isinstance(options, dict) else {}
    return None


def _is_slides(name: str) -> bool:
    # with an extension of Quarto's in front: clean-revealjs; R Markdown's own names behind the second bar
    return name.rpartition("-")[2] in FORMATS or bool(
        re.search(r"(?:ioslides|slidy|beamer|powerpoint|revealjs|xaringan)", name)
    )


def read_quarto_slides(
    text: str, source: str, load: Load = lambda address: None, files: Files | None = None
) -> MarkdownDeck:
    """Read a deck.

    Args:
        text: of its file.
        source: path of the file, for warnings.
        load: gives the text of files that stand in for a line of the deck.
        files: which files its Markdown may include in a slide.
    """
    matter = split(text, source)
    options = slide_format(matter.data) or {}
    said = options.get("slide-level", matter.data.get("slide-level"))
    level = said if isinstance(said, int) and not isinstance(said, bool) else _SLIDE_LEVEL
    hidden: list[int] = []
    slides = [*_title_slide(matter), *_slides(*_expanded(text.split("\n"), matter.lines, load), level, hidden)]
    warnings = []
    if hidden:
        message = f"slides that are hidden in the deck are left out; they begin on lines {numbers(hidden)}."
        warnings.append(BuildWarning("hidden-slide", message, source, hidden[0]))
    deck = read_slides(slides or [SlideText([""], [1], 1, 1)], matter, source, dialect="pandoc", files=files)
    return MarkdownDeck(deck.title, deck.parsed, deck.slides, deck.sections, (*warnings, *deck.warnings))


def _title_slide(matter: FrontMatter) -> Iterator[SlideText]:
    data = matter.data
    title = _plain(data.get("title"))
    if not title:
        return
    below = [
        _plain(data.get("subtitle")),
        _names(data.get("author") or data.get("authors")),
        _plain(data.get("institute")),
    ]
    lines = [f"# {title}"]
    for text in below:
        if text:
            lines += ["", text]
    line = matter.key_lines.get("title", 1)
    yield SlideText(lines, [line] * len(lines), line, line)


def _plain(value: Any) -> str:
    return "" if value is None or isinstance(value, (list, dict)) else " ".join(str(value).split())


def _names(value: Any) -> str:
    if isinstance(value, dict):
        name = value.get("name")
        if isinstance(name, dict):
            name = " ".join(str(name[key]) for key in ("given", "family") if key in name)
        return _plain(name)
    if isinstance(value, list):
        return ", ".join(name for name in map(_names, value) if name)
    return _plain(value)


def _expanded(lines: list[str], start: int, load: Load, depth: int = 0) -> tuple[list[str], list[int]]:
    """Return the lines of a deck with those of included files in place, and at which line of the deck each stands."""
    out: list[str] = []
    places: list[int] = []
    for offset, line, outside in outside_fences(lines[start:]):
        match = _INCLUDE.match(line) if outside and depth < _DEEPEST_INCLUDE else None
        text = load(match["path"]) if match else None
        found = [line]
        if text is not None:
            inner = text.split("\n")
            found, _ = _expanded(inner, split(text, "").lines, load, depth + 1)
        out += found
        places += [start + offset + 1] * len(found)
    return out, places


def _slides(lines: list[str], places: list[int], level: int, hidden: list[int]) -> Iterator[SlideText]:  # noqa: C901
    current = SlideText([], [], places[0] if places else 1, places[0] if places else 1)
    skipped = False
    depth = 0
    notes: tuple[int, int, list[str]] | None = None

    def done(slide: SlideText) -> Iterator[SlideText]:
        if skipped:
            hidden.append(slide.line)
        elif slide.notes or any(line.strip() for line in slide.lines):
            yield slide

    for offset, line, outside in outside_fences(lines):
        number = places[offset]
        text = line
        if outside and (div := _DIV.match(line)):
            opens = bool(div["rest"])
            if notes is None and opens and _NOTES.match(div["rest"]):
                notes = (depth, number, [])
                depth += 1
                continue
            depth = depth + 1 if opens else max(0, depth - 1)
            if notes is not None and not opens and depth == notes[0]:
                said = flow("\n".join(notes[2]))
                if said:
                    current.notes.append((said, notes[1], number))
                current.end_line = number
                notes = None
                continue
        if notes is not None:
            notes[2].append(line)
            continue
        if outside and depth == 0:
            heading = _HEADING.match(line)
            if _RULE.match(line) or (heading and len(heading["marks"]) <= level):
                yield from done(current)
                current = SlideText([], [], number, number)
                skipped = bool(heading and _HIDDEN.search(heading["text"] or ""))
                if not heading or not (heading["text"] or "").strip():
                    continue
        if outside and _PAUSE.match(line):
            text = ""
        current.lines.append(text)
        current.numbers.append(number)
        if text.strip():
            current.end_line = number
    if notes is not None:
        said = flow("\n".join(notes[2]))
        if said:
            current.notes.append((said, notes[1], places[-1]))
    yield from done(current)
