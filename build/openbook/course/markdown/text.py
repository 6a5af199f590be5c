"""Inline tokens and HTML → the plain text that a reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from markdown_it.token import Token

# what cannot be seen but can hide text from a search or turn it round: zero-width space, soft hyphen, byte order mark,
# bidirectional controls; joiners that some scripts need are kept
_SPACES = re.compile(r"[ \t]{2,}")
_TITLED_ROLE = re.compile(r"(?P<title>.+?)\s*<(?P<target>[^<>]+)>$", re.DOTALL)
_IMAGE_ALT = re.compile(r"<img\b[^>]*?\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE | re.DOTALL)
# a comment that is never closed hides all behind it
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_IMAGE_SOURCE = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE | re.DOTALL)
# pictures of a project's state, as READMEs have them above their text
_BADGE = re.compile(
    r"^https?://(?:[\w.-]*\.)?(?:shields\.io|badgen\.net|badge\.fury\.io|codecov\.io|coveralls\.io|dcbadge\.[\w.]+|travis-ci\.\w+|"
    r"mybinder\.org/badge\w*|colab\.research\.google\.com/assets/colab-badge|zenodo\.org/badge|circleci\.com)\b"
    r"|[/_-]badges?(?:[_-]\w+)?\.(?:svg|png)(?:\?.*)?$|/workflows/[^?#]*\.svg|/badge\.svg|/badge/",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<br\b", re.IGNORECASE)

# roles that place a label or a size and show nothing, and references whose number is known to no one here
_SILENT_ROLES = """
    alt begin_tab bookpage cite:footnote end_tab eq eqlabel eqref height label math:numref numref octicon raw-html
    raw-latex target width
"""
SILENT_ROLES = frozenset(_SILENT_ROLES.split())
_INLINE_TAGS = """
    a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strong sub sup
    time tt u var wbr
"""
# roles that point at something by a qualified name, with ~ for its last part only
_OBJECT_DOMAINS = ("py:", "js:", "c:", "cpp:", "rst:", "external:", "std:")


class Inline(NamedTuple):
    """Text of inline tokens.

    Attributes:
        text: as a reader sees it.
        breaks: offsets in ``text`` at which a new line of the source begins.
    """

    text: str
    breaks: tuple[int, ...]


def role_text(name: str, content: str, titles: Mapping[str, str] | None = None) -> str:
    """Return what a reader sees of a role.

    Args:
        name: of the role.
        content: between its backticks.
        titles: label → title of what it points at, as far as known.

    Returns:
        The explicit text of ``text <target>``; else the target's title, or the target as it is written; "" for roles
        that show nothing.
    """
    if name == "crossref":
        return (titles or {}).get(content, "")
    if name in SILENT_ROLES or name.startswith("raw"):
        match = _TITLED_ROLE.match(content)
        return match["title"].strip() if match and name not in ("label", "eqlabel") else ""
    if name in (
        "abbr",
        "kbd",
        "code",
        "literal",
        "samp",
        "sub",
        "sup",
        "subscript",
        "superscript",
        "strong",
        "emphasis",
    ):
        return content
    match = _TITLED_ROLE.match(content)
    if match:
        return match["title"].strip()
    if name in ("ref", "doc", "any", "std:ref", "std:doc") and titles and content in titles:
        return titles[content]
    if name.startswith(_OBJECT_DOMAINS) or name in ("class", "func", "meth", "mod", "attr", "exc", "obj", "data"):
        content = content.removeprefix("!")
        return content[1:].rpartition(".")[2] if content.startswith("~") else content
    return content


def inline_text(children: Sequence[Token] | None, titles: Mapping[str, str] | None = None) -> str:
    r"""Return the text of an inline token's children; line breaks that an author forced are ``\n``."""
    return read_inline(children, titles).text


def read_inline(children: Sequence[Token] | None, titles: Mapping[str, str] | None = None) -> Inline:
    """Return the text of an inline token's children and where in it the lines of the source begin."""
    pieces: list[str] = []
    breaks: list[int] = []
    length = 0
    for token in children or ():
        piece = _piece(token, titles)
        if token.type != "code_inline":
            piece = _SPACES.sub(" ", piece)
        if piece.startswith(" ") and pieces and pieces[-1].endswith((" ", "\n")):
            piece = piece[1:]
        if token.type in ("softbreak", "hardbreak") or token.meta.get("softbreak"):
            breaks.append(length + len(piece))
        if piece:
            pieces.append(piece)
            length += len(piece)
    return Inline("".join(pieces), tuple(breaks))


def _piece(token: Token, titles: Mapping[str, str] | None) -> str:
    kind = token.type
    if kind in ("text", "text_special", "code_inline"):
        return token.content
    if kind in ("math_inline", "math_inline_double"):
        return " ".join(token.content.split())
    if kind == "softbreak":
        return " "
    if kind == "hardbreak":
        return "\n"
    if kind == "image":
        return image_text(token)
    if kind == "html_inline":
        if _BREAK.match(token.content):
            return "\n"
        source = _IMAGE_SOURCE.match(token.content)
        if source and _BADGE.search(source[1]):
            return ""
        match = _IMAGE_ALT.match(token.content)
        return next((group for group in match.groups() if group is not None), "") if match else ""
    if kind == "myst_role":
        return role_text(token.meta.get("name", ""), token.content, titles) or str(token.meta.get("word", ""))
    return ""


def image_text(token: Token) -> str:
    """Return what an image adds to a text: its alternative text; nothing when it is a badge."""
    return "" if _BADGE.search(str(token.attrs.get("src", ""))) else image_alt(token)


def image_alt(token: Token) -> str:
    """Return the alternative text of an image, from its brackets or its attributes: ``![alt](a.png){alt="…"}``.

    In a deck, Marp's words for size and place are not part of it.
    """
    if "alt" in token.meta:
        return str(token.meta["alt"])
    written = inline_text(token.children)
    return (written or str(token.attrs.get("alt") or "")).strip()


def only_images(children: Iterable[Token] | None) -> bool:
    """Tell whether a paragraph holds images, links round them and white space, and no text."""
    found = False
    for token in children or ():
        if token.type == "image" or (token.type == "html_inline" and token.content.lower().startswith("<img")):
            found = True
        elif token.type not in ("html_inline", "softbreak", "hardbreak") and _piece(token, None).strip():
            return False
    return found


class _Reader(HTMLParser):
    _UNSEEN = frozenset(("script", "style", "template", "head", "noscript"))
    _INLINE = frozenset(_INLINE_TAGS.split())

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._UNSEEN:
            self._unseen += 1
        if tag == "img":
            named = dict(attrs)
            alt = "" if _BADGE.search(named.get("src") or "") else named.get("alt")
            self.pieces.append(f" {alt} " if alt else "")
        elif tag not in self._INLINE:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        if tag not in self._INLINE:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.pieces.append(data)


def html_text(html: str) -> str:
    """Return the text of a piece of HTML: no tags, comments, styles or scripts; one line for each block element."""
    html = _COMMENT.sub("", html)
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
        text = "".join(reader.pieces)
    except AssertionError:
        # html.parser gives up on malformed declarations such as "<![x"
        text = re.sub(r"<![^>]*(?:>|$)|<[^<>]*>", "\n", html)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
