"""What stands in the main element of a built page and is none of its text: menus, permalinks, dates, "Edit this page".

Generators and their themes name such elements in a few ways; the names here were collected from pages that they built.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from openbook.course.readers.html_code import classes_of

_TAGS = frozenset(("button", "footer", "label", "nav", "search"))
_ROLES = frozenset(
    ("alertdialog", "banner", "contentinfo", "dialog", "menu", "menubar", "navigation", "search", "toolbar")
)
_NAMES = """
    anchorjs-link avatar back-to-top bd-footer-article bd-header-article bd-links bd-sidebar-primary
    bd-sidebar-secondary bd-toc book-footer book-summary breadcrumb breadcrumb-nav breadcrumbs btn-clipboard byline
    code-copy-button code-label copy-button copybtn docnav dont-index dropdown-menu edit-link edit-page
    edit-this-page editthispage footer-article footline gh-edit giscus hash-link header-anchor header-article
    headerlink last-edited last-updated lastmod line-numbers-wrapper listing-author listing-categories listing-date
    listing-no-matching listing-reading-time md-clipboard md-content__button md-feedback md-nav md-search
    md-source-file menu__link myst-toc nav-footer navfooter navheader no-search noprint page-edit-link page-footer
    page-footer-meta pager pagination pagination-nav permalink post-info post-list-heading post-tags
    post-tail-wrapper prev-next quarto-alternate-formats quarto-categories quarto-listing-filter
    quarto-title-breadcrumbs quarto-title-meta reading-time related rss-subscribe rst-footer-buttons searchbox share
    share-wrapper site-footer site-header site-nav skip-link skip-to-content source-link sphinxsidebar
    sphinxsidebarwrapper table-of-contents theme-doc-breadcrumbs theme-doc-footer theme-doc-toc-mobile
    theme-doc-version-badge theme-doc-version-banner theme-edit-this-page toc toc-item toc_sidebar toctree-wrapper
    topic-contents utterances wy-breadcrumbs
"""
_SKIPPED = frozenset(_NAMES.split())
_START = re.compile(
    r"^(?:cookie|consent|docsearch|giscus|md-(?:header|footer|sidebar)|pagefind|tableOfContents|tocCollapsible|"
    r"sphx-glr-(?:binder|download|example-download|footer|signature|timing)|VP(?:DocAside|DocFooter|LocalNav|Nav|Sidebar|SkipLink|Social))",
    re.I,
)
# docs-navigation, page__meta, article-meta, entry-footer, td-page-meta, prev-next-area, chapter-pagination
_PARTS = re.compile(
    r"(?:^|[-_])(?:articles?|book|chapters?|content|docs?|entry|episode|lessons?|myst|pages?|posts?|section)(?:-nav|"
    r"[-_]+(?:footer|footer-links|meta|nav|navigation|navigator|pager|pagination|related|share|taxonomy|toc))$|(?:^|[-_])prev-?next(?:$|[-_])",
)
_CONTENTS = re.compile(r"^(?!(?:has|hide|in|no|show|with|without)[-_])(?:[a-z]+[-_]{1,2})toc$")
_IDS_NAMES = """
    TOC disqus_thread markdown-toc quarto-back-to-top quarto-citation quarto-copyright quarto-margin-sidebar
    quarto-reuse quarto-sidebar toc
"""
_IDS = frozenset(_IDS_NAMES.split())
_SHOWN_SOMEWHERE = re.compile(r"^d-(?:sm|md|lg|xl|xxl|print)-(?!none$)")  # Bootstrap: hidden on small screens alone
_UNSEEN_NAMES = "assistive-text screen-reader-only screen-reader-text sr-only visually-hidden visuallyhidden"
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
_PERMALINK_NAMES = """
    anchor anchor-heading anchorjs-link gdoc-page__anchor hash-link header-anchor header-link headerlink heading-anchor
    permalink subheading-anchor td-heading-self-link
