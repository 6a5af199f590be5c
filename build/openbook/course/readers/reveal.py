"""Decks for reveal.js, in HTML and in Markdown → one section a slide.

In HTML each ``<section>`` in ``.slides`` is a slide, and sections in a section stand one below the other. A section
with ``data-markdown`` holds Markdown, or names a file of it, and may become many slides.
"""

from __future__ import annotations

import posixpath
import re
import textwrap
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from openbook.config import Config
from openbook.course.document import Block, DocumentKind
from openbook.course.encoding import decode
from openbook.course.front_matter import FrontMatter, split
from openbook.course.markdown import parse
from openbook.course.markdown.blocks import BlockReader
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.html_blocks import Heading, HtmlBlocks
from openbook.course.readers.html_code import classes_of
from openbook.course.readers.markdown_decks import SlideText, outside_fences, read_slides
from openbook.course.readers.plain_blocks import paragraph, squeeze, whole
from openbook.course.readers.sections import label_titles
from openbook.course.readers.sheets import Deck, Sheet, numbers, sections_of
from openbook.course.readers.slidev import flow
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning, OpenbookError

Load = Callable[[str], "str | None"]
"""Address in a deck, relative to it → text of the file, or None."""

_SEPARATOR = r"^---[ \t]*$"
_NOTES = r"^\s*notes?:"
_REVEAL_KEYS = frozenset(("revealOptions", "separator", "verticalSeparator", "notesSeparator", "highlightTheme"))
_REVEAL_MARKS = re.compile(rb"^(?:notes?:|<!--\s*\.(?:slide|element):)", re.MULTILINE | re.IGNORECASE)
_IS_REVEAL = re.compile(
    rb"class\s*=\s*[\"']?(?:[^\"'>]*\s)?reveal[\s\"'>]|\bsrc\s*=\s*[\"'][^\"'>]*\breveal(?:\.min)?\.js|"
    rb"\bReveal\.initialize|\.reveal \.slides"
)
_NO_TITLE = re.compile(r"(?i)^reveal\.?js\b.*|^\W*$")
_FURNITURE = frozenset(("controls", "footer", "progress", "slide-logo", "slide-number", "speaker-controls"))
_PICTURES = "img, svg, video, iframe, canvas, object"


def loader_of(source: Source, config: Config) -> Load:
    """Return what gives a deck the text of the files that it takes in."""

    def load(address: str) -> str | None:
        path = source.beside(address.lstrip("/"), config)
        if path is None:
            return None
        try:
            return decode(path.read_bytes(), posixpath.relpath(path.as_posix(), config.root.as_posix())).text
        except (OSError, OpenbookError):
            return None

    return load


class RevealHtml:
    """Reads decks for reveal.js in HTML, also those that Quarto and Pandoc have built."""

    name = "reveal"
    suffixes = (".html", ".htm")
    text = True

    def detects(self, probe: Probe) -> bool:
        """It has an element of class ``reveal``, or loads the library."""
        return bool(_IS_REVEAL.search(probe.head))

    def kind(self, probe: Probe) -> DocumentKind:
        """Slides, always."""
        return "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a deck; files of Markdown that it names must lie in the folder of the lectures."""
        name = source.path_in(config)
        deck = read_reveal_html(decode(raw, name).text, name, loader_of(source, config), in_place=bool(source.url))
        return Reading(
            make_document(source, config, lecture, title=deck.title, sections=deck.sections, warnings=deck.warnings)
        )


class RevealMarkdown:
    """Reads decks for reveal.js in Markdown, as reveal-md and the library's own plugin cut it."""

    name = "reveal-markdown"
    suffixes = (".md", ".markdown")
    text = True

    def detects(self, probe: Probe) -> bool:
        """Its front matter has keys of reveal-md, or it is called a deck and has the library's marks."""
        data = probe.front_matter.data
        if data.get("marp") is True:
            return False
        return bool(set(data) & _REVEAL_KEYS) or (probe.deck and bool(_REVEAL_MARKS.search(probe.head)))

    def kind(self, probe: Probe) -> DocumentKind:
        """Slides, always."""
        return "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a deck."""
        name = source.path_in(config)
        text = decode(raw, name).text
        matter = split(text, name)
        deck = read_slides(list(_markdown_slides(text, matter)), matter, name)
        document = make_document(
            source, config, lecture, title=deck.title, sections=deck.sections, warnings=deck.warnings
        )
        return Reading(document, deck.parsed, deck.slides)


