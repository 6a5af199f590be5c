"""Decks in PowerPoint's format → one section a slide.

Read are titles, text in reading order, lists with their levels, tables, charts, SmartArt, formulas, alternative texts
and presenter notes. Headers, footers, dates and slide numbers are none of the text. The deck's sections are headings
above its slides. A hidden slide is left out, and that is said.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.shapetree import SlideShapeFactory

from openbook.config import Config
from openbook.course.document import Block, DocumentKind
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.plain_blocks import item_text, list_block, paragraph, squeeze, table_block, whole
from openbook.course.readers.pptx_text import (
    Element,
    Placed,
    diagram_block,
    frame_blocks,
    largest_size,
    local,
    paragraph_text,
    reading_order,
)
from openbook.course.readers.sheets import Deck, Sheet, numbers, sections_of
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning, UnreadableSourceError

_OLD_FORMAT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE)
_FURNITURE = (PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.SLIDE_NUMBER)
_LISTS = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY, PP_PLACEHOLDER.VERTICAL_OBJECT)
_NO_TITLE = re.compile(
    r"(?i)^(?:powerpoint[- ]präsentation|powerpoint presentation|präsentation\d*|presentation\d*|slide 1|untitled.*|"
    r"présentation powerpoint|presentación de powerpoint|\s*)$"
)
_DRAWN_ALT = re.compile(r"(?is)\s*(?:description automatically generated.*|automatisch generierte beschreibung.*)$")
_FILE_ALT = re.compile(r"(?i)^[\w\s().-]+\.(?:png|jpe?g|gif|svg|emf|wmf|bmp|tiff?|webp)$")
_LONGEST_TITLE = 90
_DEFAULT_SIZE = 1800
_MOST_VALUES = 400


class Pptx:
    """Reads decks in PowerPoint's format."""

    name = "pptx"
    suffixes = (".pptx", ".pptm", ".ppsx")
    text = False

    def detects(self, probe: Probe) -> bool:
        """The suffix says it."""
        return True

    def kind(self, probe: Probe) -> DocumentKind:
        """Slides, always."""
        return "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a deck."""
        deck = read_pptx(raw, source.path_in(config))
        return Reading(
            make_document(source, config, lecture, title=deck.title, sections=deck.sections, warnings=deck.warnings)
        )


def read_pptx(data: bytes, source: str) -> Deck:
    """Read a deck.

    Args:
        data: the file's bytes.
        source: its path, for errors and warnings.

    Raises:
        UnreadableSourceError: it is no PPTX file, damaged, or locked with a password.
    """
    if data.startswith(_OLD_FORMAT):
        raise UnreadableSourceError(
            "is locked with a password or in the old .ppt format.",
            source=source,
            hint="Save it in PowerPoint as .pptx without a password.",
        )
    try:
        presentation = Presentation(io.BytesIO(data))
        slides = list(presentation.slides)
        height = int(presentation.slide_height or 6858000)
    except Exception as error:
        raise UnreadableSourceError(
            f"cannot be read as a PPTX file: {error}.", source=source, hint="Open it in PowerPoint and save it again."
        ) from error
    warnings: list[BuildWarning] = []
    names = _section_names(presentation)
    sheets: list[Sheet] = []
    hidden: list[int] = []
    pictures: list[int] = []
    for number, slide in enumerate(slides, 1):
        if slide.element.get("show") in ("0", "false"):
            hidden.append(number)
            continue
        reader = _SlideReader(slide, number, height, source)
        sheet = reader.sheet(names.get(slide.slide_id, ""))
        warnings += reader.warnings
        if reader.pictures and not any(block.kind != "speaker-notes" for block in sheet.blocks):
            pictures.append(number)
        sheets.append(sheet)
    if hidden:
        message = f"slides that are hidden in the deck are left out: {numbers(hidden)}."
        warnings.append(BuildWarning("hidden-slide", message, source))
    if pictures:
        message = (
            f"slides show pictures and no text that can be read: {numbers(pictures)}."
            " Give the pictures alternative text."
        )
        warnings.append(BuildWarning("picture-slide", message, source))
    sections = sections_of(sheets)
    title = squeeze(str(presentation.core_properties.title or "")).replace("\n", " ")
    if _NO_TITLE.match(title):
        title = next((sheet.title for sheet in sheets[:1] if sheet.title), "")
    return Deck(title, sections, len(slides), tuple(warnings))


