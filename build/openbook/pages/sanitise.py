"""HTML that authors write in their notes, made safe by an allow-list.

The work is done on the whole body of a page by nh3 (the Ammonia library, which parses as browsers do), so that tags
opened in one place and closed in another stay what they are, and nothing that a fragment seems to be can differ from
what a browser makes of it. What the build itself makes and trusts (mathematics, highlighted code, controls) is kept
out of the way meanwhile: it stands in the text as a mark that nobody can guess, and is put back afterwards.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

import nh3

TAGS = frozenset(
    {
        "a", "abbr", "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code", "col", "colgroup", "dd",
        "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5",
        "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s",
        "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td",
        "tfoot", "th", "thead", "time", "tr", "u", "ul", "var", "wbr",
    }
)  # fmt: skip
"""What a page may hold."""

UNWRAPPED = frozenset(
    {
        "article", "aside", "big", "body", "center", "font", "footer", "header", "html", "main", "nav",
        "picture", "source", "tt",
    }
)  # fmt: skip
"""Dropped without a word, their content kept: they change nothing that a reader would miss."""

REMOVED_WITH_CONTENT = frozenset(
    {
        "applet", "audio", "canvas", "embed", "frameset", "iframe", "math", "noembed", "noframes", "noscript",
        "object", "plaintext", "script", "select", "style", "svg", "template", "textarea", "title", "video",
        "xmp",
    }
)  # fmt: skip
"""Dropped with everything in them, and a warning."""

_UNREAD = frozenset({"iframe", "math", "noscript", "script", "style", "svg", "template"})
"""Of these, the ones whose content is no text to read; of the others the text stays."""

_PLAYERS = frozenset({"iframe", "embed", "video", "audio"})
"""Where one of these showed something from another site, a link to it is left."""

ATTRIBUTES = {
    "*": {"class", "id", "title", "lang", "dir"},
    "a": {"href", "name", "rel"},
    "img": {"src", "alt", "width", "height", "loading"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "col": {"span"},
    "colgroup": {"span"},
    "ol": {"start", "reversed", "type"},
    "li": {"value"},
    "details": {"open"},
    "time": {"datetime"},
    "del": {"datetime"},
    "ins": {"datetime"},
}
QUIETLY_DROPPED_ATTRIBUTES = frozenset({"style", "align", "valign", "target", "border", "cellpadding", "cellspacing"})

_IMAGE_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]", re.IGNORECASE)


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Refuse ``data:`` everywhere but for a picture in an ``img``, where it cannot run anything."""
    # Browsers ignore white space and control characters in a scheme; so must this test.
    address = re.sub(r"[\x00-\x20\x7f]", "", value).lower()
    if name in {"href", "src"} and address.startswith("data:") and not (tag == "img" and _IMAGE_DATA.match(address)):
        return None
    return value


def clean(html: str) -> str:
    """Return ``html`` with nothing in it but what the allow-list has."""
    return nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags=set(REMOVED_WITH_CONTENT),
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel=None,
        strip_comments=True,
    )


class Trusted:
    """Pieces of HTML that the build made, kept out of the sanitiser's way.

    ``hold`` gives a mark to put into the text instead; ``restore`` puts the pieces back. A mark holds 64 random
    bits, so that no source can contain one.
    """

    def __init__(self) -> None:
        self._nonce = secrets.token_hex(8)
        self._pieces: list[str] = []
        self._mark = re.compile(rf"<div>ob{self._nonce}b(\d+)x</div>|ob{self._nonce}[bi](\d+)x")

    def hold(self, html: str) -> str:
        """Keep a piece that stands in a line and return its mark."""
        self._pieces.append(html)
        return f"ob{self._nonce}i{len(self._pieces) - 1}x"

    def hold_block(self, html: str) -> str:
        """Keep a piece that is a block of its own; the mark's ``div`` keeps a parser from opening a paragraph."""
        self._pieces.append(html)
        return f"<div>ob{self._nonce}b{len(self._pieces) - 1}x</div>\n"

    def restore(self, html: str) -> str:
        """Put every piece back; a piece may itself hold marks."""
        while self._mark.search(html):
            html = self._mark.sub(lambda match: self._pieces[int(match[1] or match[2])], html)
        return html


