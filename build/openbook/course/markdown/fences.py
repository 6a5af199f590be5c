"""Block rules for everything between fences: code, MyST directives, and divs of colons.

Backtick and tilde fences close as CommonMark says: at the first line of at least as many of the same character.
Colons nest, so a div of colons closes where its own end is:

* a MyST directive (``:::{note}``) at the first end that has its number of colons, or, when there is none, more;
* a div without braces (``::: callout``, as Pandoc and The Carpentries write it) at the next end of any length. One
  without an end is no div.

The body of a directive is tokenised in place, by the same state, so that line numbers and link references are right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from openbook.course.markdown import directives
from openbook.course.markdown.cells import read_cell, tags_of
from openbook.course.markdown.context import context_of
from openbook.course.markdown.includes import include, parse_in_place, read_file, select
from openbook.course.markdown.report import warn
from openbook.course.markdown.rst import rst_as_markdown

_COLONS = re.compile(r"(:{3,})[ \t]*(.*?)[ \t]*$")
_COLON_END = re.compile(r":{3,}[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)$")
_DIV_NAME = re.compile(r"(\w[\w.+-]*)(?:\[(.*)\]|[ \t]+(.*))?$")
_RAW = re.compile(r"\{=(\w+)\}$")
_DIV_ID = re.compile(r"#([^\s{}]+)")
_DIV_VALUE = re.compile(r"""([\w-]+)=(?:"([^"]*)"|'([^']*)'|(\S+))""")
_ENGINE = re.compile(r"\{[A-Za-z][\w+#]*(?:[\s,][^{}]*)?\}$")
_BOX_ENGINE = re.compile(
    r"\{(block2?|theorem|lemma|corollary|proposition|conjecture|definition|example|exercise|hypothesis|proof|remark|"
    r"solution)\b((?:[\s,]+(?![\w.-]+\s*=)([\w:.-]+))?[^{}]*)\}$"
)
_HIGHLIGHT = re.compile(r"\{%-?\s*highlight\s+([\w+#-]+)[^%]*%\}\s*$")
_END_HIGHLIGHT = re.compile(r"\{%-?\s*endhighlight\s*-?%\}\s*$")
_LAYOUT_NAMES = """
    body center centered cols column columns container content-hidden content-visible fragment full-width fullwidth
    incremental justify landscape main nonincremental page-columns panel-tabset row section small smaller tabset
    text-center unlisted unnumbered wide
"""
_LAYOUT = frozenset(_LAYOUT_NAMES.split())
_TERMINATES: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}


class Div(NamedTuple):
    """The first line of a div of colons.

    Attributes:
        colons: how many.
        directive: whether it is a MyST directive, with its name in braces.
        name: of the directive or the class of the div; may be "" for a div.
        argument: what stands behind the name.
        classes: of a div with attributes, ``::: {.columns #main}``.
        label: of a div with attributes.
        options: of a div with attributes: ``title="…"``.
    """

    colons: int
    directive: bool
    name: str
    argument: str
    classes: tuple[str, ...] = ()
    label: str = ""
    options: Mapping[str, str] = {}


def fences_plugin(md: MarkdownIt) -> None:
    """Put the rules of this module in place of the parser's own fence rule."""
    md.block.ruler.at("fence", fence, _TERMINATES)
    md.block.ruler.before("fence", "colon_div", colon_div, _TERMINATES)
    md.block.ruler.before("fence", "liquid_highlight", liquid_highlight, _TERMINATES)


def fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Code between backticks or tildes, or a directive written so."""
    match = None if state.is_code_block(start) else _FENCE.match(_line(state, start))
    if match is None or (match[1][0] == "`" and "`" in match[2]):
        return False
    if silent:
        return True
    close, closed = _fence_end(state, start, end, match[1])
    if not closed:
        warn(state.env, "unclosed-fence", f"the block that {match[1]} opens here is never closed.", start)
    state.line = close + closed
    info = match[2].strip()
    pandoc = context_of(state.env).pandoc
    box = _BOX_ENGINE.match(info) if pandoc else None
    cell = directives.is_cell(info) or (pandoc and _ENGINE.match(info) is not None)
    found = None if cell else directives.split_info(info)
    if box:
        _push_engine_box(state, start, close, box, match[1])
    elif cell:
        _push_cell(state, start, close, info, match[1])
    elif raw := _RAW.match(info):
        _push_leaf(
            state, start, start + 1, close, match[1], {"name": "raw", "role": "raw", "argument": raw[1], "options": {}}
        )
    elif found is None:
        _push_code(state, start, start + 1, close, info, match[1])
    else:
        _push_directive(state, start, close, *found, markup=match[1])
    return True


def liquid_highlight(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Code between ``{% highlight python %}`` and ``{% endhighlight %}``, as Jekyll has it."""
    match = None if state.is_code_block(start) else _HIGHLIGHT.match(_line(state, start))
    if match is None:
        return False
    close = next((line for line in range(start + 1, end) if _END_HIGHLIGHT.match(_line(state, line))), None)
    if close is None:
        return False
    if not silent:
        state.line = close + 1
        _push_code(state, start, start + 1, close, match[1], "{%")
    return True