def _section_names(presentation: Any) -> dict[int, str]:
    names: dict[int, str] = {}
    for section in presentation.element.iter():
        if local(section) != "section" or not section.get("name"):
            continue
        name = " ".join(section.get("name").split())
        if re.match(r"(?i)default section|standardabschnitt|section par défaut|sección predeterminada", name):
            continue
        for entry in section.iter():
            if local(entry) == "sldId" and (entry.get("id") or "").isdecimal():
                names[int(entry.get("id"))] = name
    return names


class _SlideReader:
    """Reads one slide.

    Attributes:
        pictures: how many pictures and the like it has that no text stands for.
        warnings: what could not be read.
    """

    def __init__(self, slide: Any, number: int, height: int, source: str) -> None:
        self._slide = slide
        self._number = number
        self._slack = height // 60
        self._source = source
        self.pictures = 0
        self.warnings: list[BuildWarning] = []

    def sheet(self, above: str) -> Sheet:
        """Return what stands on the slide."""
        shapes = list(self._shapes(self._slide.shapes._spTree))
        title = next((shape for shape in shapes if _placeholder(shape) in _TITLES and _text(shape)), None)
        rest = [shape for shape in shapes if shape is not title]
        ordered = reading_order([self._placed(shape) for shape in rest], self._slack)
        if title is None:
            title = _drawn_title(ordered)
            ordered = [shape for shape in ordered if shape is not title]
        name = " ".join(_text(title).split()) if title is not None else ""
        blocks: list[Block] = []
        if len(name) > 2 * _LONGEST_TITLE:  # all of the slide's text was put into its title
            blocks += [block for block in [paragraph(_text(title), self._number)] if block is not None]
            name = ""
        for shape in ordered:
            blocks += self._blocks(shape)
        blocks += self._notes()
        return Sheet(
            number=self._number,
            title=name,
            above=(above,) if above else (),
            blocks=blocks,
            line=self._number,
            end_line=self._number,
        )

    def _shapes(self, tree: Element) -> Iterator[Any]:
        for child in tree:
            name = local(child)
            if name == "AlternateContent":
                choice = next((part for part in child if local(part) == "Choice"), None)
                if choice is not None:
                    yield from self._shapes(choice)
            elif name in ("sp", "pic", "graphicFrame", "grpSp", "cxnSp"):
                if not _is_hidden(child):
                    yield SlideShapeFactory(child, self._slide.shapes)
            elif name == "contentPart":
                self.pictures += 1

    def _placed(self, shape: Any) -> Placed:
        try:
            left, top, width, height = (int(value or 0) for value in (shape.left, shape.top, shape.width, shape.height))
        except (AttributeError, KeyError, TypeError, ValueError):
            left = top = width = height = 0
        return Placed(left, top, left + width, top + height, shape)

    def _blocks(self, shape: Any) -> list[Block]:
        try:
            return list(self._read(shape))
        except Exception as error:
            message = f"slide {self._number}: {shape.name!r} cannot be read ({type(error).__name__}: {error})."
            self.warnings.append(BuildWarning("unread-shape", message, self._source, self._number))
            return []

    def _read(self, shape: Any) -> Iterator[Block]:
        kind = local(shape._element)
        if kind == "grpSp":
            inner = [self._placed(child) for child in self._shapes(shape._element)]
            for child in reading_order(inner, self._slack):
                yield from self._blocks(child)
        elif kind == "graphicFrame":
            yield from self._frame(shape)
        elif kind == "pic":
            yield from self._alternative(shape)
        elif getattr(shape, "has_text_frame", False) and _text(shape).strip():
            if _placeholder(shape) not in _FURNITURE:
                yield from frame_blocks(shape._element.txBody, self._number, bullets=_has_bullets(shape))
        elif kind == "sp" and _placeholder(shape) is None:
            alt = _alt(shape)
            if alt:
                yield from _some(whole("figure", alt, self._number))

    def _frame(self, shape: Any) -> Iterator[Block]:
        if shape.has_table:
            rows = [
                [_cell(cell) for cell in row if local(cell) == "tc"]
                for row in shape._element.iter()
                if local(row) == "tr"
            ]
            head = 1 if shape.table.first_row and len(rows) > 1 else 0
            yield from _some(table_block(rows[:head], rows[head:], self._number))
        elif shape.has_chart:
            yield from _some(_chart(shape.chart, self._number))
        else:
            ids = next((child for child in shape._element.iter() if local(child) == "relIds"), None)
            if ids is not None:
                key = next(value for name, value in ids.attrib.items() if name.endswith("}dm"))
                yield from _some(diagram_block(self._slide.part.related_part(key).blob, self._number))
            else:
                yield from self._alternative(shape)

    def _alternative(self, shape: Any) -> Iterator[Block]:
        alt = _alt(shape)
        if alt:
            yield from _some(whole("figure", alt, self._number))
        else:
            self.pictures += 1

    def _notes(self) -> Iterator[Block]:
        if not self._slide.has_notes_slide:
            return
        frame = self._slide.notes_slide.notes_text_frame
        if frame is None:
            return
        texts = [squeeze(paragraph_text(child)) for child in frame._txBody if local(child) == "p"]
        yield from _some(whole("speaker-notes", "\n\n".join(text for text in texts if text), self._number))


