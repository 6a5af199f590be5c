r"""What Quarto and R Markdown have beyond other Markdown: citations, references, shortcodes, raw TeX.

``[@key]`` and ``@key`` become the key, ``@fig-x`` a role ``crossref`` that shows the title of what it points at or else
what kind of thing that is, ``{{< include x >}}`` the file, ``\index{x}`` and its like nothing, as on a rendered page.
"""

from __future__ import annotations

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.subscript import sub_plugin
from mdit_py_plugins.superscript import superscript_plugin

from openbook.course.markdown.context import context_of
from openbook.course.markdown.includes import include
from openbook.course.markdown.pandoc_tables import pandoc_tables_plugin
from openbook.course.markdown.report import warn

CROSSREFS = {
    "fig": "Figure",
    "tbl": "Table",
    "tab": "Table",
    "sec": "Section",
    "eq": "Equation",
    "lst": "Listing",
    "thm": "Theorem",
    "lem": "Lemma",
    "cor": "Corollary",
    "prp": "Proposition",
    "cnj": "Conjecture",
    "def": "Definition",
    "exm": "Example",
    "exr": "Exercise",
    "sol": "Solution",
    "rem": "Remark",
    "alg": "Algorithm",
    "nte": "Note",
    "tip": "Tip",
    "wrn": "Warning",
    "imp": "Important",
    "cau": "Caution",
}
_KEY = r"(?:[A-Za-z0-9_][\w:.#$%&+?<>~/-]*[\w/]|[A-Za-z0-9_]|\{[^{}\n]+\})"
_CITATION = re.compile(rf"@({_KEY})")
_GROUP = re.compile(rf"\[([^\[\]\n]*?-?@{_KEY}(?:[^\[\]]|\n(?!\n))*)\]")
_SHORTCODE = re.compile(r"\{\{<[ \t]*([\w-]+)((?:[ \t\n]+(?:[^>\n]|>(?!\}\}))*)?)[ \t]*>\}\}")
_ARGUMENT = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))|"([^"]*)"|'([^']*)'|(\S+)""")
_TEX = re.compile(r"\\([A-Za-z]+)\*?((?:\[[^\[\]\n]*\])?(?:\{(?:[^{}\n]|\\[{}]|\{[^{}\n]*\})*\})+)")
_BARE_TEX = re.compile(
    r"\\(?:newpage|pagebreak|clearpage|cleardoublepage|noindent|bigskip|medskip|smallskip|newline|linebreak|hfill|vfill|"
    r"centering|frontmatter|mainmatter|backmatter|appendix|tableofcontents|maketitle|printindex|footnotesize|small|tiny|"
    r"normalsize|large|scriptsize|begingroup|endgroup|null|par)(?![A-Za-z])"
)
_BOOKDOWN = re.compile(r"\\@ref\(([\w:.-]+)\)")
_CAPTION = re.compile(r"(?::|Table:)[ \t]+")
_CAPTION_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}]*\}\s*$")
_CAPTION_LABEL = re.compile(r"\(\\#([\w:.-]+)\)")
_PART = re.compile(r"^\((?:PART|APPENDIX)\*?\)\s*")
_INLINE_CODE = re.compile(r"(?:\{(?:r|python|julia|ojs)\}|r)\s+(?=\S)")
_TEXT_TEX = frozenset(("textbf", "textit", "emph", "texttt", "textsc", "underline", "text", "textsf", "mbox"))
_NOTHING = frozenset(
    ("pagebreak", "fa", "bi", "iconify", "placeholder", "lipsum", "version", "ai", "appendix", "tableofcontents")
)
_TERMINATES: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "footnote_def"]}


