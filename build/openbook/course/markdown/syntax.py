"""The one Markdown parser: what chunks are cut from and what pages are rendered from.

``parse`` gives a flat list of markdown-it tokens, as ``MarkdownIt.parse`` does, for ``RendererHTML`` or any other
walk. Beyond CommonMark, tables, strikethrough, bare URLs, footnotes, definition lists and task lists it holds:

``heading_open``
    ``attrs["id"]`` is the anchor, unique in the document: an explicit ``(label)=`` or ``{#label}``, else the slug.
    ``meta["section"]`` is True for a heading of the document, False for one inside a box, a quote, a list or HTML.
    ``meta["title"]`` is its plain text. ``meta["aliases"]`` are further ids that links may use (the slug, when the
    anchor is explicit; further labels): a page should carry them too.
``directive_open`` … ``directive_close``
    A MyST directive whose body is Markdown; the tokens of the body stand between. ``info`` is the name; ``meta`` has
    ``name``, ``role`` (see ``directives.Role``), ``argument``, ``options`` (name → text). A title, of an admonition or
    a table, comes first: ``directive_title_open``, ``inline``, ``directive_title_close``. A ``list-table`` or
    ``csv-table`` holds ordinary table tokens.
``directive``
    A directive without a body that is read: ``image``, ``include`` …, same ``meta``, body in ``content``. Those that
    are not for readers (``index``, ``toctree`` …) have ``hidden`` True; their meta is there for who wants it.
``div_open`` … ``div_close``
    A div of colons without braces (``::: callout``): ``info`` is its name; ``meta`` has ``name``, ``argument``,
    ``classes``; an optional title as above.
``fence``
    Code, also from ``code-block``, ``code-cell`` and their like (then with the directive's ``meta``).
    ``meta["language"]`` is the language, ``meta["code_line"]`` the 0-based line of its first line of code.
``math_inline``, ``math_inline_double``, ``math_block``, ``math_block_label`` (``info`` is the label), ``amsmath``
    TeX in ``content``; the directive ``math`` and the role ``math`` come out as these too.
``myst_role``
    ``meta["name"]`` and ``content``; ``text.role_text`` gives what a reader sees of it.
``myst_target``
    ``(label)=``: an anchor is wanted here, ``attrs["id"]``, unless the label became the id of the next heading
    (then ``hidden`` is True).
``marks``, ``myst_line_comment``, ``myst_block_break``
    Nothing to see; ``hidden`` is True.

A link that was written without a text has got one: the title of what it points at.

Token maps count the lines of the file from 0, front matter included. A ``softbreak`` between two letters of a script
that is written without spaces has become an empty ``text``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from openbook.course import front_matter
from openbook.course.anchors import Slugger
from openbook.course.encoding import decode, unify_line_ends
from openbook.course.front_matter import FrontMatter
from openbook.course.hidden import Hidden, strip_hidden, strip_hidden_entities
from openbook.course.markdown.boxes import boxes_plugin
from openbook.course.markdown.context import Cell, Context, Files, context_of, set_context
from openbook.course.markdown.dialects import dialects_plugin
from openbook.course.markdown.fences import fences_plugin
from openbook.course.markdown.headings import anchor_headings, fill_links, html_headings, strip_heading_attributes
from openbook.course.markdown.labels import labels_plugin
from openbook.course.markdown.lesson import lesson_boxes
from openbook.course.markdown.mdx import expand_mdx
from openbook.course.markdown.pandoc import pandoc_plugin
from openbook.course.markdown.report import noted, warn
from openbook.course.markdown.site_marks import expand_marks
from openbook.course.markdown.substitutions import substitutions_of, substitutions_plugin
from openbook.course.markdown.tables import build_tables
from openbook.course.markdown.templates import expand_templates
from openbook.course.markdown.tidy import tidy
from openbook.errors import BuildWarning

MAX_NESTING = 100

Dialect = Literal["myst", "pandoc", "jekyll", "hugo", "mdx", "mkdocs", "mdbook"]
"""What a text has beyond what all have: MyST's substitutions; Pandoc's citations, references and shortcodes, as in
Quarto and R Markdown; Jekyll's Liquid; Hugo's shortcodes; Docusaurus' MDX; the marks of MkDocs and mdBook."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A source, parsed.

    Attributes:
        tokens: see the module.
        front_matter: the YAML block and how many lines it takes.
        lines: of the source, without line ends; ``lines[token.map[0]]`` is where a token begins.
        title: from the front matter, else the text of the first heading of level 1, else of the first heading when no
            text stands before it, else None.
        top: id for the place where text before the first heading stands; no heading has it.
        targets: label → id, for ``(label)=``, ``{#label}``, d2l's ``:label:`` and the headings' own ids.
        titles: id of a heading → its plain text.
        slugger: hands out further ids that are unique in the document.
        env: the parser's environment (link references, footnotes), as ``RendererHTML.render`` wants it.
        warnings: what was noticed.
    """

    tokens: list[Token]
    front_matter: FrontMatter
    lines: list[str]
    title: str | None
    top: str
    targets: dict[str, str]
    titles: dict[str, str]
    slugger: Slugger
    env: dict[str, Any]
    warnings: list[BuildWarning] = field(default_factory=list)


@cache
def parser(dialect: Dialect = "myst") -> MarkdownIt:
    """Return the configured parser; ``parse`` is what to call, this is for a renderer that needs its options."""
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    md.use(dollarmath_plugin).use(amsmath_plugin).use(deflist_plugin)
    md.use(footnote_plugin, inline=dialect == "pandoc")
    md.use(tasklists_plugin).use(myst_block_plugin).use(gfm_autolink_plugin).use(attrs_plugin, spans=True)
    # the plugin's inline rule takes the last character of the text for the one before its first
    md.inline.ruler.disable("math_inline")
    labels_plugin(md)
    fences_plugin(md)
    dialects_plugin(md)
    boxes_plugin(md)
    if dialect == "pandoc":
        pandoc_plugin(md)
        # a percent sign or a plus begins a line of Pandoc's Markdown like any other
        md.block.ruler.disable(["myst_line_comment", "myst_block_break"])
    if dialect == "mdx":
        # what stands in a component is indented with it
        md.block.ruler.disable(["code", "myst_line_comment", "myst_block_break"])
    if dialect == "myst":
        substitutions_plugin(md)
    md.core.ruler.at("block", _block)
    md.core.ruler.at("inline", _inline)
    md.core.ruler.after("block", "heading_attributes", strip_heading_attributes)
    md.core.ruler.after("block", "html_headings", html_headings)
    md.core.ruler.after("block", "build_tables", build_tables)
    md.core.ruler.push("tidy", tidy)
    return md


def parse(
    source_text: str | bytes, source: str = "<text>", *, dialect: Dialect = "myst", files: Files | None = None
) -> Parsed:
    """Parse a source, front matter and all.

    Args:
        source_text: the file's bytes, or its text.
        source: path of the file, for errors and warnings.
        dialect: what it is written in.
        files: which files it may include; None for none.

    Raises:
        FrontMatterError: the front matter is not valid and speaks of a release.
        UnreadableSourceError: the bytes are no text.
    """
    env: dict[str, Any] = {}
    context = Context(source=source, files=files, pandoc=dialect == "pandoc")
    context.markdown_in_html = dialect in ("pandoc", "mdx")
    set_context(env, context)
    if isinstance(source_text, bytes):
        decoded = decode(source_text, source)
        text = decoded.text
        if decoded.warning:
            warn(env, "encoding", decoded.warning, None if decoded.line is None else decoded.line - 1)
    else:
        text = unify_line_ends(source_text.removeprefix("\ufeff")).replace("\0", "\ufffd")
    text, hidden = strip_hidden(text)
    matter = front_matter.split(text, source)
    if matter.problem:
        line = None if matter.problem_line is None else matter.problem_line - 1
        warn(env, "front-matter", f"{matter.problem} Nothing of the front matter is used.", line)
    lines = text.split("\n")
    context.data, context.substitutions = matter.data, substitutions_of(matter.data)
    if dialect in ("jekyll", "hugo"):
        lines = [*lines[: matter.lines], *expand_templates(lines[matter.lines :], dialect, env, matter.lines)]
    elif dialect == "mdx":
        lines = [*lines[: matter.lines], *expand_mdx(lines[matter.lines :], env, matter.lines)]
    elif dialect in ("mkdocs", "mdbook"):
        lines = [*lines[: matter.lines], *expand_marks(lines[matter.lines :], dialect, env, matter.lines)]
    # blank lines in place of the front matter keep every token's line number that of the file
    body = "\n".join([""] * matter.lines + lines[matter.lines :]) + "\n"
    return _finish(body, lines, matter, source, dialect, env, hidden)


def parse_cells(
    cells: Sequence[Cell],
    matter: FrontMatter,
    source: str,
    *,
    dialect: Dialect = "myst",
    files: Files | None = None,
) -> Parsed:
    """Parse a source in parts, none of which can run into the next: the cells of a notebook.

    Args:
        cells: in reading order; their lines grow.
        matter: what the source says of itself.
        source: as for ``parse``.
        dialect: as for ``parse``.
        files: as for ``parse``.
    """
    env: dict[str, Any] = {}
    hidden: list[Hidden] = []
    clean: list[Cell] = []
    lines: list[str] = []
    for cell in cells:
        text, removed = strip_hidden(cell.text)
        hidden += [Hidden(line=cell.line + one.line, characters=one.characters) for one in removed]
        clean.append(cell._replace(text=text))
        lines += [""] * (cell.line - len(lines))
        lines[cell.line :] = text.split("\n")
    context = Context(source=source, files=files, cells=clean, data=matter.data, pandoc=dialect == "pandoc")
    context.substitutions = substitutions_of(matter.data)
    set_context(env, context)
    return _finish("", lines or [""], matter, source, dialect, env, hidden)


def _block(state: StateCore) -> None:
    """Core rule: the whole text, or cell by cell."""
    context = context_of(state.env)
    if context.cells is None:
        state.md.block.parse(state.src, state.md, state.env, state.tokens)
        return
    for cell in context.cells:
        context.offset = cell.line
        first = len(state.tokens)
        if cell.language is None:
            state.md.block.parse(cell.text.rstrip("\n") + "\n", state.md, state.env, state.tokens)
        else:
            token = Token("fence", "code", 0, content=cell.text.rstrip("\n") + "\n", block=True)
            token.map, token.info, token.markup = [0, cell.text.count("\n") + 1], cell.language, "```"
            options = {"caption": cell.caption} if cell.caption else {}
            token.meta = {"language": cell.language, "code_line": 0, "name": "code-cell", "options": options}
            if cell.output:
                token.meta["output"] = True
            state.tokens.append(token)
        for token in state.tokens[first:]:
            if token.map is not None:
                token.map = [token.map[0] + cell.line, token.map[1] + cell.line]
            if "code_line" in token.meta:
                token.meta["code_line"] += cell.line
        context.offset = 0


def _inline(state: StateCore) -> None:
    """Core rule: the inlines of each block, with its line known to what they notice."""
    context = context_of(state.env)
    for token in state.tokens:
        if token.type == "inline":
            context.inline = token.map[0] if token.map else None
            token.children = token.children if token.children is not None else []
            state.md.inline.parse(token.content, state.md, state.env, token.children)
            context.label_steps.clear()
    context.inline = None


def _finish(
    body: str,
    lines: list[str],
    matter: FrontMatter,
    source: str,
    dialect: Dialect,
    env: dict[str, Any],
    hidden: list[Hidden],
) -> Parsed:
    tokens = lesson_boxes(parser(dialect).parse(body, env), matter, parser(dialect))
    hidden += _strip_decoded(tokens)
    anchors = anchor_headings(tokens, env)
    fill_links(tokens, anchors)
    if any(token.level >= MAX_NESTING - 1 for token in tokens):
        warn(env, "nested-too-deep", f"text nested deeper than {MAX_NESTING} levels is not read.", None)
    return Parsed(
        tokens=tokens,
        front_matter=matter,
        lines=lines,
        title=_title(matter) or anchors.first_title,
        top=anchors.top,
        targets=anchors.targets,
        titles=anchors.titles,
        slugger=anchors.slugger,
        env=env,
        warnings=[
            *(BuildWarning(kind, message, source, line) for kind, message, line in noted(env)),
            *dict.fromkeys(one.warning(source) for one in hidden),
        ],
    )


def _strip_decoded(tokens: list[Token]) -> list[Hidden]:
    """Take out what was written as an entity, and so was not to be seen in the source either."""
    found: list[Hidden] = []
    for token in tokens:
        first = token.map[0] if token.map else 0
        for one in (token, *(token.children or ())):
            strip = strip_hidden_entities if one.type.startswith("html_") else strip_hidden
            one.content, removed = strip(one.content)
            found += [Hidden(line=first + item.line, characters=item.characters) for item in removed]
            for name, value in one.attrs.items():
                if isinstance(value, str):
                    one.attrs[name], removed = strip_hidden(value)
                    found += [Hidden(line=first + 1, characters=item.characters) for item in removed]
    return found


def _title(matter: FrontMatter) -> str | None:
    title = matter.data.get("title")
    return None if title is None or isinstance(title, (list, dict)) else str(title).strip() or None
