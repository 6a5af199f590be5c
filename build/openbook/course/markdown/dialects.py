"""Small rules for what course notes hold beside CommonMark: dollars, roles, kramdown's and Jekyll's marks."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.amsmath import amsmath_block
from mdit_py_plugins.dollarmath.index import math_block_dollar

from openbook.course.markdown.context import context_of

# the patterns take up to the square of what they look at in time
LONGEST_MARK = 2000
_ROLE = re.compile(r":([A-Za-z][\w:.+-]{0,50}):(`+)(?!`)(.{1,2000}?)(?<!`)\2(?!`)", re.DOTALL)
_MYST_ROLE = re.compile(r"\{([A-Za-z][\w:.+-]{0,50})\}(`+)(?!`)(.{1,2000}?)(?<!`)\2(?!`)", re.DOTALL)
_END_TAB = re.compile(r":end_tab:(?!`)")
_KRAMDOWN = re.compile(r"\{::?[^{}\n]*\}")
_MARKS = re.compile(r"(?:(?:\{::?[^{}\n]*\}|\{%(?:(?!%\}).)*%\}|\{#(?:(?!#\}).)*#\})[ \t]*)+$")
_PRICE = re.compile(r"\d[\d.,]*[^\\{}^_=]*?\s[A-Za-z]{2,}(?:\s|$)")
_ATTRIBUTES = re.compile(r"\{(?:\s*(?:#[^\s{}]+|\.[\w-]+|[\w-]+=(?:\"[^\"]*\"|'[^']*'|[\w:%.-]+)))+\s*\}[ \t]*$")
_QUOTED = re.compile(r"\{((?:\s*(?:[#.][\w-]+|[\w:-]+=(?:\"[^\"]*\"|'[^']*'|[\w:%./-]+)))+)\s*\}")
_QUOTED_VALUE = re.compile(r"([\w:-]+)=(?:\"([^\"]*)\"|'([^']*)'|([\w:%./-]+))")
_LABEL = re.compile(r"(?:^|\s)#([^\s{}]+)")
_ENVIRONMENT = re.compile(r"\\begin\{([A-Za-z]+\*?)\}")
_math_block = math_block_dollar(
    allow_labels=True, label_normalizer=lambda label: label.strip(), allow_blank_lines=False
)
_EQUATION_LABEL = re.compile(r"\$\$[ \t]*\{#([^\s{}]+)[^{}]*\}[ \t]*$")
# a line of tags alone, or a summary with its text; what is code or a table to HTML stays one block
_TAG_LINE = re.compile(
    r"(?:</?(?!(?:pre|script|style|svg|table|textarea|t[dhr]|tbody|thead)\b)[A-Za-z][\w-]*(?:\s[^<>]*)?>[ \t]*)+$"
    r"|<summary\b[^<>]*>.*</summary>[ \t]*$",
    re.IGNORECASE,
)
_HTML_BLOCK = re.compile(rf"</?(?:{'|'.join(block_names)})\b", re.IGNORECASE)
_MARKDOWN_INSIDE = re.compile(
    r"<[A-Za-z][\w-]*\b[^<>]*\smarkdown(?:=[\"']?(?:1|block|span)?[\"']?)?(?=[\s>])[^<>]*>[ \t]*$"
)
_TERMINATES: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}


def dialects_plugin(md: MarkdownIt) -> None:
    """Add the rules of this module."""
    md.block.ruler.before("fence", "marks", marks, _TERMINATES)
    md.block.ruler.before("html_block", "tag_line", tag_line, _TERMINATES)
    md.block.ruler.at("math_block", math_block, _TERMINATES)
    md.block.ruler.at("amsmath", amsmath, _TERMINATES)
    md.inline.ruler.before("escape", "dollar_math", dollar_math)
    md.inline.ruler.before("escape", "bracket_math", bracket_math)
    md.inline.ruler.before("backticks", "role", role)
    md.inline.ruler.before("backticks", "kramdown", kramdown)
    md.inline.ruler.before("backticks", "quoted_attributes", quoted_attributes)
    md.inline.ruler.before("gfm_autolink_protocol", "plain_colon", plain_colon)


def marks(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of marks alone: ``{: .class}``, ``{% include x %}``, or attributes for the next block, ``{#id .class}``.

    It becomes a hidden token of type ``marks``.
    """
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.startswith("{") or len(line) > LONGEST_MARK or not (_MARKS.match(line) or _ATTRIBUTES.match(line)):
        return False
    if silent:
        return True
    state.line = start + 1
    token = state.push("marks", "", 0)
    token.content, token.map, token.hidden = line.rstrip(), [start, start + 1], True
    return True


