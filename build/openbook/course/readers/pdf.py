"""A PDF → one section a page, as its text layer has it: a deck, or notes when its pages are full of text and upright.

Running heads and feet are taken off, words that a line's end broke are joined, and of pages that build up one slide
step by step the last is kept. The file's own outline gives the headings above its pages. A page without a text layer
is named in a warning: openbook reads no pictures.
"""

from __future__ import annotations

import io
import itertools
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.pdf_text import (
    join_lines,
    known_words,
    page_blocks,
    page_lines,
    running_lines,
    without_running,
)
from openbook.course.readers.sheets import Deck, Sheet, numbers, sections_of
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning, UnreadableSourceError

_NO_TITLE = re.compile(
    r"(?i)^(?:untitled.*|(?:microsoft )?(?:word|powerpoint)\b.*|.*\.(?:docx?|pptx?|tex|dvi|pdf|key|indd|odp|md|html?)|"
    r"slide 1|document\d*|powerpoint.presentation|\W*)$"
)
_MARKED = re.compile(r"^[•◦▪▫■□●○►▶‣⁃∙➢➤❖◆–—*-]\s")
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[IVX]+\.)\s+")
_LONGEST_TITLE = 100
_TITLE_LINES = 3
_SAME_SIZE = 0.9
_SAMPLE = 5
_PROSE_WORDS = 150


class _Page(NamedTuple):
    lines: list[str]
    title: list[str]
    label: str


class Pdf:
    """Reads PDFs by their text layer."""

    name = "pdf"
    suffixes = (".pdf",)
    text = False

    def detects(self, probe: Probe) -> bool:
        """The suffix says it."""
        return True

    def kind(self, probe: Probe) -> DocumentKind:
        """Notes when the file is called so or its pages are prose, unless the settings say that it is a deck."""
        if probe.deck:
            return "slides"
        return "notes" if probe.path.stem in ("notes", "index") or is_prose(probe.path) else "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a PDF; its page offers the file itself, opened at the page that is cited."""
        deck = read_pdf(raw, source.path_in(config), prose=source.kind == "notes")
        document = make_document(
            source, config, lecture, title=deck.title, sections=deck.sections, warnings=deck.warnings
        )
        return Reading(document, original=True)


class PdfNotes(Pdf):
    """Reads PDFs that the settings say are notes."""

    name = "pdf-notes"

    def detects(self, probe: Probe) -> bool:
        """Only the settings say it."""
        return False

    def kind(self, probe: Probe) -> DocumentKind:
        """Notes, always."""
        return "notes"