_FOREIGN = re.compile(r"(?:https?:)?//", re.IGNORECASE)

Rewrite = Callable[[str, str, int], str | None]
"""``rewrite(tag, address, line)``: the new address of an ``a`` or ``img``, or None to drop the attribute."""

Notice = Callable[[str, int], None]
"""``notice(what, line)``: something was left out."""

Book = Callable[[dict[str, str], int], str]
"""``book(attributes, line)``: what an ``<open-book>`` becomes; a mark of ``Trusted``, or "" for nothing."""


class RawHtml(HTMLParser):
    """Rewrites the addresses in a fragment of raw HTML, and notices what a reader of the page will not get.

    What is not on the allow-list is taken out here too, because one unclosed ``<textarea>`` would otherwise make the
    sanitiser swallow the rest of the page; that the page is safe does not depend on it.

    Args:
        line: 1-based line of the source in which the fragment begins.
        rewrite: called for each address.
        notice: called for each thing left out.
        book: called for each ``<open-book>``.
    """

    def __init__(self, line: int, rewrite: Rewrite, notice: Notice, book: Book) -> None:
        super().__init__(convert_charrefs=False)
        self._line = line
        self._rewrite = rewrite
        self._notice = notice
        self._book = book
        self._out: list[str] = []
        self._inside = ""  # the element whose content is being dropped

    def convert(self, fragment: str) -> str:
        """Return the fragment with its addresses rewritten; it is not safe yet."""
        self.feed(fragment)
        self.close()
        return "".join(self._out)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write an allowed tag with its allowed attributes."""
        if self._inside:
            return
        line = self._line + self.getpos()[0] - 1
        if tag == "open-book":
            self._out.append(self._book({name: value or "" for name, value in attrs}, line))
            return
        if tag not in TAGS:
            if tag not in UNWRAPPED:
                self._notice(f"<{tag}>", line)
            if tag in _UNREAD and not (self.get_starttag_text() or "").endswith("/>"):
                self._inside = tag
            address = next((value for name, value in attrs if name == "src" and value and _FOREIGN.match(value)), None)
            if tag in _PLAYERS and address:
                address = escape(f"https:{address}" if address.startswith("//") else address)
                self._out.append(f'<a href="{address}" rel="noopener">{address}</a>')
            return
        kept = [(name, value) for name, raw in attrs if (value := self._value(tag, name, raw or "", line)) is not None]
        if tag == "a" and any(name == "href" and _FOREIGN.match(value) for name, value in kept):
            kept.append(("rel", "noopener"))
        self._out.append(f"<{tag}" + "".join(f' {name}="{escape(value)}"' for name, value in kept) + ">")

    def _value(self, tag: str, name: str, value: str, line: int) -> str | None:
        if name in QUIETLY_DROPPED_ATTRIBUTES or name.startswith(("data-", "aria-")) or (tag, name) == ("a", "rel"):
            return None
        if name not in ATTRIBUTES["*"] and name not in ATTRIBUTES.get(tag, set()):
            self._notice(f"the attribute {name} of <{tag}>", line)
            return None
        return self._rewrite(tag, value, line) if (tag, name) in {("a", "href"), ("img", "src")} else value

    def handle_endtag(self, tag: str) -> None:
        """Write an allowed tag, or end the dropping."""
        if self._inside:
            if tag == self._inside:
                self._inside = ""
        elif tag in TAGS:
            self._out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Write text."""
        if not self._inside:
            self._out.append(data)

    def handle_entityref(self, name: str) -> None:
        """Write a named character as it was."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Write a numbered character as it was."""
        self.handle_data(f"&#{name};")