# Markdown


class _Part(NamedTuple):
    """A slide of Markdown: lines from ``start`` up to ``end``, counted from 0; whether it stands below another."""

    start: int
    end: int
    below: bool


def _regex(pattern: str, default: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern or default, re.MULTILINE)
    except re.error:
        return re.compile(re.escape(pattern), re.MULTILINE)


def _parts(lines: Sequence[str], across: str, down: str) -> Iterator[_Part]:
    """Cut lines at separators, which are regular expressions; in fenced code there are none."""
    text = "\n".join(lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    code = {index for index, _, outside in outside_fences(lines) if not outside}
    found: list[tuple[int, int, bool]] = []
    taken: set[int] = set()
    for pattern, below in ((down, True), (across, False)):
        if not pattern:
            continue
        for match in _regex(pattern, _SEPARATOR).finditer(text):
            if not match[0].strip():
                continue
            place = bisect_right(starts, match.start() + len(match[0]) - len(match[0].lstrip())) - 1
            last = bisect_right(starts, match.start() + len(match[0].rstrip()) - 1) - 1
            if place not in code and place not in taken:
                found.append((place, last, below))
                taken.update(range(place, last + 1))
    start, under = 0, False
    for first, last, below in sorted(found):
        yield _Part(start, first, under)
        start, under = last + 1, below
    yield _Part(start, len(lines), under)


def _markdown_slides(text: str, matter: FrontMatter) -> Iterator[SlideText]:
    data = matter.data
    lines = text.split("\n")[matter.lines :]
    across = str(data.get("separator") or r"^---[ \t]*$")
    down = str(data.get("verticalSeparator") or "")
    if not down:
        down = r"^----[ \t]*$" if any(line.rstrip() == "----" for line in lines) else r"(?<=\n\n)--[ \t]*$"
    notes = _regex(str(data.get("notesSeparator") or ""), _NOTES)
    parts = list(_parts(lines, across, down))
    deep = any(part.below for part in parts)
    for part in parts:
        start, end = part.start, part.end
        while start < end and not lines[start].strip():
            start += 1
        while end > start and not lines[end - 1].strip():
            end -= 1
        body = lines[start:end]
        places = list(range(matter.lines + start + 1, matter.lines + end + 1))
        if not places:
            if part.start == 0 or part.end == len(lines):
                continue
            places = [matter.lines + part.start + 1]
            body = [""]
        body, kept, said = _split_notes(body, places, notes)
        yield SlideText(
            lines=body,
            numbers=kept,
            line=places[0],
            end_line=places[-1],
            notes=said,
            level=0 if not deep else 2 if part.below else 1,
        )


def _split_notes(
    lines: list[str], places: list[int], pattern: re.Pattern[str]
) -> tuple[list[str], list[int], list[tuple[str, int, int]]]:
    loose = re.compile(pattern.pattern, re.IGNORECASE)
    code = {index for index, _, outside in outside_fences(lines) if not outside}
    at = next((n for n, line in enumerate(lines) if n not in code and loose.match(line)), None)
    if at is None:
        return lines, places, []
    match = loose.match(lines[at])
    first = lines[at][match.end() :] if match else ""
    note = flow("\n".join([first, *lines[at + 1 :]]))
    return lines[:at], places[:at], [(note, places[at], places[-1])] if note else []


# HTML


class _Lines(HTMLParser):
    """Notes at which line each ``<section>`` begins and ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.spans: list[list[int]] = []
        self._open: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self._open.append(len(self.spans))
            self.spans.append([self.getpos()[0], self.getpos()[0]])

    def handle_endtag(self, tag: str) -> None:
        if tag == "section" and self._open:
            self.spans[self._open.pop()][1] = self.getpos()[0]


def _lines_of(html: str, sections: Sequence[LexborNode]) -> dict[int, tuple[int, int]]:
    reader = _Lines()
    try:
        reader.feed(html)
        reader.close()
    except AssertionError:  # html.parser gives up on malformed declarations
        return {}
    if len(reader.spans) != len(sections):
        return {}
    return {node.mem_id: (span[0], span[1]) for node, span in zip(sections, reader.spans, strict=True)}


def read_reveal_html(html: str, source: str, load: Load, *, in_place: bool = False) -> Deck:
    """Read a deck.

    Args:
        html: of the file.
        source: its path, for warnings.
        load: gives the text of files of Markdown that the deck names.
        in_place: whether citations lead into this very file: then anchors are reveal.js's own, ``/2/1`` or ``/name``.
    """
    tree = LexborHTMLParser(html)
    root = tree.css_first(".reveal .slides") or tree.css_first(".slides") or tree.css_first(".reveal") or tree.body
    reader = _Deck(source, load, _lines_of(html, tree.css("section")), in_place=in_place)
    if root is not None:
        for node in _sections(root):
            reader.across(node)
    warnings = reader.warnings
    if not reader.sheets:
        message = "no slide was found in it: a slide is a <section> in an element of class `slides`."
        warnings.append(BuildWarning("no-slides", message, source))
    if reader.hidden:
        message = f"slides that are hidden in the deck are left out: {numbers(reader.hidden)}."
        warnings.append(BuildWarning("hidden-slide", message, source))
    if reader.pictures:
        message = (
            f"slides show pictures and no text that can be read: {numbers(reader.pictures)}."
            " Give the pictures alternative text."
        )
        warnings.append(BuildWarning("picture-slide", message, source))
    said = tree.css_first("title")
    title = squeeze(said.text()) if said is not None else ""
    if not title or _NO_TITLE.match(title):
        title = next((sheet.title for sheet in reader.sheets[:1]), "")
    return Deck(" ".join(title.split()), sections_of(reader.sheets), reader.number, tuple(warnings))


def _sections(node: LexborNode) -> list[LexborNode]:
    """Return the sections right below an element, or those deeper when something stands between."""
    found = [child for child in node.iter() if child.tag == "section"]
    if not found:
        found = [inner for child in node.iter() for inner in _sections(child)]
    return found


class _Deck:
    """Gathers the slides of a deck."""

    def __init__(self, source: str, load: Load, lines: dict[int, tuple[int, int]], *, in_place: bool) -> None:
        self._source = source
        self._load = load
        self._lines = lines
        self.sheets: list[Sheet] = []
        self.hidden: list[int] = []
        self.pictures: list[int] = []
        self.warnings: list[BuildWarning] = []
        self.number = 0
        self._in_place = in_place
        self._place = (-1, 0)

    def across(self, node: LexborNode) -> None:
        """Read a slide, or a column of slides."""
        inner = [child for child in node.iter() if child.tag == "section"]
        self._place = (self._place[0] + 1, 0)
        if not inner:
            self._slide(node, 1)
            return
        for place, child in enumerate(inner):
            self._place = (self._place[0], place)
            self._slide(child, 1 if place == 0 else 2)

    def _slide(self, node: LexborNode, level: int) -> None:
        line, end = self._lines.get(node.mem_id, (1, 1))
        if node.attributes.get("data-visibility") == "hidden":
            self.number += 1
            self.hidden.append(self.number)
        elif "data-markdown" in node.attributes:
            self._markdown(node, level, line, end)
        else:
            self.number += 1
            reader = HtmlBlocks(_is_furniture, line, end)
            title, blocks = "", list[Block]()
            for item in reader.read(node):
                if not isinstance(item, Heading):
                    blocks.append(item)
                elif title:
                    blocks += [block for block in [paragraph(item.title, line, end)] if block is not None]
                else:
                    title = item.title
            self._add(node, title, blocks, list(self._notes(node, line, end)), level, line, end)

    def _add(
        self,
        node: LexborNode,
        title: str,
        blocks: list[Block],
        notes: list[Block],
        level: int,
        line: int,
        end: int,
        *,
        single: bool = True,
    ) -> None:
        if not title and not blocks and (node.css_first(_PICTURES) or "data-background-image" in node.attributes):
            self.pictures.append(self.number)
        anchor = ""
        if self._in_place:
            column, row = self._place
            anchor = f"/{(single and node.attributes.get('id')) or (f'{column}/{row}' if row else column)}"
        self.sheets.append(
            Sheet(
                number=self.number,
                title=title,
                level=level,
                blocks=[*blocks, *notes],
                anchor=anchor,
                line=line,
                end_line=end,
            )
        )

    def _notes(self, node: LexborNode, line: int, end: int) -> Iterator[Block]:
        texts = [node.attributes.get("data-notes") or ""]
        for aside in node.css("aside.notes, div.notes"):
            read = HtmlBlocks(line=line, end=end).read(aside)
            texts.append("\n\n".join(item.title if isinstance(item, Heading) else item.text for item in read))
        for text in texts:
            block = whole("speaker-notes", text, line, end)
            if block is not None:
                yield block

    def _markdown(self, node: LexborNode, level: int, line: int, end: int) -> None:
        address = (node.attributes.get("data-markdown") or "").strip()
        external = bool(address)
        if external:
            text = self._load(address.partition("?")[0])
            if text is None:
                self.number += 1
                message = f"the slides of {address!r} are missing: the file is not in the folder of the lectures."
                self.warnings.append(BuildWarning("missing-import", message, self._source, line))
                return
        else:
            template = node.css_first(
                'script[type="text/template"], script[type="text/markdown"], textarea[data-template]'
            )
            text = (template or node).text() or ""
        lines = textwrap.dedent(text.replace("\r\n", "\n").expandtabs(4)).split("\n")
        # the library cuts what stands in the section itself only where an attribute says how
        cuts = external or any(f"data-separator{end}" in node.attributes for end in ("", "-vertical", "-notes"))
        across = (node.attributes.get("data-separator") or _SEPARATOR) if cuts else ""
        down = node.attributes.get("data-separator-vertical") or ""
        notes = _regex(node.attributes.get("data-separator-notes") or "", _NOTES)
        parts = list(_parts(lines, across, down))
        parts = [part for part in parts if any(text.strip() for text in lines[part.start : part.end])] or parts[:1]
        for place, part in enumerate(parts):
            self.number += 1
            if place:
                column, row = self._place
                self._place = (column, row + 1) if part.below else (column + 1, 0)
            body, places, said = _split_notes(lines[part.start : part.end], [line] * (part.end - part.start), notes)
            del places
            parsed = parse("\n".join(["", *body]), self._source)
            tokens = parsed.tokens
            at = next(
                (n for n, token in enumerate(tokens) if token.type == "heading_open" and token.meta["title"]), None
            )
            title = "" if at is None else str(tokens[at].meta["title"])
            rest = tokens if at is None else tokens[:at] + tokens[at + 3 :]
            read = BlockReader(parsed.lines, label_titles(parsed)).read(rest)
            found = [_at(block, line, end) for block in read]
            blocks = [block for text, _, _ in said for block in [whole("speaker-notes", text, line, end)] if block]
            depth = 2 if part.below or (level == 2 and place == 0) else 1
            self._add(node, title, found, blocks, depth, line, end, single=len(parts) == 1)


def _at(block: Block, line: int, end: int) -> Block:
    return msgspec.structs.replace(
        block,
        start_line=line,
        end_line=end,
        part_lines=(),
        children=tuple(_at(child, line, end) for child in block.children),
    )


def _is_furniture(node: LexborNode) -> bool:
    classes = classes_of(node)
    if node.tag in ("aside", "div") and "notes" in classes:
        return True
    return bool(classes & _FURNITURE) or node.tag in ("button", "nav")