def is_prose(path: Path) -> bool:
    """Tell whether the pages of a PDF are upright and full of text, from a few of them; False when it cannot be read.

    A slide is wide, and holds few words even where it is printed upright.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = PdfReader(path, strict=False).pages
        # the first page of many is a title's
        chosen = [
            pages[at] for at in sorted({min(len(pages) - 1, 1 + at * len(pages) // _SAMPLE) for at in range(_SAMPLE)})
        ]
        upright = sum(_is_upright(page) for page in chosen)
        counts = sorted(len((page.extract_text() or "").split()) for page in chosen)
    except Exception:
        return False
    return bool(chosen) and 2 * upright > len(chosen) and counts[len(counts) // 2] >= _PROSE_WORDS


def _is_upright(page: Any) -> bool:
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    return (width > height) if page.rotation % 180 else (height > width)


def read_pdf(data: bytes, source: str, *, prose: bool = False) -> Deck:
    """Read a PDF.

    Args:
        data: the file's bytes.
        source: its path, for errors and warnings.
        prose: whether its pages are of running text: then only large letters at a page's top are its title.

    Raises:
        UnreadableSourceError: it is no PDF, too damaged to be read, or locked with a password.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    warnings: list[BuildWarning] = []
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableSourceError(
                "is locked with a password.", source=source, hint="Save it without one, or exclude it."
            )
        count = len(reader.pages)
    except UnreadableSourceError:
        raise
    except Exception as error:
        raise UnreadableSourceError(
            f"cannot be read as a PDF: {error}.", source=source, hint="Print it into a new PDF, or exclude it."
        ) from error
    pages: list[_Page] = []
    damaged: list[int] = []
    labels = _labels(reader, count)
    for index in range(count):
        try:
            lines, title = _read_page(reader.pages[index], prose)
        except Exception:
            lines, title = [], []
            damaged.append(index + 1)
        pages.append(_Page(lines, title, labels[index]))
    running = running_lines([page.lines for page in pages])
    # what runs on above later pages may be the title of the first
    pages = [
        page._replace(lines=without_running(page.lines, running, page.title if index == 0 else ()))
        for index, page in enumerate(pages)
    ]
    if running:
        shown = "; ".join(repr(line) for line in list(running.values())[:5])
        message = f"lines that stand on most pages are taken for running heads or feet and left out: {shown}."
        warnings.append(BuildWarning("running-text", message, source))
    steps = [] if prose else _steps(pages)
    if steps:
        message = f"pages are steps of the page that follows them, which has all their text: {numbers(steps)}."
        warnings.append(BuildWarning("slide-steps", message, source))
    empty = [number for number, page in enumerate(pages, 1) if not page.lines and number not in damaged]
    if empty:
        whole = len(empty) == count
        message = (
            "no page has a text layer" if whole else f"pages have no text layer: {numbers(empty)}"
        ) + ". openbook reads no pictures of text: run OCR over the file (`ocrmypdf`), or export it anew."
        warnings.append(BuildWarning("page-without-text", message, source, None if whole else empty[0]))
    if damaged:
        message = f"pages are damaged and cannot be read: {numbers(damaged)}."
        warnings.append(BuildWarning("damaged-page", message, source, damaged[0]))
    above = _outline(reader, count)
    words = known_words([page.lines for page in pages])
    sheets = [
        _sheet(page, number, above[number - 1], words)
        for number, page in enumerate(pages, 1)
        if number not in steps and page.lines
    ]
    return Deck(_title(reader, sheets), sections_of(sheets, "Page", numbered=prose), count, tuple(warnings))


def _sheet(page: _Page, number: int, above: tuple[str, ...], words: frozenset[str]) -> Sheet:
    title, lines = "", page.lines
    for length in range(min(_TITLE_LINES, len(page.title)), 0, -1):
        wanted = page.title[:length]
        place = next((at for at in range(len(lines)) if lines[at : at + length] == wanted), None)
        if place is None:
            continue
        joined = wanted[0]
        for line in wanted[1:]:
            joined = join_lines(joined, line, words)
        if len(joined) <= _LONGEST_TITLE:
            title, lines = joined, [*lines[:place], *lines[place + length :]]
            break
    own = next((depth for depth, name in enumerate(above) if title and _bare(name) == _bare(title)), None)
    if own is not None:  # the page on which that part of the outline begins
        title, above = above[own], above[: own + 1]
    return Sheet(
        number=number,
        title=title,
        above=above,
        blocks=page_blocks(lines, number, words),
        anchor=f"page-{number}",
        line=number,
        end_line=number,
    )


def _bare(title: str) -> str:
    return _NUMBER.sub("", title).casefold()


