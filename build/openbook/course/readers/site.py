"""A page of a site that something else built → sections that link into that site.

What a page says is in one element; round it stand menus, headers and footers. Which element that is differs from
generator to generator (Sphinx, Jupyter Book, mystmd, MkDocs, Quarto, Docusaurus, Jekyll, Hugo), so the known ones are
tried in order, and what is found is compared with the site's own search index where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from openbook.config import Config
from openbook.course.document import Block, DocumentKind, Section
from openbook.course.encoding import decode
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.html_blocks import Heading
from openbook.course.readers.html_code import classes_of
from openbook.course.readers.plain_blocks import paragraph
from openbook.course.readers.site_furniture import CONTENTS_TITLE, PERMALINK, SIGNS, is_furniture
from openbook.course.readers.site_main import NOTHING, Common, common_to, head_title, items_of, main_of
from openbook.course.readers.site_pages import made_by_script
from openbook.course.readers.site_search import Record, records_of
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning, UnreadableSourceError

_WORD = re.compile(r"[^\W_]{2,}")
_LEAST_SHARE = 0.6
_LEAST_WORDS = 20


class HtmlPage:
    """Reads pages of a site that is built already, or pages of HTML that the settings name."""

    name = "html"
    suffixes = (".html", ".htm")
    text = True

    def detects(self, probe: Probe) -> bool:
        """Never of itself: a course's folder is full of HTML that is none of its text."""
        return False

    def kind(self, probe: Probe) -> DocumentKind:
        """Notes, always."""
        return "notes"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a page; with a site's own search index beside it, compare what was found.

        Raises:
            UnreadableSourceError: a script writes the page's text when it is shown.
        """
        name = source.path_in(config)
        records = records_of(config.sources_root).get(source.relpath, ()) if source.url else ()
        html = decode(raw, name).text
        page = read_page(html, name, records, common_to(config) if source.url else NOTHING)
        if not page.sections and (maker := made_by_script(html)):
            raise UnreadableSourceError(
                f"holds no text: {maker} writes it when the page is shown.",
                source=name,
                hint="Read the files that it is written from, without --site.",
            )
        return Reading(
            make_document(source, config, lecture, title=page.title, sections=page.sections, warnings=page.warnings)
        )


class Page(NamedTuple):
    """A page, read: its title, its sections with the anchors that it has itself, and what was noticed."""

    title: str
    sections: tuple[Section, ...]
    warnings: tuple[BuildWarning, ...]


def read_page(html: str, source: str, records: Sequence[Record] = (), common: Common = NOTHING) -> Page:
    """Read a page.

    Args:
        html: of the page.
        source: its path, for warnings.
        records: what the site's search index says of the page.
        common: what the pages of its site have in common.
    """
    tree = LexborHTMLParser(html)
    _with_notes(tree)
    root = main_of(tree)
    sections = tuple(_Sections(tree, root, common.running).read()) if root is not None else ()
    said = records[0].page_title if records else ""
    head = said or head_title(tree, common.suffix)
    title = head if root is not None and _stands_above(head, tree, root) else _page_title(sections, head)
    sections = tuple(_titled(section, title) for section in sections)
    warnings: list[BuildWarning] = []
    if records and _share(records, sections) < _LEAST_SHARE:
        message = (
            "most of what the site's search index says of the page was not found in it; the index is read instead."
        )
        warnings.append(BuildWarning("site-page", message, source))
        sections = tuple(_from_records(records, title))
    elif not sections:
        message = "no text was found in it."
        warnings.append(BuildWarning("site-page", message, source))
    return Page(title, sections, tuple(warnings))


def _stands_above(title: str, tree: LexborHTMLParser, root: LexborNode) -> bool:
    """Tell whether a page's title is a heading outside of its main element, as in the layouts of Jekyll and Hugo."""
    inside = {heading.mem_id for heading in root.css("h1")}
    outside = (heading for heading in tree.css("h1") if heading.mem_id not in inside)
    return bool(_words(title)) and any(_words(heading.text() or "") == _words(title) for heading in outside)


def _page_title(sections: Sequence[Section], head: str) -> str:
    """Return the title of a page: its first heading of level 1, else what its ``<title>`` says of it.

    Where the page begins with a heading that says the same and stands above all others, that is the title too.
    """
    top = next((section.title for section in sections if section.level == 1), "")
    if top or not sections:
        return top or head
    levels = [section.level for section in sections]
    first, said = _words(sections[0].title), _words(head)
    alone = levels[0] == min(levels) and levels.count(levels[0]) == 1
    return sections[0].title if alone and first and (first <= said or said <= first) else head


def _titled(section: Section, title: str) -> Section:
    return msgspec.structs.replace(section, title=title) if section.level == 0 else section