def tag_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of HTML tags whose element holds Markdown, in the line right below too.

    So it is in Pandoc and MDX, and elsewhere where a tag says ``markdown``; in CommonMark all up to the next empty line
    is HTML.
    """
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not line.startswith("<") or len(line) > LONGEST_MARK or state.is_code_block(start):
        return False
    if context_of(state.env).markdown_in_html:
        if not _HTML_BLOCK.match(line) or not _TAG_LINE.match(line):
            return False
    elif not _MARKDOWN_INSIDE.match(line):
        return False
    if not silent:
        state.line = start + 1
        token = state.push("html_block", "", 0)
        token.content, token.map = line + "\n", [start, start + 1]
    return True


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """``$$`` … ``$$`` on lines of its own; it ends a paragraph, lest a lone ``=`` in it make that one a heading."""
    line, tokens = state.line, len(state.tokens)
    if _labelled_math(state, start, end, silent):
        return True
    found = _math_block(state, start, end, silent)
    if found and silent:
        # the plugin's rule pushes its token even then
        del state.tokens[tokens:]
        state.line = line
    return found


def amsmath(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""``\begin{align}`` … ``\end{align}``; without an end it is text, and that is known before the search for one."""
    match = _ENVIRONMENT.match(state.src, state.bMarks[start] + state.tShift[start], state.eMarks[start])
    if match is None or state.src.find(f"\\end{{{match[1]}}}", match.end()) < 0:
        return False
    return amsmath_block(state, start, end, silent)


def _labelled_math(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """``$$`` … ``$$ {#eq-x}``, as Quarto labels equations."""

    def text(number: int) -> str:
        return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]

    first = text(start)
    if not first.startswith("$$") or state.is_code_block(start):
        return False
    for number in range(start, min(end, start + 200)):
        content = text(number)[2:] if number == start else text(number)
        if number > start and state.isEmpty(number):
            return False
        closing = _EQUATION_LABEL.search(content)
        if closing is not None:
            break
        if "$$" in content:
            return False
    else:
        return False
    if silent:
        return True
    lines = [text(line) for line in range(start, number + 1)]
    state.line = number + 1
    token = state.push("math_block_label", "math", 0)
    token.content = _EQUATION_LABEL.sub("", "\n".join(lines)[2:]).strip("\n")
    token.info, token.markup, token.map = closing[1], "$$", [start, number + 1]
    return True


def dollar_math(state: StateInline, silent: bool) -> bool:
    """``$x$`` and, inside a line, ``$$x$$``.

    As in Pandoc, the opening dollar has no white space behind it, the closing one none before it and no digit behind
    it; so ``$5 and $6`` are prices. Nor is a dollar that stands behind a letter or a digit an opening one, nor is
    ``$5 a month (US$)`` a formula: a number and then words.
    """
    src, start = state.src, state.pos
    if src[start] != "$":
        return False
    double = src.startswith("$$", start)
    width = 2 if double else 1
    first = start + width
    if not double and (first >= state.posMax or src[first].isspace()):
        return False
    if not double and start > 0 and src[start - 1].isascii() and src[start - 1].isalnum():
        return False
    close = first
    while True:
        close = src.find("$" * width, close, state.posMax)
        if close < 0:
            return False
        if not _escaped(src, close):
            break
        close += 1
    content = src[first:close]
    behind = src[close + width : close + width + 1]
    if not content.strip():
        return False
    if not double and (src[close - 1].isspace() or behind.isdigit() or _PRICE.match(content)):
        return False
    if not silent:
        token = state.push("math_inline_double" if double else "math_inline", "math", 0)
        token.content, token.markup = content, "$" * width
    state.pos = close + width
    return True


