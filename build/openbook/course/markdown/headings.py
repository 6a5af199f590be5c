"""Anchors of headings, and which headings are sections of the document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from openbook.course.anchors import Slugger, explicit_id
from openbook.course.markdown.report import warn
from openbook.course.markdown.text import html_text, inline_text

_HEADING_ATTRIBUTES = re.compile(
    r"[ \t]*\{:?((?:\s*(?:-(?=[\s}])|#[^\s{}]+|\.[\w-]+|[\w-]+=(?:\"[^\"]*\"|[\w:%.-]+)))+)\s*\}\s*$"
)
_MARK_ID = re.compile(r"\{:?[^{}]*?#([^\s{}]+)")
_TAG = re.compile(
    r"<(/?)(details|aside|blockquote|figure|table|dialog|template|fieldset|div|section)\b([^>]*)>", re.IGNORECASE
)
_BOX = re.compile(
    r"\b(?:admonition|note|warning|tip|callout|alert|box|panel|card|exercise|solution|example|question)\b"
)
_HTML_HEADING = re.compile(r"^[ \t]*<h([1-6])\b([^<>]*)>(.*?)</h\1\s*>[ \t]*", re.IGNORECASE | re.DOTALL | re.MULTILINE)
_ID = re.compile(r"\bid\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
_TABLE = re.compile(r"<t(?:able|d|h)\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Anchors:
    """What ``anchor_headings`` found; the fields are those of ``syntax.Parsed``."""

    first_title: str | None
    top: str
    targets: dict[str, str]
    titles: dict[str, str]
    slugger: Slugger


def strip_heading_attributes(state: StateCore) -> None:
    """Core rule before inlines are parsed: ``## Title {#id .class}`` → the title, with label and class on its token."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type != "heading_open" or inline.type != "inline":
            continue
        match = _HEADING_ATTRIBUTES.search(inline.content)
        if match is None or not inline.content[: match.start()].strip():
            continue
        inline.content = inline.content[: match.start()]
        for word in match[1].split():
            if word.startswith("#"):
                opening.meta["label"] = word[1:]
            elif word.startswith("."):
                opening.attrJoin("class", word[1:])


def html_headings(state: StateCore) -> None:
    """Core rule before inlines are parsed: ``<h1 align="center">Title</h1>``, as READMEs have it, is a heading."""
    found: list[Token] = []
    for token in state.tokens:
        if token.type != "html_block" or not _HTML_HEADING.search(token.content) or _TABLE.search(token.content):
            found.append(token)
            continue
        content = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), token.content)
        first, position = (token.map or [0, 1])[0], 0
        for match in _HTML_HEADING.finditer(content):
            found.extend(_html_part(token, position, match.start(), first))
            found.extend(_heading(match, token, first))
            position = match.end()
        found.extend(_html_part(token, position, len(content), first))
    state.tokens = found


def _html_part(token: Token, start: int, end: int, first: int) -> Iterator[Token]:
    content = token.content[start:end]
    if content.strip():
        lines = [first + token.content.count("\n", 0, start), first + token.content.count("\n", 0, end - 1) + 1]
        yield Token("html_block", "", 0, content=content, map=lines, level=token.level, block=True)


def _heading(match: re.Match[str], token: Token, first: int) -> Iterator[Token]:
    tag = f"h{match[1]}"
    start = first + token.content.count("\n", 0, match.start())
    lines = [start, start + match[0].count("\n") + 1]
    opening = Token("heading_open", tag, 1, map=lines, level=token.level, markup="<", block=True)
    named = _ID.search(match[2])
    if named:
        opening.meta["label"] = named[1]
    yield opening
    content = " ".join(match[3].split())
    yield Token("inline", "", 0, map=lines, content=content, children=[], level=token.level + 1, block=True)
    yield Token("heading_close", tag, -1, level=token.level, markup="<", block=True)


def anchor_headings(tokens: list[Token], env: dict[str, Any]) -> Anchors:
    """Give each heading its id, and each label that is not a heading's a place of its own.

    Labels that the author wrote come first, then the slugs of the document's headings in order, then those of
    headings inside boxes, so that a box cannot change the anchor of a section.
    """
    boxed = _inside_html(tokens)
    headings = [(index, token) for index, token in enumerate(tokens) if token.type == "heading_open"]
    for index, token in headings:
        token.meta["title"] = " ".join(inline_text(tokens[index + 1].children).split())
        token.meta["section"] = token.level == 0 and index not in boxed and bool(token.meta["title"])
    targets: dict[str, str] = {}
    slugger = Slugger()
    labels = _labels(tokens)
    for token, names in labels:
        _claim(token, names, slugger, targets, env)
    order = sorted(headings, key=lambda item: not item[1].meta["section"])
    for _, token in order:
        slug = slugger.heading(token.meta["title"])
        if "id" in token.attrs:
            token.meta["aliases"] = (*token.meta.get("aliases", ()), slug)
        else:
            token.attrs["id"] = slug
    titles: dict[str, str] = {}
    for _, token in headings:
        anchor = str(token.attrs["id"])
        titles[anchor] = token.meta["title"]
        for name in (anchor, *token.meta.setdefault("aliases", ())):
            targets.setdefault(name, anchor)
    return Anchors(
        first_title=_first_title(tokens),
        top=slugger.unique("top"),
        targets=targets,
        titles=titles,
        slugger=slugger,
    )


