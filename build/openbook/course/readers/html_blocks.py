"""HTML as it was built by something else → headings and blocks of plain text.

Read are decks in HTML and built sites. What is text is decided here; what of a page is its text, by who calls.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from openbook.course.document import Block
from openbook.course.readers.html_code import UNSEEN, classes_of, code_text, is_line_numbers, language_of
from openbook.course.readers.html_tabs import is_tab_list, tab_title
from openbook.course.readers.plain_blocks import (
    box,
    code_block,
    item_text,
    list_block,
    paragraph,
    squeeze,
    table_block,
    whole,
)


class Heading(NamedTuple):
    """A heading among blocks.

    Attributes:
        level: 1–6.
        title: its text.
        node: the element.
    """

    level: int
    title: str
    node: LexborNode


Item = Heading | Block

_BLOCK_TAGS_NAMES = """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search
    section summary table tbody td tfoot th thead tr ul
"""
_BLOCK_TAGS = frozenset(_BLOCK_TAGS_NAMES.split())
_BOXES = re.compile(
    r"^(?:admonition|alert|callout|theme-admonition|admonitionblock|hint|custom-block|message|starlight-aside)$"
)
_CODE_TITLE = re.compile(r"^(?:(?:click|display|hide|see|show|toggle|view)\b.*\b)?(?:code|source)\b", re.I)
_BOX_TITLES = re.compile(
    r"(?:^|[-_ ])(?:admonition-title|callout-title(?:-container)?|callout-header|alert-heading|alert-title|"
    r"custom-block-title|admonition-header|admonitionHeading\w*|starlight-aside__title)(?:$|[ _])"
)
_GLYPH = re.compile(r"\bmjx-c([0-9A-F]+)\b")
_NOTE_REFS = frozenset(("footnote", "footnote-ref", "footnote-reference", "footnoteref"))
_NOTE_BACKS = frozenset(("fn-backref", "footnote-back", "footnote-backref", "footnote-return", "reversefootnote"))
_BACK_SIGNS = re.compile(r"^[\s\[(]*[↩↵↑⤴⏎\ufe0e\ufe0f]+[\d\s\])]*$")
_DELIMITED = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
_DISPLAYED = re.compile(r"\\\[((?:(?!\\\[).)+)\\\]", re.DOTALL)
_TEX = re.compile(r"^\s*(?:\\\((?P<inline>.*)\\\)|\\\[(?P<display>.*)\\\]|\$\$(?P<dollars>.*)\$\$)\s*$", re.DOTALL)


class HtmlBlocks:
    """Reads the blocks below an element.

    Args:
        skip: whether an element is none of the text: a menu, a button. Comments, scripts, styles and form fields are
            left out anyway.
        line, end: of the source, given to every block: HTML is not cut by lines.
    """

    def __init__(self, skip: Callable[[LexborNode], bool] = lambda node: False, line: int = 1, end: int = 1) -> None:
        self._skip = skip
        self._line = line
        self._end = end

    def read(self, node: LexborNode) -> list[Item]:
        """Return headings and blocks below an element, in reading order."""
        return list(self._children(node))

    def text(self, node: LexborNode) -> str:
        """Return all text below an element, as one line."""
        return " ".join(
            " ".join(item.title if isinstance(item, Heading) else item.text for item in self.read(node)).split()
        )

    def _children(self, node: LexborNode) -> Iterator[Item]:
        buffer: list[str] = []
        yield from self._walk(node, buffer)
        yield from self._flush(buffer)

    def _flush(self, buffer: list[str]) -> Iterator[Block]:
        text = "".join(buffer)
        buffer.clear()
        displayed = _DISPLAYED.fullmatch(text.strip())
        if displayed:
            yield from _some(whole("math", displayed[1], self._line, self._end))
            return
        # formulas that MathJax or KaTeX set when the page is shown
        text = _DELIMITED.sub(r"\1", _DISPLAYED.sub(r"\1", text))
        yield from _some(paragraph(text, self._line, self._end))

    def _walk(self, node: LexborNode, buffer: list[str]) -> Iterator[Item]:
        """Yield what stands below an element; running text gathers in ``buffer`` until a block ends it."""
        child = node.child
        while child is not None:
            yield from self._node(child, buffer)
            child = child.next

    def _node(self, node: LexborNode, buffer: list[str]) -> Iterator[Item]:  # noqa: C901
        tag = node.tag or ""
        if tag == "-text":
            buffer.append(re.sub(r"\s+", " ", node.text_content or ""))
            return
        if tag == "script" and (node.attributes.get("type") or "").startswith("math/tex"):
            buffer.append(f" {node.text() or ''} ")
            return
        if tag in UNSEEN or self._skip(node) or is_tab_list(node):
            return
        if tag == "a" and (note := _note_link(node)) is not None:
            buffer.append(note)
            return
        tex = _tex(node)
        if tex is not None:
            text, display = tex
            if display:
                yield from self._flush(buffer)
                yield from _some(whole("math", text, self._line, self._end))
            else:
                buffer.append(" ".join(text.split()))
        elif tag == "br":
            buffer.append("\n")
        elif tag == "wbr":
            return
        elif tag == "img":
            alt = " ".join((node.attributes.get("alt") or "").split())
            buffer.append(f" {alt} " if alt else "")
        elif tag == "svg":
            yield from self._drawing(node, buffer)
        elif tag == "video":
            return
        elif tag not in _BLOCK_TAGS:
            yield from self._walk(node, buffer)
        else:
            yield from self._flush(buffer)
            yield from self._tabbed(node, tag)

    def _drawing(self, node: LexborNode, buffer: list[str]) -> Iterator[Item]:
        """Yield what stands in a drawing as HTML: labels of Mermaid's, a whole slide of Marp's; then its text."""
        for part in node.css("foreignObject"):
            yield from self._walk(part, buffer)
        texts = [squeeze(part.text(separator=" ")) for part in node.css("title, desc, text")]
        buffer.append(f" {' '.join(text for text in texts if text)} ")

    def _tabbed(self, node: LexborNode, tag: str) -> Iterator[Item]:
        tab = tab_title(node)
        if not tab:
            yield from self._block(node, tag)
        elif node.css_first("h1, h2, h3, h4, h5, h6"):  # a tab with sections of its own
            yield from _some(paragraph(tab, self._line, self._end))
            yield from self._block(node, tag)
        else:
            inside = [self._as_block(item) for item in self._block(node, tag)]
            yield from _some(box("admonition", tab, [block for block in inside if block], self._line, self._end))

    def _block(self, node: LexborNode, tag: str) -> Iterator[Item]:
        classes = classes_of(node)
        if re.fullmatch(r"h[1-6]", tag):
            title = self._inline(node)
            if title:
                yield Heading(int(tag[1]), title, node)
        elif tag == "pre":
            language = language_of(node)
            yield from _some(code_block(code_text(node), language, self._line, self._end))
        elif tag in ("ul", "ol", "menu", "dir"):
            yield from _some(list_block(self._items(node, tag), self._line, self._end))
        elif tag == "dl":
            yield from self._definitions(node)
        elif tag == "table":
            yield from self._table(node)
        elif tag == "figure":
            yield from self._figure(node)
        elif tag == "blockquote":
            yield from _some(box("quote", "", self._blocks(node), self._line, self._end))
        else:
            yield from self._container(node, tag, classes)

    def _container(self, node: LexborNode, tag: str, classes: frozenset[str]) -> Iterator[Item]:
        if tag == "details" or any(_BOXES.match(name) for name in classes):
            yield from self._box(node, tag)
        elif tag in ("aside", "div") and "footnote" in classes and node.css_first(".label") is not None:
            yield from self._labelled(node)
        else:
            yield from self._children(node)

    def _blocks(self, node: LexborNode) -> list[Block]:
        """Return what stands below an element as blocks alone: a heading becomes a line."""
        return [block for item in self._children(node) for block in _some(self._as_block(item))]

    def _as_block(self, item: Item) -> Block | None:
        return paragraph(item.title, self._line, self._end) if isinstance(item, Heading) else item

    def _inline(self, node: LexborNode) -> str:
        return " ".join(" ".join(block.text for block in self._blocks(node)).split())

    def _items(self, node: LexborNode, tag: str) -> Iterator[str]:
        start = node.attributes.get("start") or ""
        number = int(start) if start.isdecimal() else 1
        for child in node.iter():
            if (child.tag or "") in UNSEEN or self._skip(child):
                continue
            text = "\n".join(block.text for block in self._blocks(child))
            if not text:
                continue
            if child.tag in ("ul", "ol"):  # a list straight in a list, as some write it
                yield "\n".join(f"  {line}" for line in "\n".join(self._items(child, child.tag)).split("\n"))
                continue
            yield item_text(f"{number}." if tag == "ol" else "-", text)
            number += 1

    def _definitions(self, node: LexborNode) -> Iterator[Block]:
        groups: list[list[str]] = []
        described = True
        for child in _definition_parts(node):
            if self._skip(child):
                continue
            text = "\n".join(block.text for block in self._blocks(child))
            if not text:
                continue
            if (child.tag == "dt" and described) or not groups:
                groups.append([])
            groups[-1].append(text if child.tag == "dt" else item_text(":", text))
            described = child.tag != "dt"
        texts = tuple("\n".join(group) for group in groups)
        if texts:
            yield Block(
                kind="definition-list",
                text="\n".join(texts),
                start_line=self._line,
                end_line=self._end,
                parts=texts if len(texts) > 1 else (),
            )

    def _table(self, node: LexborNode) -> Iterator[Item]:
        rows = [row for row in node.css("tr") if _table_of(row) == node.mem_id]
        cells = [[cell for cell in row.iter() if cell.tag in ("td", "th")] for row in rows]
        if any(cell.css_first("pre, table, h1, h2, h3, h4, h5, h6") for row in cells for cell in row):
            # laid out as a table: code beside its line numbers, or a page of the nineties
            for row in cells:
                for cell, beside in zip(row, [*row[1:], None], strict=True):
                    if not is_line_numbers(cell, beside):
                        yield from self._children(cell)
            return
        caption = next((self._inline(child) for child in node.iter() if child.tag == "caption"), "")
        texts = [[self._inline(cell) for cell in row] for row in cells]
        head = 0
        while head < len(rows) and (
            _tag(rows[head].parent) == "thead"
            or (cells[head] and len(rows) > 1 and all(cell.tag == "th" for cell in cells[head]))
        ):
            head += 1
        yield from _some(table_block(texts[:head], texts[head:], self._line, self._end, caption))

    def _figure(self, node: LexborNode) -> Iterator[Item]:
        if node.css_first("table, pre, ul, ol, blockquote, h1, h2, h3, h4, h5, h6"):
            yield from self._children(node)
            return
        texts = [block.text for block in self._blocks(node)]
        yield from _some(whole("figure", "\n".join(dict.fromkeys(texts)), self._line, self._end))

    def _labelled(self, node: LexborNode) -> Iterator[Item]:
        """Yield a footnote of docutils; its number stands before its text."""
        items = [block.text for block in self._blocks(node)]
        yield from _some(paragraph(" ".join(items[:2]), self._line, self._end))
        yield from (block for text in items[2:] for block in _some(paragraph(text, self._line, self._end)))

    def _box(self, node: LexborNode, tag: str) -> Iterator[Item]:
        title_node = next(
            (
                child
                for child in node.css("summary" if tag == "details" else "[class]")
                if child.tag == "summary" or _BOX_TITLES.search(child.attributes.get("class") or "")
            ),
            None,
        )
        title = self._inline(title_node) if title_node is not None else ""
        reader = HtmlBlocks(
            lambda child: self._skip(child) or (title_node is not None and child.mem_id == title_node.mem_id),
            self._line,
            self._end,
        )
        blocks = reader._blocks(node)
        if tag == "details" and blocks and all(block.kind == "code" for block in blocks) and _CODE_TITLE.search(title):
            yield from blocks  # "Show the code"
            return
        yield from _some(box("admonition", title, blocks, self._line, self._end))


def _note_link(node: LexborNode) -> str | None:
    """Return what is shown of a link to a footnote, "" for one that leads back from it; None for any other link."""
    attributes, text = node.attributes, (node.text() or "").strip()
    href = attributes.get("href") or ""
    if "#" not in href:
        return None
    classes, role = classes_of(node), attributes.get("role")
    back = classes & _NOTE_BACKS or role == "doc-backlink" or "data-footnote-backref" in attributes
    if _BACK_SIGNS.match(text) or (back and not any(char.isalnum() for char in text)):
        return ""
    of = classes | (classes_of(node.parent) if node.parent is not None and node.parent.tag == "sup" else frozenset())
    if of & _NOTE_REFS or role == "doc-noteref" or "data-footnote-ref" in attributes:
        before = node.prev
        open_ = before is not None and before.tag == "-text" and (before.text_content or "").rstrip().endswith("[")
        return text if text.startswith("[") or open_ else f"[{text}]"
    return None


def _some(block: Block | None) -> Iterator[Block]:
    if block is not None:
        yield block


def _definition_parts(node: LexborNode) -> Iterator[LexborNode]:
    for child in node.iter():
        if child.tag in ("dt", "dd"):
            yield child
        elif child.tag == "div":
            yield from _definition_parts(child)


def _tag(node: LexborNode | None) -> str:
    return (node.tag or "") if node is not None else ""


def _table_of(row: LexborNode) -> int:
    parent = row.parent
    while parent is not None and parent.tag != "table":
        parent = parent.parent
    return parent.mem_id if parent is not None else 0


def _drawn(node: LexborNode) -> str:
    """Return the letters of a formula that MathJax has drawn, by the codes that it leaves with them."""
    codes = (
        part.attributes.get("data-c") or next(iter(_GLYPH.findall(part.attributes.get("class") or "")), "")
        for part in node.css("[data-c], mjx-c")
    )
    letters = "".join(chr(int(code, 16)) for code in codes if re.fullmatch(r"[0-9A-Fa-f]{1,5}", code))
    return unicodedata.normalize("NFKC", letters)


def _tex(node: LexborNode) -> tuple[str, bool] | None:
    """Return the TeX of an element that shows a formula, and whether it stands on a line of its own; else None."""
    tag, classes = node.tag, classes_of(node)
    if tag == "math" or classes & {"katex", "katex-display", "katex-mathml"} or tag == "mjx-container":
        display = "katex-display" in classes or node.attributes.get("display") in ("block", "true")
        note = node.css_first('annotation[encoding="application/x-tex"]')
        if note is not None:
            return (note.text() or "").strip(), display
        formula = node if tag == "math" else node.css_first("math")
        if formula is not None:
            return (formula.attributes.get("alttext") or formula.text(separator=" ") or "").strip(), display
        return (_drawn(node), display) if tag == "mjx-container" else None
    if classes & {"math", "arithmatex"}:
        text = node.text() or ""
        match = _TEX.match(text)
        if match:
            inner = match["inline"] if match["inline"] is not None else match["display"] or match["dollars"] or ""
            return inner.strip(), match["inline"] is None
        if tag == "span" and not node.css_first("span, div"):
            return text.strip(), "display" in classes
    return None
