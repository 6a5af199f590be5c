"""Tokens of the one parser → the HTML of a page's text: safe, with every address resolved."""

# ruff: noqa: D102 — the rules are named after the token types that they render, and need no more words.

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from html import escape
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from openbook.course.markdown import Parsed, image_alt, parser, role_text
from openbook.course.readers.sections import footnote_refs
from openbook.course.readers.slides import Slide
from openbook.pages.addresses import Addresses, quoted
from openbook.pages.book import book_frame
from openbook.pages.boxes import Box, directive_box, div_box
from openbook.pages.figures import image_size
from openbook.pages.highlight import highlight
from openbook.pages.mathml import MathConverter, TexError, labels_in
from openbook.pages.sanitise import RawHtml, Trusted, clean
from openbook.pages.words import Words

_TITLED = re.compile(r"(?P<title>.+?)\s*<(?P<target>[^<>]+)>$", re.DOTALL)
_SIZE = re.compile(r"\d{1,4}(?:px)?$")
_ALIGNMENT = {"text-align:right": "end", "text-align:center": "centre"}
_REFERENCES = frozenset({"ref", "any", "std:ref", "numref", "doc", "std:doc", "term", "eq", "download", "eqref"})

Env = MutableMapping[str, Any]


class HtmlRenderer(RendererHTML):
    """Renders tokens of one source.

    Args:
        parsed: the source.
        addresses: resolves its links and pictures.
        deck: whether it is a deck: then headings are those of slides, one level below the page's own.
    """

    __output__ = "html"

    def __init__(self, parsed: Parsed, addresses: Addresses, *, deck: bool = False, say: Words | None = None) -> None:
        super().__init__()
        self._parsed = parsed
        self._addresses = addresses
        self._deck = deck
        self._say = say or Words()
        self._line = 1
        self._trusted = Trusted()
        self._math = MathConverter(tuple(_equation_labels(parsed.tokens)))
        self._boxes: list[tuple[Box, bool]] = []
        self._headings: list[str] = []
        self._slide_id = ""
        self._title_level = 0

    def notes(self, tokens: Sequence[Token]) -> str:
        """Return the HTML of a whole document, each heading and what is below it in a ``<section>``."""
        parts: list[str] = []
        start = 0
        for index, token in enumerate([*tokens, None]):
            if token is not None and not (token.type == "heading_open" and token.meta.get("section")):
                continue
            html = self._render(tokens[start:index])
            # What stands before the first heading may be nothing that is seen, such as the heading's own label.
            parts.append(f"<section>\n{html}</section>\n" if html.strip() else "")
            start = index
        return self._finish("".join(parts))

    def slide(self, slide: Slide, footnotes: Mapping[int, Sequence[Token]]) -> str:
        """Return the HTML of a slide, with the footnotes that it refers to; its element carries the slide's anchor.

        Args:
            slide: of a deck.
            footnotes: of the deck, by number.
        """
        self._slide_id, self._title_level = slide.anchor, 0
        html = self._render(slide.tokens)
        wanted = [number for number in dict.fromkeys(footnote_refs(slide.tokens)) if number in footnotes]
        if wanted:
            items = "".join(f'<li id="fn{n + 1}" value="{n + 1}">{self._render(footnotes[n])}</li>\n' for n in wanted)
            html += f'<section class="footnotes">\n<ol>\n{items}</ol>\n</section>\n'
        return self._finish(html)

    def speaker_notes(self, slide: Slide) -> str:
        """Return the HTML of a slide's presenter notes, which are Markdown too."""
        parts = []
        for text, line, _ in slide.notes:
            tokens = parser().parse(text, {})
            for token in tokens:
                token.map = [line - 1, line]
            parts.append(self._render(tokens))
        return self._finish("".join(parts))

    def _finish(self, html: str) -> str:
        return self._trusted.restore(clean(html))

    def _render(self, tokens: Sequence[Token]) -> str:
        return self.render(tokens, parser().options, self._parsed.env)

    def render(self, tokens: Sequence[Token], options: OptionsDict, env: Env) -> str:
        """Render blocks, remembering the line for what is noticed on the way."""
        out: list[str] = []
        for index, token in enumerate(tokens):
            if token.map is not None:
                self._line = token.map[0] + 1
            if token.type == "inline":
                out.append(self.renderInline(token.children or [], options, env))
            elif token.type in self.rules:
                out.append(self.rules[token.type](tokens, index, options, env))
            else:
                out.append(self.renderToken(tokens, index, options, env))
        return "".join(out)

    def renderInline(self, tokens: Sequence[Token], options: OptionsDict, env: Env) -> str:  # noqa: N802
        """Render the children of an inline token, counting its lines."""
        out: list[str] = []
        for index, token in enumerate(tokens):
            if token.type in self.rules:
                out.append(self.rules[token.type](tokens, index, options, env))
            else:
                out.append(self.renderToken(tokens, index, options, env))
            if token.type in ("softbreak", "hardbreak") or token.meta.get("softbreak"):
                self._line += 1
        return "".join(out)

    # Headings and places to link to

    def heading_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        tag = self._slide_tag(int(token.tag[1])) if self._deck else token.tag
        anchor = str(token.attrs.get("id", ""))
        classes = f' class="{escape(str(token.attrs["class"]))}"' if "class" in token.attrs else ""
        own = "" if anchor in ("", self._slide_id) else f' id="{escape(anchor)}"'
        label = escape(self._say("page.heading_link"))
        permalink = f'<a class="permalink" href="#{escape(quoted(anchor))}" aria-label="{label}"></a>'
        linked = bool(anchor) and not self._deck
        self._headings.append((self._trusted.hold(permalink) if linked else "") + f"</{tag}>\n")
        aliases = "".join(f'<span id="{escape(alias)}"></span>' for alias in token.meta.get("aliases", ()))
        return f"<{tag}{own}{classes}>{aliases}"

    def _slide_tag(self, level: int) -> str:
        """A slide's first heading is one level below the page's; the others stand below it."""
        if not self._title_level:
            self._title_level = level
            return "h2"
        return f"h{min(6, max(3, 2 + level - self._title_level))}"

    def heading_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return self._headings.pop()

    def myst_target(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        return (
            "" if token.hidden or "id" not in token.attrs else f'<span id="{escape(str(token.attrs["id"]))}"></span>\n'
        )

    def marks(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        # Attributes for the next block: an id on anything but a heading, which has its own, is a place to link to.
        label = str(tokens[index].meta.get("label", ""))
        return f'<span id="{escape(label)}"></span>\n' if label and label not in self._parsed.targets else ""

    def myst_line_comment(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return ""

    myst_block_break = front_matter = myst_line_comment

    # Code and mathematics

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        language = str(token.meta.get("language", ""))
        caption = token.meta.get("options", {}).get("caption") or token.meta.get("tab") or ""
        head = f'<p class="caption">{escape(str(caption))}</p>' if caption else ""
        code = highlight(token.content.removesuffix("\n"), language)
        block = f'<div class="code" data-language="{escape(language)}">{head}<pre><code>{code}\n</code></pre></div>'
        return self._trusted.hold_block(block)

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Env) -> str:
        return self.fence(tokens, idx, options, env)

    def math_inline(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return self._trusted.hold(self._formula(tokens[index].content, display=False))

    def math_inline_double(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return self._trusted.hold(self._formula(tokens[index].content, display=True))

    def math_block(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return self._equation(tokens[index].content, "")

    amsmath = math_block

    def math_block_label(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return self._equation(tokens[index].content, tokens[index].info)

    def _equation(self, tex: str, label: str) -> str:
        label, number = self._math.tag(tex, label)
        anchor = f' id="{escape(label)}"' if label else ""
        tag = f'<span class="equation-number">({escape(number)})</span>' if number else ""
        return self._trusted.hold_block(f'<div class="equation"{anchor}>{self._formula(tex, display=True)}{tag}</div>')

    def _formula(self, tex: str, *, display: bool) -> str:
        try:
            return self._math.convert(tex, display=display)
        except TexError as error:
            self._addresses.warn("tex", f"the formula is shown as TeX: {error}.", self._line)
            return f'<code class="tex">{escape(tex.strip())}</code>'

    # Tables and lists

    def table_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return '<div class="table">\n<table>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return "</table>\n</div>\n"

    def th_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        tag = _cell_tag(tokens[index], tokens[index + 1])
        # The pages' policy allows no inline style.
        alignment = _ALIGNMENT.get(str(tokens[index].attrs.get("style", "")).replace(" ", ""), "")
        classes = f' class="{alignment}"' if alignment else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{scope}{classes}>"

    def th_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return f"</{_cell_tag(tokens[index], tokens[index - 1])}>\n"

    td_open, td_close = th_open, th_close

    # Boxes

    def directive_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        return self._open(directive_box(token), tokens, index) + self._picture_of(token)

    def div_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        label = str(tokens[index].attrs.get("id", ""))
        place = f'<span id="{escape(label)}"></span>\n' if label else ""
        return place + self._open(div_box(tokens[index]), tokens, index)

    def _open(self, box: Box, tokens: Sequence[Token], index: int) -> str:
        following = tokens[index + 1].type
        titled = following == "directive_title_open" or (following == "heading_open" and box.title == "title")
        self._boxes.append((box, False))
        if titled or not box.default:
            return box.open
        return f"{box.open}{_title_tags(box)[0]}{escape(self._say.box(box.default))}{_title_tags(box)[1]}"

    def directive_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        box, captioned = self._boxes.pop()
        return ("</figcaption>\n" if captioned else "") + box.close

    div_close = directive_close

    def directive_title_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return _title_tags(self._boxes[-1][0])[0]

    def directive_title_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return _title_tags(self._boxes[-1][0])[1]

    def directive(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        if token.hidden:
            return ""
        argument = str(token.meta.get("argument", ""))
        if token.meta.get("role") == "image":
            return f"<p>{self._image(argument, token.meta['options'])}</p>\n"
        if argument.startswith("https://"):
            return f'<p class="missing"><a href="{escape(argument)}" rel="noopener">{escape(argument)}</a></p>\n'
        return f'<p class="missing">{escape(token.meta.get("name", ""))}: {escape(argument)}</p>\n'

    # Pictures and links

    def _picture_of(self, token: Token) -> str:
        """The picture of a figure, and its caption opened when it has one."""
        if token.meta["role"] != "figure":
            return ""
        picture = self._image(str(token.meta["argument"]), token.meta["options"])
        self._boxes[-1] = (self._boxes[-1][0], True)
        return f"{picture}\n<figcaption>\n"

    def image(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        return self._image(str(token.attrs.get("src", "")), {**token.attrs, "alt": image_alt(token)})

    def _image(self, source: str, options: MutableMapping[str, Any]) -> str:
        alt = str(options.get("alt") or "")
        found = self._addresses.image(source, self._line)
        if found is None:
            return f'<span class="missing">{escape(alt or source[:100])}</span>'
        address, path = found
        size = image_size(path) if path is not None else None
        dimensions = f' width="{size[0]}" height="{size[1]}"' if size else ""
        width = str(options.get("width") or "")
        if _SIZE.match(width):
            pixels = int(width.removesuffix("px"))
            height = f' height="{round(size[1] * pixels / size[0])}"' if size else ""
            dimensions = f' width="{pixels}"{height}'
        return f'<img src="{escape(address)}" alt="{escape(alt)}"{_attributes(options)}{dimensions}>'

    def link_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        written = str(token.attrs.get("href", ""))
        href = self._addresses.link(written, self._line)
        text = ""
        if tokens[index + 1].type == "link_close":  # [](#label): the title of what it leads to
            known = self._addresses.label(written.removeprefix("#"), self._line)
            text = escape(known[1] if known and known[1] else written)
        return _anchor_tag(href, _attributes(token.attrs)) + text

    def html_block(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return self._raw(tokens[index].content)

    def html_inline(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        content = tokens[index].content
        if content.startswith('<input class="task-list-item-checkbox"'):
            done = "checked" in content
            mark, name = ("☑", self._say("page.done")) if done else ("☐", self._say("page.to_do"))
            return self._trusted.hold(f'<span class="task-box" role="img" aria-label="{escape(name)}">{mark}</span>')
        return self._raw(content)

    def _raw(self, html: str) -> str:
        def rewrite(tag: str, address: str, line: int) -> str | None:
            if tag == "a":
                return self._addresses.link(address, line)
            found = self._addresses.image(address, line)
            return found[0] if found else None

        def notice(what: str, line: int) -> None:
            self._addresses.warn("html", f"{what} is not shown: pages hold no such HTML.", line)

        def book(attributes: dict[str, str], line: int) -> str:
            if re.match(r"\s*(?:[a-z][a-z0-9+.-]*:|//)", attributes.get("src", ""), re.IGNORECASE):
                self._addresses.warn("html", "<open-book> of another site is not shown: a page asks its own.", line)
                return ""
            return self._trusted.hold(book_frame(attributes, self._addresses))

        return RawHtml(self._line, rewrite, notice, book).convert(html)

    # Roles and footnotes

    def myst_role(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        token = tokens[index]
        name, content = str(token.meta.get("name", "")), token.content
        if name in ("label", "eqlabel") and "id" in token.attrs:
            return f'<span id="{escape(str(token.attrs["id"]))}"></span>'
        if name == "crossref":
            found = self._addresses.label(content, self._line)
            text = escape((found[1] if found else "") or str(token.meta.get("word", "")))
            return f"{_anchor_tag(found[0])}{text or '↗'}</a>" if found else text
        if name in _REFERENCES:
            return self._reference(name, content)
        text = escape(role_text(name, content))
        element = {"kbd": "kbd", "sub": "sub", "subscript": "sub", "sup": "sup", "superscript": "sup"}.get(name)
        if name in ("code", "literal", "samp", "file", "command", "program") or name.startswith(("py:", "c:", "js:")):
            element = "code"
        if name in ("strong", "emphasis", "abbr"):
            element = {"strong": "strong", "emphasis": "em", "abbr": "abbr"}[name]
        return f"<{element}>{text}</{element}>" if element and text else text

    def _reference(self, name: str, content: str) -> str:
        match = _TITLED.match(content)
        target, title = (match["target"].strip(), match["title"].strip()) if match else (content.strip(), "")
        if name in ("eq", "eqref"):
            number = self._math.numbers.get(target)
            if number is None:
                return escape(title or role_text(name, content) or target)
            return f'<a href="#{escape(quoted(target))}">{escape(title or f"({number})")}</a>'
        if name in ("doc", "std:doc", "download"):
            href, known = self._addresses.document(target, self._line)
            return f"{_anchor_tag(href)}{escape(title or known or target)}</a>"
        found = self._addresses.label(target, self._line)
        if found is None:
            if name in ("ref", "std:ref"):
                self._addresses.warn("unknown-label", f"nothing has the label {target!r}; shown as text.", self._line)
            return escape(role_text(name, content))
        return f"{_anchor_tag(found[0])}{escape(title.replace('%s', '').strip() or found[1] or target)}</a>"

    def footnote_ref(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        meta = tokens[index].meta
        number, again = meta["id"] + 1, f"-{meta['subId']}" if meta.get("subId") else ""
        return f'<sup id="fnref{number}{again}"><a href="#fn{number}">{number}</a></sup>'

    def footnote_block_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return '<section class="footnotes">\n<ol>\n'

    def footnote_block_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return "</ol>\n</section>\n"

    def footnote_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return f'<li id="fn{tokens[index].meta["id"] + 1}">'

    def footnote_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        return "</li>\n"

    def footnote_anchor(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Env) -> str:
        meta = tokens[index].meta
        number, again = meta["id"] + 1, f"-{meta['subId']}" if meta.get("subId") else ""
        back = f'<a href="#fnref{number}{again}" aria-label="{escape(self._say("page.to_text"))}">↩</a>'
        return f" {self._trusted.hold(back)}"


def _anchor_tag(href: str | None, attributes: str = "") -> str:
    if href is None:
        return f"<a{attributes}>"
    foreign = ' rel="noopener"' if href.startswith(("http:", "https:")) else ""
    return f'<a href="{escape(href)}"{attributes}{foreign}>'


def _cell_tag(cell: Token, content: Token) -> str:
    """An empty corner of a table is the header of nothing."""
    return "td" if content.type == "inline" and not content.content.strip() else cell.tag


def _attributes(options: Mapping[str, Any]) -> str:
    return "".join(f' {name}="{escape(str(options[name]))}"' for name in ("title", "id", "class") if options.get(name))


def _title_tags(box: Box) -> tuple[str, str]:
    if box.title == "summary":
        return "<summary>", "</summary>\n"
    if box.title == "caption":
        return "<figcaption>", "</figcaption>\n"
    kind = "tab-title" if 'class="tab"' in box.open else "admonition-title" if "admonition" in box.open else "box-title"
    return f'<p class="{kind}">', "</p>\n"


def _equation_labels(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "math_block_label":
            yield token.info
        elif token.type in ("math_block", "amsmath"):
            yield from labels_in(token.content)[:1]
