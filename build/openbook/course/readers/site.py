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
from openbook.course.readers.html_blocks import Heading, HtmlBlocks, classes_of
from openbook.course.readers.plain_blocks import paragraph, squeeze
from openbook.course.readers.site_search import Record, records_of
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning

FURNITURE = (
    "404.html",
    "**/404.html",
    "genindex.html",
    "genindex-*.html",
    "py-modindex.html",
    "search.html",
    "search/index.html",
    "searchindex.html",
    "**/tags/**",
    "**/page/*/index.html",
    "site_libs/**",
    "assets/**",
)
"""Pages of a site that are lists of its other pages."""

_MAIN = (
    "main#quarto-document-content",
    "article.md-content__inner",
    "article.bd-article",
    "div.theme-doc-markdown",
    'article[role="main"]',
    '[role="main"] .document',
    '[role="main"]',
    "[itemprop='articleBody']",
    "main .td-content",
    "article.book-page",
    "div.document div.body",
    "main article",
    ".post-content",
    ".page-content",
    ".main-content",
    "main",
    "article",
    "#content",
    "#main-content",
    ".content",
    "body",
)
_SKIPPED_TAGS = frozenset(("button", "footer", "label", "nav", "search"))
_SKIPPED_ROLES = frozenset(
    ("alertdialog", "banner", "contentinfo", "dialog", "menu", "menubar", "navigation", "search", "toolbar")
)
_SKIPPED_NAMES = """
    anchorjs-link back-to-top bd-footer-article bd-header-article bd-links bd-sidebar-primary
    bd-sidebar-secondary bd-toc breadcrumb breadcrumbs btn-clipboard code-copy-button copy-button copybtn
    edit-link edit-page edit-this-page editthispage footer-article gh-edit giscus hash-link header-anchor
    header-article headerlink md-clipboard md-content__button md-feedback md-nav md-search md-source-file
    menu__link myst-toc nav-footer no-search noprint page-edit-link page-footer page-meta page-nav
    page-navigation page-toc pager pagination pagination-nav permalink post-meta post-navigation prev-next
    prev-next-area prev-next-footer quarto-alternate-formats quarto-listing-filter quarto-title-breadcrumbs
    quarto-title-meta related rst-footer-buttons searchbox share sidebar-toc site-footer site-header site-nav
    skip-link skip-to-content sphinxsidebar sphinxsidebarwrapper table-of-contents theme-doc-breadcrumbs
    theme-doc-footer theme-doc-toc-mobile theme-doc-version-badge theme-edit-this-page toc toc-item toc_sidebar
    toctree-wrapper topic-contents utterances wy-breadcrumbs
"""
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_SKIPPED_START = re.compile(
    r"^(?:cookie|consent|docsearch|giscus|md-header|md-footer|md-sidebar|pagefind|tocCollapsible|tableOfContents)", re.I
)
_SKIPPED_ID_NAMES = "TOC disqus_thread quarto-back-to-top quarto-margin-sidebar quarto-sidebar toc"
_SKIPPED_IDS = frozenset(_SKIPPED_ID_NAMES.split())
_PERMALINK_NAMES = "anchor anchorjs-link hash-link header-anchor headerlink heading-anchor permalink"
_PERMALINK = frozenset(_PERMALINK_NAMES.split())
_SIGNS = re.compile(r"^[\s#¶§🔗\u200b\u00b6\uf0c1]*$")
_SITE_NAME = re.compile(r"\s+(?:[|•·—–]|-|::|»)\s+[^|•·—–»]*$")
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
        """Read a page; with a site's own search index beside it, compare what was found."""
        name = source.path_in(config)
        records = records_of(config.sources_root).get(source.relpath, ()) if source.url else ()
        page = read_page(decode(raw, name).text, name, records)
        return Reading(
            make_document(source, config, lecture, title=page.title, sections=page.sections, warnings=page.warnings)
        )


class Page(NamedTuple):
    """A page, read: its title, its sections with the anchors that it has itself, and what was noticed."""

    title: str
    sections: tuple[Section, ...]
    warnings: tuple[BuildWarning, ...]