def _some(block: Block | None) -> Iterator[Block]:
    if block is not None:
        yield block


def _is_hidden(element: Element) -> bool:
    properties = next((child for child in element.iter() if local(child) == "cNvPr"), None)
    return properties is not None and properties.get("hidden") in ("1", "true")


def _placeholder(shape: Any) -> Any:
    try:
        return shape.placeholder_format.type if shape.is_placeholder else None
    except (AttributeError, KeyError, ValueError):
        return None


def _text(shape: Any) -> str:
    body = getattr(shape._element, "txBody", None)
    if body is None:
        return ""
    return "\n".join(paragraph_text(child) for child in body if local(child) == "p").strip()


def _alt(shape: Any) -> str:
    properties = next((child for child in shape._element.iter() if local(child) == "cNvPr"), None)
    text = _DRAWN_ALT.sub("", (properties.get("descr") or "") if properties is not None else "")
    text = " ".join(text.split())
    return "" if _FILE_ALT.match(text) else text


def _cell(cell: Element) -> str:
    return " ".join(paragraph_text(child) for child in cell.iter() if local(child) == "p")


def _has_bullets(shape: Any) -> bool:
    """Tell whether a shape makes its paragraphs list items: a body does, unless its layout says no."""
    if _placeholder(shape) not in _LISTS:
        return False
    for element in (shape._element, *_inherited(shape)):
        level = next((child for child in element.iter() if local(child) == "lvl1pPr"), None)
        names = {local(child) for child in level} if level is not None else set()
        if names & {"buNone", "buChar", "buAutoNum", "buBlip"}:
            return "buNone" not in names
    return True


def _inherited(shape: Any) -> Iterator[Element]:
    key = shape.placeholder_format.idx
    for other in shape.part.slide.slide_layout.placeholders:
        if other.placeholder_format.idx == key:
            yield other._element


def _drawn_title(ordered: Sequence[Any]) -> Any:
    """Return the text box that serves as title where there is none: short, first, and in the largest letters."""
    texts = [shape for shape in ordered if local(shape._element) == "sp" and _text(shape)]
    if not texts or texts[0] is not ordered[0] or len(texts) < 2:
        return None
    first = texts[0]
    size = largest_size(first._element)
    rest = max(largest_size(shape._element) or _DEFAULT_SIZE for shape in texts[1:])
    short = "\n" not in _text(first) and len(_text(first)) <= _LONGEST_TITLE
    return first if short and size > rest and _placeholder(first) not in _FURNITURE else None


def _chart(chart: Any, number: int) -> Block | None:
    """Return a chart as a table: a row for each category, a column for each series."""
    title = ""
    if chart.has_title and chart.chart_title.has_text_frame:
        title = " ".join(chart.chart_title.text_frame.text.split())
    header: list[str] = [""]
    rows: list[list[str]] = []
    for plot in chart.plots:
        try:
            categories = [" ".join(str(category).split()) for category in plot.categories]
        except (AttributeError, KeyError, ValueError):
            categories = []
        series = list(plot.series)
        header += [str(one.name) for one in series]
        if categories and len(categories) * len(series) <= _MOST_VALUES:
            columns = [list(one.values) for one in series]
            for index, category in enumerate(categories):
                values = [column[index] if index < len(column) else None for column in columns]
                rows.append([category, *("" if value is None else f"{value:g}" for value in values)])
        else:
            rows += [[category] for category in categories]
    names = [name for name in header if name]
    if not rows and names:
        return list_block([item_text("-", name) for name in ([title] if title else []) + names], number)
    return table_block([header] if names else [], rows, number, caption=title)