"""
PERMALINK = frozenset(_PERMALINK_NAMES.split())
SIGNS = re.compile(r"^[\s#¶§🔗\u200b\u00b6\uf0c1]*$")
_EDIT_ADDRESS = re.compile(r"/(?:-/)?_?edit/|/issues/new\b|/discussions/new\b|[?&]action=edit\b")
_EDIT_TEXT = re.compile(r"\b(?:edit|improve|suggest|report|create|raise|issue|feedback)\b|✎|✏", re.I)
_DATED = re.compile(r"\b(?:\d+|one) min(?:ute)?s?(?: read)?$", re.I)
_CHROME = re.compile(
    r"(?:last (?:updated|modified|edited)\b.{0,60}|.{0,120}\b\d+ min(?:ute)?s? read|reading time:? .{0,20}|"
    r"back to top|copy(?: to clipboard)?|skip to (?:\w+ )?content|on this page|subscribe via rss)\W*",
    re.I,
)
CONTENTS_TITLE = re.compile(
    r"(?:table of )?contents?|on this page|in this (?:article|chapter|lesson|page|section)", re.I
)
_ASCIIDOC_NAMES = "author email footer revdate revnumber revremark"
_ASCIIDOC = frozenset(_ASCIIDOC_NAMES.split())
_AUTHORS = re.compile(
    r"^(?:authors?|byline|dates?|meta|publish(?:ed)?|avatar)(?:$|[-_]|[A-Z])|[-_](?:author|byline|date)s?$"
)
_FEW = 12
_MOST_TAGS = 30
_TAXONOMY = re.compile(r"/(?:categor(?:y|ies)|keywords?|tags?|topics?)/[^/]+/?(?:index\.html)?$|/tags/?#")
_DATED_BY = frozenset(("article", "div", "header", "main", "section"))
_BARS = frozenset(("center", "div", "ol", "p", "span", "table", "ul"))
_BAR_WORDS = re.compile(
    r"(?:[\W_]|\b(?:back|contents|home|index|modules|next|prev|previous|table of contents|top|up)\b)*", re.I
)
_LONGEST_BAR = 400


def is_furniture(node: LexborNode) -> bool:
    """Tell whether an element of a page is none of its text."""
    tag, classes = node.tag or "", classes_of(node)
    if _is_marked(node, tag) or _is_named(tag, classes) or _is_by_place(node, tag, classes):
        return True
    return tag in _BARS and (_is_bar(node) or _is_of_taxonomy(node))


def is_chrome(text: str) -> bool:
    """Tell whether a paragraph as a whole is one of those that themes write round a text, whatever they call it."""
    return bool(_CHROME.fullmatch(text))


def _is_marked(node: LexborNode, tag: str) -> bool:
    """Tell whether a page itself says of an element that it is no text."""
    attributes = node.attributes
    if tag in _TAGS or attributes.get("role") in _ROLES or attributes.get("id") in _IDS:
        return True
    # of Starlight's elements with the second, one shows a tree of files
    return "data-search-exclude" in attributes or (
        "data-pagefind-ignore" in attributes and not tag.startswith("starlight-")
    )


def _is_named(tag: str, classes: frozenset[str]) -> bool:
    heading = bool(re.fullmatch(r"h[1-6]", tag))  # a heading may be seen by readers of screens alone, or be in no menu
    if classes & _SKIPPED or (classes & _UNSEEN and not heading) or (tag == "ul" and "post-list" in classes):
        return True
    if "d-none" in classes and not any(_SHOWN_SOMEWHERE.match(name) for name in classes):
        return True
    parts = not heading and any(_PARTS.search(name) or _CONTENTS.match(name) for name in classes)
    return parts or any(_START.match(name) for name in classes)


def _is_by_place(node: LexborNode, tag: str, classes: frozenset[str]) -> bool:
    attributes = node.attributes
    if tag == "header":
        return node.css_first("h1, h2") is None
    if tag == "a":
        return _is_permalink(node, classes) or _is_way_on(node)
    if tag in ("i", "span") and attributes.get("aria-hidden") == "true":
        return not (node.text() or "").strip() or bool(SIGNS.match(node.text() or ""))
    if tag == "span" and "lang" in classes:  # what VitePress writes into the corner of code
        return node.parent is not None and any(name.startswith("language-") for name in classes_of(node.parent))
    if tag in ("div", "span") and attributes.get("id") in _ASCIIDOC:
        return node.parent is not None and (node.parent.tag == "body" or node.parent.attributes.get("id") == "header")
    if tag == "time":  # a date that stands by itself, and in no sentence
        return node.parent is not None and node.parent.tag in _DATED_BY and not _words_beside(node)
    if tag in ("ol", "ul"):
        return _is_contents(node)
    if tag == "aside":
        return bool(classes & {"sidebar-nav", "bd-sidebar"})
    return _is_of_header(node, tag, classes)


def _is_bar(node: LexborNode) -> bool:
    """Tell whether an element is a row of links to the pages around: "Next: B, Up: C [Contents]"."""
    links = node.css("a[href]")
    if not links or len(links) > _FEW:
        return False
    between = node.text() or ""
    if len(between) > _LONGEST_BAR:
        return False
    for link in links:
        named = {"index", "contents", "next", "prev", "start", "up"} & set((link.attributes.get("rel") or "").split())
        if not named and not _BAR_WORDS.fullmatch(link.text() or ""):
            return False
        between = between.replace(link.text() or "", " ", 1)
    return bool(_BAR_WORDS.fullmatch(between))


def _is_of_taxonomy(node: LexborNode) -> bool:
    """Tell whether an element lists the tags of a page: "Tags: trees, roots", each a link to the list of its pages."""
    links = node.css("a[href]")
    if not links or len(links) > _MOST_TAGS:
        return False
    if not all(_TAXONOMY.search(link.attributes.get("href") or "") for link in links):
        return False
    between = len((node.text(separator=" ") or "").split()) - sum(
        len((link.text(separator=" ") or "").split()) for link in links
    )
    return between <= len(links) + 1


def _words_beside(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and any(
        child.tag == "-text" and (child.text_content or "").strip() for child in parent.iter(include_text=True)
    )


def _is_contents(node: LexborNode) -> bool:
    """Tell whether a list below a heading such as "Table of contents" holds nothing but links."""
    before = node.prev
    while before is not None and before.tag in ("-text", "-comment"):
        before = before.prev
    if before is None or not re.fullmatch(r"h[1-6]|p", before.tag or ""):
        return False
    if not CONTENTS_TITLE.fullmatch(" ".join((before.text() or "").split()).rstrip(":¶# ")):
        return False
    text = "".join((node.text() or "").split())
    return text == "".join("".join((link.text() or "").split()) for link in node.css("a[href]"))


def _is_permalink(node: LexborNode, classes: frozenset[str]) -> bool:
    href = node.attributes.get("href") or ""
    if "#" not in href:
        return False
    text = (node.text() or "").strip()
    return bool(classes & PERMALINK and SIGNS.match(text)) or (bool(text) and bool(SIGNS.match(text)))


def _is_way_on(node: LexborNode) -> bool:
    """Tell whether a link leads to the page before or after, or to where the page is edited."""
    if {"prev", "next"} & set((node.attributes.get("rel") or "").split()):
        return True
    text = node.text() or ""
    if len(text.split()) > _FEW or not _EDIT_ADDRESS.search(node.attributes.get("href") or ""):
        return False
    return bool(_EDIT_TEXT.search(text))


def _is_of_header(node: LexborNode, tag: str, classes: frozenset[str]) -> bool:
    """Tell whether an element says in the head of a page when it was written, by whom, or how long it takes to read."""
    if tag not in ("address", "div", "dl", "p", "section", "small", "span", "time", "ul") or not _in_header(node):
        return False
    if node.css_first("h1, h2, h3") is not None:
        return False
    if tag == "time" or any(_AUTHORS.match(name) or _AUTHORS.search(name) for name in classes):
        return True
    text = (node.text() or "").strip()
    dated = any(child.tag == "time" for child in node.iter()) or bool(_DATED.search(text))
    return dated and len(text.split()) <= _FEW


def _in_header(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None and parent.tag not in ("main", "body", "article"):
        if parent.tag == "header":
            return True
        parent = parent.parent
    return False