def pandoc_plugin(md: MarkdownIt) -> None:
    """Add the rules of this module."""
    md.use(sub_plugin).use(superscript_plugin)
    pandoc_tables_plugin(md)
    md.block.ruler.before("fence", "shortcode_block", shortcode_block, _TERMINATES)
    md.block.ruler.before("blockquote", "caption_line", caption_line, {"alt": ["blockquote"]})
    md.inline.ruler.before("escape", "shortcode", shortcode)
    md.inline.ruler.before("escape", "raw_tex", raw_tex)
    md.inline.ruler.before("link", "citation_group", citation_group)
    md.inline.ruler.before("link", "citation", citation)
    md.core.ruler.after("block", "table_captions", table_captions)
    md.core.ruler.push("pandoc_headings", headings)
    # the text rule runs over an at sign that no other rule of its own would stop at
    md.inline.add_terminator_char("@")


def caption_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """``: Caption`` right below the last row of a pipe table ends that, as a line without a pipe does in Pandoc."""
    if not silent or start == 0:
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    above = state.src[state.bMarks[start - 1] : state.eMarks[start - 1]]
    return "|" in above and _CAPTION.match(line) is not None


def table_captions(state: StateCore) -> None:
    """A paragraph of ``: Caption {#tbl-x}`` or ``Table: Caption`` beside a table says what it is."""
    tokens = state.tokens
    for index, token in enumerate(tokens):
        if token.type != "inline" or tokens[index - 1].type != "paragraph_open":
            continue
        match = _CAPTION.match(token.content)
        behind = index + 2 < len(tokens) and tokens[index + 2].type == "table_open"
        if match is None or not (behind or (index > 1 and tokens[index - 2].type == "table_close")):
            continue
        content = token.content[match.end() :]
        attributes = _CAPTION_ATTRIBUTES.search(content)
        label = _CAPTION_LABEL.search(content)
        if attributes:
            content = content[: attributes.start()]
        token.content = _CAPTION_LABEL.sub("", content).strip()
        name = re.search(r"#([^\s{}]+)", attributes[0]) if attributes else label
        if name:
            tokens[index - 1].meta["label"] = name[1].rpartition(":")[2] if label else name[1]


def headings(state: StateCore) -> None:
    """Bookdown's marks in ``# (PART) Basics``, and the engine's name in `` `r nrow(x)` ``, are no text."""
    for inline in state.tokens:
        for child in inline.children or ():
            if child.type == "code_inline":
                child.content = (
                    _INLINE_CODE.sub("", child.content, count=1) if _INLINE_CODE.match(child.content) else child.content
                )
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open" and inline.children and inline.children[0].type == "text":
            inline.children[0].content = _PART.sub("", inline.children[0].content)


def arguments(written: str) -> tuple[list[str], dict[str, str]]:
    """Return the plain and the named arguments of a shortcode."""
    plain: list[str] = []
    named: dict[str, str] = {}
    for match in _ARGUMENT.finditer(written):
        if match[1]:
            named[match[1]] = next(group for group in match.group(2, 3, 4) if group is not None)
        else:
            plain.append(next(group for group in match.group(5, 6, 7) if group is not None))
    return plain, named