def colon_div(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: C901
    """A div of colons, with or without braces; an end that closes nothing is dropped with a warning."""
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    match = _COLONS.match(line)
    if match is None:
        return False
    stray = not match[2]
    div = None if stray else _read_div(match)
    if not stray and div is None:
        return False
    if silent:
        return True
    if div is None:
        warn(state.env, "stray-fence", f"{match[1]} closes nothing here.", start)
        state.line = start + 1
        return True
    close, closed = _div_end(state, start, end, div)
    if not closed:
        warn(state.env, "unclosed-fence", f"the block that {match[1]} opens here is never closed.", start)
    if not closed and not div.directive:
        # as in Pandoc, it is no div then, and the sections behind it are sections
        state.line = start + 1
        if div.argument:
            _push_inline(state, "paragraph", div.argument, start)
        return True
    state.line = close + closed
    if div.directive:
        _push_directive(state, start, close, div.name, div.argument, markup=match[1])
    elif not _is_unseen(div):
        _push_div(state, start, close, div, match[1])
    return True


def _is_layout(name: str) -> bool:
    return name in _LAYOUT or name.startswith(("column-", "col-", "layout-", "g-col-"))


def _is_unseen(div: Div) -> bool:
    """Whether an HTML page does not show a div at all: Quarto's conditions, and what is hidden by name."""
    formats = div.options.get("when-format", "")
    if "content-visible" in div.classes and formats:
        return not formats.startswith(("html", "website", "book"))
    if "content-hidden" in div.classes:
        return formats.startswith("html") or bool(div.options.get("unless-format", "").startswith(("pdf", "latex")))
    return "hidden" in div.classes


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _leaves(state: StateBlock, number: int) -> bool:
    """Whether a line is indented less than the block that is read, and so ends it."""
    return not state.isEmpty(number) and state.sCount[number] < state.blkIndent


def _fence_end(state: StateBlock, start: int, end: int, markup: str) -> tuple[int, bool]:
    """Return the line that closes a fence and True, or the line at which it stops unclosed and False."""
    for number in range(start + 1, end):
        if _leaves(state, number):
            return number, False
        text = _line(state, number).rstrip(" \t")
        if (
            len(text) >= len(markup)
            and text.startswith(markup[0])
            and not text.strip(markup[0])
            and not state.is_code_block(number)
        ):
            return number, True
    return end, False


def _read_div(match: re.Match[str]) -> Div | None:
    colons, rest = len(match[1]), match[2].rstrip(":").rstrip(" \t")
    found = directives.split_info(rest)
    if found is not None:
        return Div(colons, True, *found)
    if rest.startswith("{") and rest.endswith("}"):
        options = {found[1]: found[2] or found[3] or found[4] or "" for found in _DIV_VALUE.finditer(rest[1:-1])}
        rest = _DIV_VALUE.sub("", rest[1:-1])
        label = _DIV_ID.search(rest)
        classes = tuple(word.lstrip(".") for word in rest.split() if not word.startswith("#"))
        title = options.get("title") or options.get("name") or options.get("data-title") or options.get("summary") or ""
        name = classes[0] if classes else (label[1].partition("-")[0] if label else "")
        return Div(colons, False, name, title, classes, label[1] if label else "", options)
    named = _DIV_NAME.match(rest)
    return Div(colons, False, named[1], (named[2] or named[3] or "").strip(), (named[1],)) if named else None


def _div_end(state: StateBlock, start: int, end: int, div: Div) -> tuple[int, bool]:  # noqa: C901
    """Return the line that closes a div and True, or the line at which it stops unclosed and False."""
    if _last_end(state) <= start:
        # without this, each of many unclosed divs would be searched for its end to the end of the file
        return _body_end(state, start, end), False
    stack = [div]
    number = start + 1
    while number < end:
        if _leaves(state, number):
            return number, False
        if state.is_code_block(number):
            number += 1
            continue
        text = _line(state, number)
        code = _FENCE.match(text)
        if code is not None and not (code[1][0] == "`" and "`" in code[2]):
            close, closed = _fence_end(state, number, end, code[1])
            number = close + 1 if closed else number + 1
            continue
        if text.startswith("<!--"):
            number = _comment_end(state, number, end) + 1
            continue
        colons = _COLONS.match(text)
        if colons is not None:
            inner = _read_div(colons) if colons[2] else None
            if inner is not None:
                stack.append(inner)
            elif not colons[2]:
                _close(stack, len(colons[1]))
                if not stack:
                    return number, True
        number += 1
    return end, False


def _last_end(state: StateBlock) -> int:
    """Return the last line of the text that could end a div; -1 when there is none."""
    known = state.env.get("openbook_last_end")
    if known is None or known[0] is not state:
        numbers = range(len(state.bMarks) - 1, -1, -1)
        known = state, next((number for number in numbers if _COLON_END.match(_line(state, number))), -1)
        state.env["openbook_last_end"] = known
    return int(known[1])


def _body_end(state: StateBlock, start: int, end: int) -> int:
    return next((number for number in range(start + 1, end) if _leaves(state, number)), end)


def _comment_end(state: StateBlock, start: int, end: int) -> int:
    return next((number for number in range(start, end) if "-->" in _line(state, number)), start)


def _close(stack: list[Div], colons: int) -> None:
    """Take from the stack of open divs what an end of so many colons closes."""
    if not stack[-1].directive:
        stack.pop()
        return
    first = next((index + 1 for index in range(len(stack) - 1, -1, -1) if not stack[index].directive), 0)
    same = [index for index in range(first, len(stack)) if stack[index].colons == colons]
    fewer = [index for index in range(first, len(stack)) if stack[index].colons < colons]
    if same or fewer:
        del stack[(same or fewer)[-1] :]


def _push_code(
    state: StateBlock, start: int, first: int, close: int, info: str, markup: str, meta: dict[str, object] | None = None
) -> Token:
    token = state.push("fence", "code", 0)
    token.info = info
    token.content = state.getLines(first, close, state.sCount[start], True)
    token.markup = markup
    token.map = [start, state.line]
    token.meta = {"language": directives.language_of(info), "code_line": first, **(meta or {})}
    if token.content.startswith("#@tab"):
        # d2l-book: the framework that the block is for; not a line of the program
        tab, _, token.content = token.content.partition("\n")
        token.meta.update(tab=tab.removeprefix("#@tab").strip(), code_line=first + 1)
    return token


def _push_engine_box(state: StateBlock, start: int, close: int, match: re.Match[str], markup: str) -> None:
    """A box of bookdown's: ```` ```{theorem, name="Pythagoras"} ````, whose body is Markdown."""
    options = {found[1]: found[2] or found[3] or found[4] or "" for found in _DIV_VALUE.finditer(match[2])}
    label = options.get("label", "") or match[3] or ""
    div = Div(3, False, match[1].rstrip("2"), options.get("name", ""), (options.get("type") or match[1],), label)
    _push_div(state, start, close, div, markup)


def _push_cell(state: StateBlock, start: int, close: int, info: str, markup: str) -> None:
    """A cell of code: what of it the page shows."""
    body = state.getLines(start + 1, close, state.sCount[start], False).split("\n") if close > start + 1 else []
    cell = read_cell(info, body, context_of(state.env).data)
    for path in cell.child:
        include(state, path, start)
    caption = " ".join(cell.captions)
    if cell.shown:
        meta: dict[str, object] = {"name": "code-cell", "options": {"caption": caption} if caption else {}}
        token = _push_code(state, start, start + 1 + cell.lines, close, info, markup, meta)
        token.meta["cell_label"] = cell.label
    elif caption:
        token = state.push("myst_target", "", 0)
        token.content, token.map = cell.label, [start, state.line]
        token.meta = {"behind": False}
        if not cell.label:
            state.tokens.pop()
        _push_inline(state, "paragraph", caption, start)


def _push_other(
    state: StateBlock, start: int, argument: str, options: Mapping[str, str], meta: dict[str, object], markup: str
) -> bool:
    """The text of another file, as ``include`` shows it, or its code, as ``literalinclude`` does."""
    if meta["name"] == "include" and not {"literal", "code"} & options.keys():
        return include(state, argument, start, options)
    found = read_file(state, argument, start)
    if found is None:
        return False
    path, text = found
    token = state.push("fence", "code", 0)
    token.content = select(text, options).strip("\n") + "\n"
    token.markup, token.map = markup, [start, state.line]
    language = options.get("language") or options.get("code") or path.suffix.lstrip(".")
    caption = options.get("caption") or ("" if "caption" not in options else path.name)
    token.info = language
    token.meta = {**meta, "language": directives.language_of(language), "code_line": start}
    token.meta["options"] = {**options, "caption": caption} if caption else dict(options)
    return True


def _push_directive(  # noqa: C901
    state: StateBlock, start: int, close: int, name: str, argument: str, markup: str
) -> None:
    role = directives.role_of(name)
    lines = state.getLines(start + 1, close, state.sCount[start], False).split("\n") if close > start + 1 else []
    options = directives.read_options(lines)
    if options.problem:
        warn(state.env, "directive-options", f"{{{name}}}: {options.problem}.", start)
    body = start + 1 + options.lines
    while body < close and state.isEmpty(body):
        body += 1
    meta: dict[str, object] = {"name": name, "role": role, "argument": argument, "options": options.values}
    if name == "code-cell" and tags_of(options.values) & {"remove-cell", "remove-input"}:
        return
    if name in ("include", "literalinclude") and _push_other(state, start, argument, options.values, meta, markup):
        return
    if role == "code":
        info = argument if name not in ("mermaid", "graphviz", "digraph", "graph", "plantuml") else name
        _push_code(state, start, body, close, info, markup, meta)
        return
    if role in ("math", "raw", "hidden", "unread", "image"):
        _push_leaf(state, start, body, close, markup, meta)
        return
    if name == "eval-rst":
        _read_rst(state, start, state.getLines(start + 1, close, state.sCount[start], False))
        return
    if role == "unknown":
        warn(state.env, "unknown-directive", f"{{{name}}} is not known; its body is read as text.", start)
    if name == "csv-table":
        meta["body"] = state.getLines(body, close, state.sCount[start], False)
    token = state.push("directive_open", "div", 1)
    token.info, token.markup, token.meta, token.map = name, markup, meta, [start, state.line]
    if argument and role in ("titled", "table"):
        _push_inline(state, "directive_title", argument, start)
    elif argument and role == "admonition":
        _push_inline(state, "paragraph", argument, start)
    if name != "csv-table":
        _tokenize(state, body, close)
    state.push("directive_close", "div", -1).info = name


def _read_rst(state: StateBlock, start: int, body: str) -> None:
    text, unread = rst_as_markdown(body)
    if unread:
        names = ", ".join(f"{name}::" for name in dict.fromkeys(unread))
        warn(state.env, "not-read", f"{{eval-rst}}: what {names} shows is not read.", start)
    parse_in_place(state, text, start)


def _push_leaf(state: StateBlock, start: int, body: int, close: int, markup: str, meta: dict[str, object]) -> None:
    content = state.getLines(body, close, state.sCount[start], True) if body < close else ""
    role, name, argument = meta["role"], str(meta["name"]), str(meta["argument"])
    if role == "math":
        options = meta["options"]
        label = str(options.get("label") or options.get("name") or "") if isinstance(options, dict) else ""
        token = state.push("math_block_label" if label else "math_block", "math", 0)
        token.info = label
        content = f"{argument}\n{content}" if argument else content
    elif role == "raw" and argument.lower() == "html":
        token = state.push("html_block", "", 0)
    else:
        token = state.push("directive", "div", 0)
        token.info = name
        token.hidden = role in ("hidden", "raw")
        if role == "unread" and name not in ("include", "literalinclude"):
            warn(state.env, "not-read", f"{{{name}}} {argument}: text in other files is not read.", start)
    token.content, token.markup, token.meta, token.map = content, markup, meta, [start, state.line]


def _push_div(state: StateBlock, start: int, close: int, div: Div, markup: str) -> None:
    if div.classes and not div.label and not div.argument and all(map(_is_layout, div.classes)):
        # what only says how wide a text is or when it shows makes no box of it: a heading inside is one of the document
        _tokenize(state, start + 1, close)
        return
    token = state.push("div_open", "div", 1)
    token.info, token.markup, token.map = div.name, markup, [start, state.line]
    token.meta = {"name": div.name, "argument": div.argument, "classes": div.classes, "options": {}}
    if div.label:
        token.attrs["id"] = div.label
    if div.argument:
        _push_inline(state, "directive_title", div.argument, start)
    _tokenize(state, start + 1, close)
    state.push("div_close", "div", -1).info = div.name


def _push_inline(state: StateBlock, kind: str, content: str, line: int) -> None:
    opening = state.push(f"{kind}_open", "p", 1)
    opening.map = [line, line + 1]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = content, [line, line + 1], []
    state.push(f"{kind}_close", "p", -1)


def _tokenize(state: StateBlock, first: int, close: int) -> None:
    """Tokenise the lines of a body as blocks of their own, and go on behind it."""
    line, line_max, parent, tight = state.line, state.lineMax, state.parentType, state.tight
    # so that no paragraph of the body goes on past the fence that ends it
    state.lineMax, state.parentType = close, "container"
    state.md.block.tokenize(state, first, close)
    state.line, state.lineMax, state.parentType, state.tight = line, line_max, parent, tight
