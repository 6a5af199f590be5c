"""What each MyST directive and each div of colons looks like: an admonition, a figure, a tab, or nothing special."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Literal, NamedTuple

from markdown_it.token import Token

TitlePlace = Literal["title", "summary", "caption", "none"]

_PLAIN_TITLED = frozenset(
    {"grid-item-card", "card", "tab-item", "tab", "table", "list-table", "csv-table", "rubric", "topic"}
)
_QUOTES = frozenset({"epigraph", "highlights", "pull-quote", "blockquote"})
_ASIDES = frozenset({"margin", "sidebar", "aside"})
_FOLDED = frozenset({"dropdown", "toggle", "details", "spoiler", "collapse"})
# Divs of colons that are boxes, in The Carpentries' lessons and in Quarto's pages.
_DIV_BOXES: Mapping[str, str] = {
    "callout": "note",
    "callout-note": "note",
    "callout-tip": "tip",
    "callout-important": "important",
    "callout-warning": "warning",
    "callout-caution": "caution",
    "objectives": "note",
    "questions": "note",
    "keypoints": "tip",
    "prereq": "note",
    "challenge": "exercise",
    "discussion": "note",
    "solution": "solution",
    "hint": "hint",
    "spoiler": "dropdown",
    "instructor": "note",
    "checklist": "tip",
    "testimonial": "quote",
    "caution": "caution",
    "tip": "tip",
    "note": "note",
    "warning": "warning",
    "important": "important",
}
_CLASS = re.compile(r"[A-Za-z_][\w-]*$")


class Box(NamedTuple):
    """How a directive opens and closes.

    Attributes:
        open, close: HTML around its content.
        title: what its title becomes.
        default: title to show when the author gave none, "" for none.
    """

    open: str
    close: str
    title: TitlePlace
    default: str = ""


def classes_of(*texts: str) -> list[str]:
    """Return the class names in texts of words, each once; what is no plain name is dropped."""
    return list(dict.fromkeys(word for text in texts for word in text.split() if _CLASS.match(word)))


def directive_box(token: Token) -> Box:
    """Return the box of a ``directive_open`` token."""
    name, role, options = token.meta["name"], token.meta["role"], token.meta["options"]
    short = name.rpartition(":")[2]
    extra = classes_of(options.get("class", ""))
    anchor = _anchor(options)
    if role in ("figure", "table") or short in ("figure-md", "table"):
        return Box(f'<figure class="captioned"{anchor}>\n', "</figure>\n", "caption")
    if short in _QUOTES:
        return Box(f"<blockquote{anchor}>\n", "</blockquote>\n", "title")
    if short in ("tab-item", "tab"):
        return Box(f'<div class="tab"{anchor}>\n', "</div>\n", "title", options.get("label", ""))
    if role == "admonition" or (role == "titled" and short not in _PLAIN_TITLED):
        return _admonition(short, extra, anchor, folded=_is_folded(short, extra, options), opened="open" in options)
    kind = " ".join(classes_of(short, *extra))
    return Box(f'<div class="{kind}"{anchor}>\n', "</div>\n", "title")


def div_box(token: Token) -> Box:
    """Return the box of a ``div_open`` token."""
    name = token.meta["name"]
    classes = classes_of(*token.meta["classes"])
    kind = next((_DIV_BOXES[word] for word in (name, *classes) if word in _DIV_BOXES), None)
    if kind is None:
        inner = " ".join(classes)
        return Box(f'<div class="{inner}">\n' if inner else "<div>\n", "</div>\n", "title")
    return _admonition(name, classes_of(kind, *classes), "", folded=kind == "dropdown", opened=False)


def _is_folded(name: str, classes: list[str], options: Mapping[str, str]) -> bool:
    return name in _FOLDED or any(word in _FOLDED for word in classes) or "dropdown" in options


def _admonition(name: str, classes: list[str], anchor: str, *, folded: bool, opened: bool) -> Box:
    kind = " ".join(classes_of("admonition", name, *classes))
    default = name.replace("callout-", "").replace("-", " ").capitalize()
    if default in ("Admonition", "Dropdown", "Details"):
        default = "Details" if folded else ""
    if folded:
        state = " open" if opened else ""
        return Box(f'<details class="{kind}"{anchor}{state}>\n', "</details>\n", "summary", default or "Details")
    return Box(f'<div class="{kind}"{anchor}>\n', "</div>\n", "title", "" if name in _ASIDES else default)


def _anchor(options: Mapping[str, str]) -> str:
    label = options.get("name") or options.get("label") or ""
    return f' id="{escape(label)}"' if label else ""
