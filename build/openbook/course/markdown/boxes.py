"""Boxes that are written neither as fences nor as divs: GitHub's alerts, MkDocs' admonitions and tabs."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from openbook.course.markdown.tables import matching

_ALERT = re.compile(r"\[!([A-Za-z][\w-]*)\][+-]?[ \t]*(.*)(?:\n|$)")
_MKDOCS = re.compile(r"(?:!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*)(?:[ \t]+[A-Za-z][\w-]*)*(?:[ \t]+\"(.*)\")?[ \t]*$")
_TAB = re.compile(r"===[!+]?[ \t]+\"(.+)\"[ \t]*$")
_TERMINATES: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}


def boxes_plugin(md: MarkdownIt) -> None:
    """Add the rules of this module."""
    md.block.ruler.before("fence", "indented_box", indented_box, _TERMINATES)
    md.core.ruler.after("block", "alerts", alerts)


def alerts(state: StateCore) -> None:
    """``> [!NOTE]`` and what follows in the quote: an admonition; a title may stand behind, as in Obsidian."""
    tokens = state.tokens
    titles: list[tuple[int, str]] = []
    for index, token in enumerate(tokens[:-2]):
        if token.type != "blockquote_open" or tokens[index + 1].type != "paragraph_open":
            continue
        inline = tokens[index + 2]
        match = _ALERT.match(inline.content)
        if match is None:
            continue
        close = matching(tokens, index)
        name, title = match[1].lower(), match[2].strip()
        token.type, token.tag, token.info = "directive_open", "div", name
        token.meta = {"name": name, "role": "titled" if title else "admonition", "argument": title, "options": {}}
        tokens[close].type, tokens[close].tag, tokens[close].info = "directive_close", "div", name
        inline.content = inline.content[match.end() :]
        if title:
            titles.append((index, title))
    for index, title in reversed(titles):
        lines = tokens[index].map
        inline = Token("inline", "", 0, content=title, map=lines, children=[], block=True)
        opening = Token("directive_title_open", "p", 1, map=lines, block=True)
        tokens[index + 1 : index + 1] = [opening, inline, Token("directive_title_close", "p", -1, block=True)]


def indented_box(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """``!!! note "Title"``, ``??? tip`` or ``=== "Tab"`` and the lines indented by four below it, as in MkDocs."""
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.startswith(("!!!", "???", "===")):
        return False
    match = _MKDOCS.match(line)
    tab = None if match else _TAB.match(line)
    if match is None and tab is None:
        return False
    indent = state.sCount[start] + 4
    stop = start + 1
    while stop < end and (state.isEmpty(stop) or state.sCount[stop] >= indent):
        stop += 1
    while stop > start + 1 and state.isEmpty(stop - 1):
        stop -= 1
    if tab is not None and stop == start + 1:
        return False
    if silent:
        return True
    name, title = (match[1].lower(), match[2] or "") if match else ("tab-item", tab[1] if tab else "")
    role = "titled"
    token = state.push("directive_open", "div", 1)
    token.info, token.markup, token.map = name, "!!!" if match else "===", [start, stop]
    token.meta = {"name": name, "role": role, "argument": title, "options": {}}
    if line.startswith("???"):
        token.meta["options"] = {"class": "dropdown"}
    if title:
        _push_title(state, title, start)
    line_max, parent, block_indent, tight = state.lineMax, state.parentType, state.blkIndent, state.tight
    state.lineMax, state.parentType, state.blkIndent = stop, "container", indent
    state.md.block.tokenize(state, start + 1, stop)
    state.lineMax, state.parentType, state.blkIndent, state.tight = line_max, parent, block_indent, tight
    state.line = stop
    state.push("directive_close", "div", -1).info = name
    return True


def _push_title(state: StateBlock, content: str, line: int) -> Token:
    state.push("directive_title_open", "p", 1).map = [line, line + 1]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = content, [line, line + 1], []
    return state.push("directive_title_close", "p", -1)