def bracket_math(state: StateInline, silent: bool) -> bool:
    r"""``\\(x\\)`` and ``\\[x\\]``: how kramdown's users write the brackets of MathJax."""
    opening = state.src[state.pos : state.pos + 3]
    if opening not in ("\\\\(", "\\\\["):
        return False
    first = state.pos + 3
    close = state.src.find("\\\\)" if opening[2] == "(" else "\\\\]", first, state.posMax)
    if close < 0 or not state.src[first:close].strip():
        return False
    if not silent:
        token = state.push("math_inline" if opening[2] == "(" else "math_inline_double", "math", 0)
        token.content, token.markup = state.src[first:close], opening
    state.pos = close + 3
    return True


def role(state: StateInline, silent: bool) -> bool:
    """A role: ``{name}`text` `` as in MyST, ``:name:`text` `` as in reStructuredText and d2l-book.

    It becomes a token ``myst_role`` with the name in ``meta``; the role ``math`` becomes math.
    """
    char = state.src[state.pos]
    if char == "{":
        match = _MYST_ROLE.match(state.src, state.pos, state.posMax)
    elif char == ":":
        match = _ROLE.match(state.src, state.pos, state.posMax)
        if match is None and (end := _END_TAB.match(state.src, state.pos, state.posMax)):
            state.pos = end.end()
            return True
    else:
        return False
    if match is None:
        return False
    if not silent:
        name, content = match[1], match[3].replace("\n", " ")
        token = state.push("math_inline" if name == "math" else "myst_role", "math" if name == "math" else "", 0)
        token.content, token.markup = content, match[2]
        token.meta = {"name": name}
    state.pos = match.end()
    return True


def kramdown(state: StateInline, silent: bool) -> bool:
    """Attributes that kramdown hangs on a span, ``*x*{: .class}``: not text."""
    match = _KRAMDOWN.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "{" else None
    if match is None:
        return False
    state.pos = match.end()
    return True


def plain_colon(state: StateInline, silent: bool) -> bool:
    """A colon that ends no protocol is text: else the autolink's rule searches all text before each one."""
    if silent or state.src[state.pos] != ":" or state.pending.lower().endswith(("http", "https", "mailto", "xmpp")):
        return False
    state.pending += ":"
    state.pos += 1
    return True


def quoted_attributes(state: StateInline, silent: bool) -> bool:
    """Attributes behind an image with values in single quotes or in per cent, ``{width=50%}``, as Pandoc allows."""
    if state.src[state.pos] != "{" or state.pending or not state.tokens or state.tokens[-1].type != "image":
        return False
    match = _QUOTED.match(state.src, state.pos, min(state.posMax, state.pos + LONGEST_MARK))
    if match is None or not ("='" in match[0] or "%" in match[0]):
        return False
    if not silent:
        for value in _QUOTED_VALUE.finditer(match[1]):
            if value[1] in ("alt", "fig-alt", "title", "width", "height"):
                text = next((group for group in value.group(2, 3, 4) if group is not None), "")
                state.tokens[-1].attrs[value[1].removeprefix("fig-")] = " ".join(text.split())
        label = _LABEL.search(match[1])
        if label:
            state.tokens[-1].attrs["id"] = label[1]
    state.pos = match.end()
    return True


def _escaped(src: str, position: int) -> bool:
    start = position
    while start > 0 and src[start - 1] == "\\":
        start -= 1
    return (position - start) % 2 == 1