def read_page(html: str, source: str, records: Sequence[Record] = ()) -> Page:
    """Read a page.

    Args:
        html: of the page.
        source: its path, for warnings.
        records: what the site's search index says of the page.
    """
    tree = LexborHTMLParser(html)
    root = _main(tree)
    sections = tuple(_Sections(tree, root).read()) if root is not None else ()
    titles = [section.title for section in sections if section.level == 1]
    title = titles[0] if titles else _head_title(tree, records)
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


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    for selector in _MAIN:
        found = [node for node in tree.css(selector) if not _is_furniture(node)]
        if found and (selector == "body" or (found[0].text() or "").strip()):
            if len(found) > 1 and selector in ("main article", "article"):  # a list of articles
                continue
            return found[0]
    return tree.body


def _head_title(tree: LexborHTMLParser, records: Sequence[Record]) -> str:
    if records and records[0].page_title:
        return records[0].page_title
    node = tree.css_first("title")
    title = " ".join(squeeze(node.text() if node is not None else "").split())
    return _SITE_NAME.sub("", title) or title


def _titled(section: Section, title: str) -> Section:
    return msgspec.structs.replace(section, title=title) if section.level == 0 else section


class _Sections:
    """Cuts the main element of a page at its headings."""

    def __init__(self, tree: LexborHTMLParser, root: LexborNode) -> None:
        self._root = root
        self._ids = {node.attributes.get("id") or "" for node in tree.css("[id]")}
        self._names = {node.attributes.get("name") or "" for node in tree.css("a[name]")}
        self._used: set[str] = set()

    def read(self) -> Iterator[Section]:
        """Yield sections; a heading that cannot be linked to stays inside the one before it."""
        level, title, anchor = 0, "", self._top()
        blocks: list[Block] = []
        started = False
        for item in HtmlBlocks(_is_furniture).read(self._root):
            if not isinstance(item, Heading):
                blocks.append(item)
                continue
            found = self._anchor(item.node)
            if not found and not started and not blocks:
                found = anchor  # the page's own title
            if not found or found in self._used:
                block = paragraph(_title(item.title), 1)
                blocks += [block] if block is not None else []
                continue
            if started or blocks:
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
        own = heading.attributes.get("id")
        if own:
            return own
        for link in heading.css("a[href]"):
            href = link.attributes.get("href") or ""
            name = unquote(href.partition("#")[2])
            permalink = bool(classes_of(link) & _PERMALINK) or _SIGNS.match(link.text() or "")
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


def _section(level: int, title: str, anchor: str, blocks: list[Block]) -> Section:
    return Section(level=level, title=title, anchor=anchor, blocks=tuple(blocks), start_line=1, end_line=1)


def _title(text: str) -> str:
    return text.rstrip("¶#§🔗 \uf0c1").strip() or text


def _is_furniture(node: LexborNode) -> bool:
    """Tell whether an element of a page is none of its text."""
    attributes, tag = node.attributes, node.tag
    if tag in _SKIPPED_TAGS:
        return not (tag == "label" and _is_tab(node))
    if attributes.get("role") in _SKIPPED_ROLES or "data-search-exclude" in attributes:
        return True
    if "data-pagefind-ignore" in attributes or attributes.get("id") in _SKIPPED_IDS:
        return True
    classes = classes_of(node)
    if classes & _SKIPPED or any(_SKIPPED_START.match(name) for name in classes):
        return True
    if tag == "header":
        return node.css_first("h1, h2") is None
    if tag == "a":
        return _is_permalink(node, classes)
    if tag in ("i", "span") and attributes.get("aria-hidden") == "true":
        return not (node.text() or "").strip() or bool(_SIGNS.match(node.text() or ""))
    return tag == "aside" and bool(classes & {"sidebar-nav", "toc", "bd-sidebar"})


def _is_permalink(node: LexborNode, classes: frozenset[str]) -> bool:
    href = node.attributes.get("href") or ""
    if "#" not in href:
        return False
    text = (node.text() or "").strip()
    return bool(classes & _PERMALINK and _SIGNS.match(text)) or (bool(text) and bool(_SIGNS.match(text)))


def _is_tab(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and any(name.startswith(("tabbed", "sd-tab", "tab")) for name in classes_of(parent))


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