def shortcode_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A shortcode on a line of its own; ``include`` brings the blocks of another file."""
    if state.is_code_block(start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
    match = _SHORTCODE.fullmatch(line) if line.startswith("{{<") else None
    if match is None or match[1] in ("var", "meta", "env", "kbd"):
        return False
    if silent:
        return True
    state.line = start + 1
    plain, named = arguments(match[2])
    if match[1] == "include" and plain:
        include(state, plain[0], start)
    elif match[1] in ("video", "embed") and plain:
        token = state.push("directive", "div", 0)
        token.info, token.map = match[1], [start, start + 1]
        token.meta = {"name": match[1], "role": "unread", "argument": plain[0], "options": {}}
        warn(state.env, "not-read", f"{match[1]} {plain[0]}: what it shows is not read.", start)
        title = named.get("title") or named.get("aria-label")
        if title:
            state.push("paragraph_open", "p", 1).map = [start, start + 1]
            inline = state.push("inline", "", 0)
            inline.content, inline.map, inline.children = title, [start, start + 1], []
            state.push("paragraph_close", "p", -1)
    elif match[1] not in _NOTHING:
        warn(state.env, "unknown-shortcode", f"what {{{{< {match[1]} >}}}} puts here is not known.", start)
    return True


def shortcode(state: StateInline, silent: bool) -> bool:
    """A shortcode inside a line: the text that it stands for, as far as the front matter says it."""
    if not state.src.startswith("{{<", state.pos):
        return False
    match = _SHORTCODE.match(state.src, state.pos, min(state.posMax, state.pos + 2000))
    if match is None:
        return False
    if not silent:
        plain, _ = arguments(match[2])
        if match[1] == "kbd":
            token = state.push("myst_role", "", 0)
            token.content, token.meta = " ".join(plain), {"name": "kbd"}
        elif match[1] == "meta" and plain:
            state.pending += _meta(context_of(state.env).data, plain[0])
        elif match[1] not in _NOTHING:
            warn(state.env, "unknown-shortcode", f"what {{{{< {match[1]} >}}}} puts here is not known.", None)
    state.pos = match.end()
    return True


def _meta(data: Any, name: str) -> str:
    for part in name.split("."):
        data = data.get(part, "") if isinstance(data, dict) else ""
    return "" if isinstance(data, (dict, list)) else str(data)


def raw_tex(state: StateInline, silent: bool) -> bool:
    r"""``\index{x}`` and other commands of TeX are not on an HTML page; ``\@ref(fig:x)`` is a number.

    ``\textbf{x}`` and its like keep their text.
    """
    if state.src[state.pos] != "\\":
        return False
    limit = min(state.posMax, state.pos + 2000)
    match = _BOOKDOWN.match(state.src, state.pos, limit)
    if match is not None:
        if not silent:
            token = state.push("myst_role", "", 0)
            token.content, token.meta = match[1], {"name": "crossref", "word": ""}
        state.pos = match.end()
        return True
    match = _TEX.match(state.src, state.pos, limit)
    if match is not None:
        if match[1] in _TEXT_TEX and not silent:
            state.pending += re.sub(r"^\[[^\]]*\]|[{}]", "", match[2])
        state.pos = match.end()
        return True
    match = _BARE_TEX.match(state.src, state.pos, limit)
    if match is None:
        return False
    state.pos = match.end()
    return True


def citation_group(state: StateInline, silent: bool) -> bool:
    """``[see @key, p. 3; @other]``: the text in its brackets, the keys without their at signs."""
    if state.src[state.pos] != "[":
        return False
    match = _GROUP.match(state.src, state.pos, min(state.posMax, state.pos + 2000))
    if match is None or state.src.startswith(("(", "{", "["), match.end()):
        return False
    if not silent:
        single = match[1].strip()
        if _only_crossrefs(single):
            for number, key in enumerate(re.findall(rf"@({_KEY})", single)):
                if number:
                    state.pending += "; "
                _push_crossref(state, key)
        else:
            state.pending += "[" + re.sub(rf"-?@({_KEY})", lambda found: found[1].strip("{}"), single) + "]"
    state.pos = match.end()
    return True


def citation(state: StateInline, silent: bool) -> bool:
    """``@key`` or ``@fig-x`` in a sentence; not what stands in an address of mail."""
    if state.src[state.pos] != "@" or (state.pos > 0 and state.src[state.pos - 1].isalnum()):
        return False
    match = _CITATION.match(state.src, state.pos, min(state.posMax, state.pos + 300))
    if match is None:
        return False
    if not silent:
        key = match[1].strip("{}")
        if _is_crossref(key):
            _push_crossref(state, key)
        else:
            state.pending += key
    state.pos = match.end()
    return True


def _is_crossref(key: str) -> bool:
    kind, dash, _ = key.lower().partition("-")
    return bool(dash) and kind in CROSSREFS


def _only_crossrefs(text: str) -> bool:
    parts = [part.strip() for part in text.split(";")]
    return all(part.startswith(("@", "-@")) and _is_crossref(part.lstrip("-@")) for part in parts)


def _push_crossref(state: StateInline, key: str) -> None:
    token = state.push("myst_role", "", 0)
    token.content = key.lower() if key[:1].isupper() else key
    token.meta = {"name": "crossref", "word": CROSSREFS[key.lower().partition("-")[0]]}