class _Sections:
    """Cuts the main element of a page at its headings."""

    def __init__(self, tree: LexborHTMLParser, root: LexborNode, running: frozenset[str]) -> None:
        self._root = root
        self._running = running
        self._ids = {node.attributes.get("id") or "" for node in tree.css("[id]")}
        self._names = {node.attributes.get("name") or "" for node in tree.css("a[name]")}
        self._used: set[str] = set()

    def read(self) -> Iterator[Section]:
        """Yield sections; a heading that cannot be linked to stays inside the one before it."""
        level, title, anchor = 0, "", self._top()
        blocks: list[Block] = []
        started = False
        for item in items_of(self._root, self._running):
            if not isinstance(item, Heading):
                blocks.append(item)
                continue
            if _heads_contents(item):
                continue
            found = self._anchor(item.node)
            if not found and not started and not blocks:
                found = anchor  # the page's own title
            if not found or found in self._used:
                block = paragraph(_title(item.title), 1)
                blocks += [block] if block is not None else []
                continue
            again = not blocks and (level, title) == (
                item.level,
                _title(item.title),
            )  # the theme's, then the text's own
            if (started or blocks) and not again:
                yield _section(level, title, anchor, blocks)
                self._used.add(anchor)
            self._used.add(found)
            level, title, anchor, blocks, started = item.level, _title(item.title), found, [], True
        if started or blocks:
            yield _section(level, title, anchor, blocks)

    def _top(self) -> str:
        node: LexborNode | None = self._root
        while node is not None and node.tag not in ("html", "-document"):
            if node.attributes.get("id"):
                return str(node.attributes["id"])
            node = node.parent
        return "top"  # leads to the top of any page, by the standard

    def _anchor(self, heading: LexborNode) -> str:
        """Return the id that leads to a heading: its own, its permalink's, or that of the section that it begins."""
        own = _slide_of(heading) or heading.attributes.get("id")
        if own:
            return own
        for link in heading.css("a[href]"):
            href = link.attributes.get("href") or ""
            name = unquote(href.partition("#")[2])
            permalink = bool(classes_of(link) & PERMALINK) or SIGNS.match(link.text() or "")
            if permalink and name and (name in self._ids or name in self._names):
                return name
        inner = heading.css_first("[id], a[name]")
        if inner is not None:
            return inner.attributes.get("id") or inner.attributes.get("name") or ""
        node = heading
        for _ in range(3):
            parent = node.parent
            if parent is None or not _begins(parent, node):
                break
            if parent.attributes.get("id") and parent.mem_id != self._root.mem_id:
                return str(parent.attributes["id"])
            node = parent
        return _before(heading)


def _slide_of(heading: LexborNode) -> str:
    """Return the id of the slide that a heading of a deck by Marp stands on: what the deck goes to; "" elsewhere."""
    node = heading.parent
    while node is not None:
        if node.tag == "section" and _is_slide(node):
            return node.attributes.get("id") or ""
        node = node.parent
    return ""


def _is_slide(section: LexborNode) -> bool:
    parent = section.parent
    return parent is not None and ((parent.tag or "").lower() == "foreignobject" or "marpit" in classes_of(parent))


def _with_notes(tree: LexborHTMLParser) -> None:
    """Put the notes of a deck by Marp, which stand at its end, on their slides."""
    notes = tree.css(".bespoke-marp-note[data-index]")
    slides = [section for section in tree.css("section[id]") if _is_slide(section)] if notes else []
    for note in notes:
        number = note.attributes.get("data-index") or ""
        if number.isdecimal() and int(number) < len(slides):
            slides[int(number)].insert_child(note)
            note.decompose()


def _begins(parent: LexborNode, node: LexborNode) -> bool:
    """Tell whether a node is the first of its parent that shows anything."""
    for child in parent.iter():
        if child.mem_id == node.mem_id:
            return True
        if (child.text() or "").strip():
            return False
    return False


def _before(heading: LexborNode) -> str:
    """Return the id of an empty target right before a heading."""
    node = heading.prev
    while node is not None and node.tag == "-text" and not (node.text_content or "").strip():
        node = node.prev
    if node is not None and node.tag in ("a", "span", "div") and not (node.text() or "").strip():
        return node.attributes.get("id") or node.attributes.get("name") or ""
    return ""


def _heads_contents(heading: Heading) -> bool:
    """Tell whether a heading stands over a table of contents, which is left out."""
    after = heading.node.next
    while after is not None and after.tag in ("-text", "-comment") and not (after.text() or "").strip():
        after = after.next
    return bool(CONTENTS_TITLE.fullmatch(_title(heading.title))) and (after is None or is_furniture(after))


def _section(level: int, title: str, anchor: str, blocks: list[Block]) -> Section:
    return Section(level=level, title=title, anchor=anchor, blocks=tuple(blocks), start_line=1, end_line=1)


def _title(text: str) -> str:
    return text.rstrip("¶#§🔗 \uf0c1").strip() or text


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _share(records: Sequence[Record], sections: Sequence[Section]) -> float:
    """Return which share of the words of a search index was found; 1 for a page of hardly any."""
    wanted = _words(" ".join(record.text for record in records))
    if len(wanted) < _LEAST_WORDS:
        return 1.0
    found = _words(" ".join(f"{s.title} {' '.join(block.text for block in s.blocks)}" for s in sections))
    return len(wanted & found) / len(wanted)


def _from_records(records: Sequence[Record], title: str) -> Iterator[Section]:
    used: set[str] = set()
    for record in records:
        anchor = record.anchor or "top"
        block = paragraph(record.text, 1)
        if anchor in used or not (block or record.title):
            continue
        used.add(anchor)
        yield _section(record.level, record.title or title, anchor, [block] if block is not None else [])
