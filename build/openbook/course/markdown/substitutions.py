"""MyST's substitutions: ``{{ name }}`` stands for Markdown that the front matter gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from openbook.course.markdown.context import MAX_DEPTH, context_of
from openbook.course.markdown.includes import parse_in_place
from openbook.course.markdown.report import warn

_SUBSTITUTION = re.compile(r"\{\{[ \t]*([A-Za-z_][\w.-]*)[ \t]*(?:\|[^{}\n]*)?\}\}")
_DEPTH = "openbook_substituting"
_TERMINATES: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}


def substitutions_plugin(md: MarkdownIt) -> None:
    """Add the rules of this module."""
    md.block.ruler.before("fence", "substitution_block", substitution_block, _TERMINATES)
    md.inline.ruler.before("escape", "substitution", substitution)


def substitutions_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the substitutions that front matter gives, at its top or below ``myst``."""
    found: dict[str, str] = {}
    myst = data.get("myst")
    for table in (myst if isinstance(myst, dict) else {}, data):
        given = table.get("substitutions")
        if isinstance(given, dict):
            found |= {str(key): str(value) for key, value in given.items() if not isinstance(value, (dict, list))}
    return found


def substitution_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of one substitution alone: what it stands for may be any block."""
    context = context_of(state.env)
    if not context.substitutions or state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = _SUBSTITUTION.fullmatch(line.strip()) if line.startswith("{{") else None
    value = context.substitutions.get(match[1]) if match else None
    depth = state.env.get(_DEPTH, 0)
    if match is None or value is None or depth >= MAX_DEPTH:
        return False
    if silent:
        return True
    state.line = start + 1
    state.env[_DEPTH] = depth + 1
    parse_in_place(state, value, start)
    state.env[_DEPTH] = depth
    return True


def substitution(state: StateInline, silent: bool) -> bool:
    """A substitution inside a line; one that nobody gave stays as it is written."""
    if not state.src.startswith("{{", state.pos):
        return False
    context = context_of(state.env)
    match = _SUBSTITUTION.match(state.src, state.pos, state.posMax)
    if match is None or not context.substitutions:
        return False
    value = context.substitutions.get(match[1])
    depth = state.env.get(_DEPTH, 0)
    if value is None or depth >= MAX_DEPTH:
        if not silent:
            warn(state.env, "unknown-substitution", f"nothing is given for {match[0]}; it stays as it is.", None)
            state.pending += match[0]
        state.pos = match.end()
        return True
    if not silent:
        children: list[Token] = []
        state.env[_DEPTH] = depth + 1
        state.md.inline.parse(value, state.md, state.env, children)
        state.env[_DEPTH] = depth
        if state.pending:
            state.pushPending()
        state.tokens.extend(children)
        state.tokens_meta.extend([None] * len(children))
    state.pos = match.end()
    return True