def fill_links(tokens: list[Token], anchors: Anchors) -> None:
    """Give links without a text, ``[](#label)``, the title of what they point at, or else its name."""
    for token in tokens:
        if token.type != "inline" or not token.children:
            continue
        children: list[Token] = []
        for index, child in enumerate(token.children):
            children.append(child)
            behind = token.children[index + 1] if index + 1 < len(token.children) else None
            if child.type == "link_open" and behind is not None and behind.type == "link_close":
                href = unquote(str(child.attrs.get("href", "")))
                label = href.rpartition("#")[2]
                title = anchors.titles.get(anchors.targets.get(label, ""))
                text = title if title and href.startswith("#") else label or href
                children.append(Token("text", "", 0, content=text, level=child.level + 1))
        token.children = children


def _first_title(tokens: list[Token]) -> str | None:
    """Return the text of the first heading of level 1, else of the first heading when no text stands before it."""
    sections = [index for index, token in enumerate(tokens) if token.meta.get("section")]
    first = next((index for index in sections if tokens[index].tag == "h1"), None)
    if first is None and sections and not any(_shows(token) for token in tokens[: sections[0]]):
        first = sections[0]
    return None if first is None else str(tokens[first].meta["title"])


def _shows(token: Token) -> bool:
    if token.type == "html_block":
        return bool(html_text(token.content))
    return token.type in ("inline", "fence", "code_block", "math_block", "amsmath")


def _labels(tokens: list[Token]) -> list[tuple[Token, list[str]]]:  # noqa: C901
    """Pair labels with the token that carries them: the next heading, or the last one for labels written behind it."""
    found: list[tuple[Token, list[str]]] = []
    waiting: list[Token] = []
    heading: Token | None = None

    def settle() -> None:
        found.extend((token, [token.content]) for token in waiting if token.type == "myst_target")
        waiting.clear()

    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "myst_target" and token.meta.get("behind") and heading is not None:
            found.append((heading, [token.content]))
            token.hidden = True
        elif kind == "myst_target":
            waiting.append(token)
        elif kind == "marks" and (match := _MARK_ID.match(token.content)):
            if token.content.startswith("{:"):
                if heading is not None:
                    found.append((heading, [match[1]]))
            else:
                token.meta["label"] = match[1]
                waiting.append(token)
        elif kind in ("marks", "myst_line_comment", "heading_close"):
            continue
        elif kind == "heading_open":
            names = [mark.meta.get("label", mark.content) for mark in waiting]
            for mark in waiting:
                mark.hidden = True
            waiting.clear()
            own = token.meta.get("label")
            found.append((token, [*([own] if own else []), *names]))
            heading = token
        elif kind == "inline" and tokens[index - 1].type == "heading_open":
            continue
        else:
            settle()
            heading = None
            if label := _box_label(token):
                found.append((token, [label]))
            found.extend((child, [name]) for child in token.children or () if (name := _inline_label(child)))
    settle()
    return found


def _inline_label(token: Token) -> str:
    if token.type == "myst_role" and token.meta.get("name") in ("label", "eqlabel"):
        return token.content
    return str(token.attrs.pop("id", ""))


def _box_label(token: Token) -> str:
    """The label of a div or a cell: ``::: {#fig-x}``, ``#| label: fig-x``, ``:name: x``."""
    if token.type == "div_open":
        return str(token.attrs.pop("id", ""))
    return str(token.meta.get("label", "")) if token.type == "paragraph_open" else ""


def _claim(token: Token, names: list[str], slugger: Slugger, targets: dict[str, str], env: dict[str, Any]) -> None:
    for name in names:
        label = explicit_id(name)
        if label in slugger:
            warn(env, "duplicate-label", f"the label {label!r} is given twice.", token.map[0] if token.map else None)
            continue
        slugger.unique(label)
        if "id" not in token.attrs:
            token.attrs["id"] = label
        else:
            token.meta["aliases"] = (*token.meta.get("aliases", ()), label)
        targets[label] = targets[name] = str(token.attrs["id"])


def _inside_html(tokens: list[Token]) -> set[int]:
    """Indices of tokens between the tags of an HTML element that is a box of its own."""
    open_tags: dict[str, list[tuple[int, bool]]] = {}
    inside: set[int] = set()
    for index, token in enumerate(tokens):
        if token.type != "html_block" or token.level > 0:
            continue
        for match in _TAG.finditer(_COMMENT.sub("", token.content)):
            tag = match[2].lower()
            stack = open_tags.setdefault(tag, [])
            if not match[1]:
                stack.append((index, tag not in ("div", "section") or bool(_BOX.search(match[3]))))
            elif stack:
                first, box = stack.pop()
                if box:
                    inside.update(range(first, index))
    return inside