def _read_page(page: Any, prose: bool) -> tuple[list[str], list[str]]:
    """Return a page's lines, and those of its title: the first ones in its largest letters, when they stand out.

    Of a slide in letters of one size a short first line is the title; in prose it is a line like others, and a heading
    further down names only what is below it.
    """
    sizes: list[tuple[float, str]] = []

    def visit(text: str, matrix: Any, text_matrix: Any, font: Any, size: float) -> None:
        if text.strip():
            scale = abs(text_matrix[3] or text_matrix[1]) * abs(matrix[3] or matrix[1] or 1)
            sizes.append((float(size or 1) * (scale or 1), text))

    lines = page_lines(page.extract_text(visitor_text=visit) or "")
    if not sizes or not lines:
        return lines, []
    letters = sorted(size for size, text in sizes for _ in range(min(len(text.strip()), 500)))
    median = letters[len(letters) // 2]
    largest = (
        max(size for size, text in sizes if any(char.isalpha() for char in text))
        if any(char.isalpha() for _, text in sizes for char in text)
        else 0.0
    )
    if largest > 1.12 * median:
        big = _squeezed("".join(text for size, text in sizes if size >= _SAME_SIZE * largest))
        title: list[str] = []
        for line in lines:
            if _squeezed(line) and _squeezed(line) in big and len(line) > 1:
                title.append(line)
            elif title:
                break
        if prose and title and title[0] not in lines[:_TITLE_LINES]:
            title = []
        return lines, title[:_TITLE_LINES]
    if prose:
        return lines, []
    first = lines[0]
    alone = len(first) <= 60 and not first.endswith((".", ",", ";")) and not _MARKED.match(first) and len(lines) > 1
    return lines, [first] if alone and any(char.isalpha() for char in first) else []


def _squeezed(text: str) -> str:
    return "".join("".join(page_lines(text)).split())


def _steps(pages: Sequence[_Page]) -> list[int]:
    """Return the pages that the next one repeats whole and goes on from: a slide that is uncovered step by step."""
    steps = []
    for number, (page, following) in enumerate(itertools.pairwise(pages), 1):
        if not page.lines:
            continue
        same_title = bool(page.title) and page.title == following.title
        labelled = bool(page.label) and page.label == following.label
        if (same_title or labelled) and _is_part(page.lines, following.lines):
            steps.append(number)
    return steps


def _is_part(lines: Sequence[str], of: Sequence[str]) -> bool:
    rest = iter(of)
    return len(lines) <= len(of) and all(line in rest for line in lines)


def _labels(reader: PdfReader, count: int) -> list[str]:
    try:
        labels = list(reader.page_labels)
    except Exception:
        return [""] * count
    return (labels + [""] * count)[:count]


def _outline(reader: PdfReader, count: int) -> list[tuple[str, ...]]:  # noqa: C901
    """Return the outline's headings above each page, outermost first, two at most."""
    marks: list[tuple[int, int, str]] = []

    def walk(entries: Any, depth: int) -> Iterator[tuple[int, int, str]]:
        for entry in entries:
            if isinstance(entry, list):
                if depth < 1:
                    yield from walk(entry, depth + 1)
                continue
            page = reader.get_destination_page_number(entry)
            title = " ".join("".join(page_lines(str(entry.title))).split())
            if page is not None and page >= 0 and title:
                yield page, depth, title

    try:
        marks = sorted(walk(reader.outline, 0), key=lambda mark: (mark[0], mark[1]))
    except (PyPdfError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return [()] * count
    # An outline with an entry for each page names pages, not what they belong to.
    for depth in (0, 1):
        if len({page for page, level, _ in marks if level == depth}) > count / 2:
            marks = [mark for mark in marks if mark[1] < depth]
    above: list[tuple[str, ...]] = []
    current: tuple[str, ...] = ()
    place = 0
    for number in range(count):
        first: dict[int, tuple[str, ...]] = {}
        while place < len(marks) and marks[place][0] <= number:
            _, depth, title = marks[place]
            current = (*current[:depth], title)
            # the page belongs to the first part that begins on it, the next one to the last
            if not any(shallower < depth for shallower in first) or depth - 1 in first:
                first.setdefault(depth, current)
            place += 1
        above.append(max(first.values(), key=len) if first else current)
    return above


def _title(reader: PdfReader, sheets: Sequence[Sheet]) -> str:
    try:
        said = " ".join(str((reader.metadata.title if reader.metadata is not None else "") or "").split())
    except Exception:
        said = ""
    if said and not _NO_TITLE.match(said):
        return said
    return next((sheet.title for sheet in sheets[:1]), "")
