"""Core rule behind the parser: what is not to be seen is marked or taken out."""

from __future__ import annotations

import re
import unicodedata

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from openbook.course.markdown.report import warn
from openbook.course.markdown.tables import matching

_TOC = re.compile(r"\{:[^}]*\btoc\b")
_HIDDEN = frozenset(("myst_line_comment", "myst_block_break", "marks"))
_LABELS = frozenset(("label", "eqlabel"))
_SETTINGS = frozenset(("label", "eqlabel", "width", "height", "begin_tab", "end_tab", "alt"))


def tidy(state: StateCore) -> None:
    """Hide marks, join lines of scripts without spaces, and take out paragraphs of labels alone."""
    kept: list[Token] = []
    tokens = state.tokens
    _set_levels(tokens)
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "html_block" and token.content.rfind("<!--") > token.content.rfind("-->"):
            warn(state.env, "unclosed-comment", "a comment begins here and never ends.", (token.map or [0])[0])
        if token.type in _HIDDEN:
            token.hidden = True
        if token.type in ("bullet_list_open", "ordered_list_open") and _is_contents(tokens, index):
            index = matching(tokens, index) + 1
            continue
        if token.type == "paragraph_open" and _is_settings(tokens[index + 1].children):
            kept.extend(_targets(tokens[index + 1], token.level))
            index += 3
            continue
        if token.type == "inline" and token.children:
            _join_lines(token.children)
        kept.append(token)
        index += 1
    state.tokens = kept
    refs = state.env.get("footnotes", {}).get("refs", {})
    for label, number in refs.items():
        if number < 0:
            warn(
                state.env,
                "unused-footnote",
                f"the footnote [^{label[1:]}] is not referred to, so it is left out.",
                None,
            )


def _is_contents(tokens: list[Token], start: int) -> bool:
    """Whether a list is kramdown's place for a table of contents: one item, and ``{:toc}`` behind it."""
    close = matching(tokens, start)
    behind = tokens[close + 1] if close + 1 < len(tokens) else None
    items = sum(token.type == "list_item_open" for token in tokens[start:close])
    return items == 1 and behind is not None and behind.type == "marks" and _TOC.match(behind.content) is not None


def _set_levels(tokens: list[Token]) -> None:
    """Count nesting anew: tables that were built from lists stand deeper than their lists did."""
    level = 0
    for token in tokens:
        level -= token.nesting < 0
        token.level = level
        level += token.nesting > 0


def _is_settings(children: list[Token] | None) -> bool:
    """A paragraph of d2l-book's settings alone, such as ``:label:`sec_x` ``, or of nothing (kramdown's marks)."""
    return all(
        (child.type == "myst_role" and child.meta.get("name") in _SETTINGS)
        or child.type in ("softbreak", "hardbreak")
        or (child.type == "text" and not child.content.strip())
        for child in children or ()
    )


def _targets(inline: Token, level: int) -> list[Token]:
    return [
        Token("myst_target", "", 0, content=child.content, level=level, map=inline.map, meta={"behind": True})
        for child in inline.children or ()
        if child.type == "myst_role" and child.meta.get("name") in _LABELS
    ]


def _join_lines(children: list[Token]) -> None:
    for index, token in enumerate(children):
        if token.type != "softbreak" or not 0 < index < len(children) - 1:
            continue
        before, behind = children[index - 1].content[-1:], children[index + 1].content[:1]
        if before and behind and _unspaced(before) and _unspaced(behind):
            children[index] = Token("text", "", 0, content="", level=token.level, meta={"softbreak": True})


def _unspaced(char: str) -> bool:
    """Whether a character belongs to a script written without spaces, or to its punctuation."""
    if char < "\u2e80":
        return False
    name = unicodedata.name(char, "")
    return name.startswith(("CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC")) or "\uff01" <= char <= "\uff60"
