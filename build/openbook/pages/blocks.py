"""Blocks of a document → the HTML of a page's text, for formats that do not come down to Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from openbook.course.document import Block, Document, Section
from openbook.pages.addresses import quoted
from openbook.pages.figures import picture_size
from openbook.pages.highlight import highlight
from openbook.pages.mathml import MathConverter, TexError
from openbook.pages.words import Words

_MARKER = re.compile(r"(?P<indent>[ \t]*)(?P<marker>[-*+•–▪◦]|(?P<number>\d{1,9})[.)])[ \t]+(?P<text>.*)$")


class BlockRenderer:
    """Renders blocks; their text is data, so all of it is escaped.

    Args:
        pictures: name → (address from the page, bytes) of pictures that ``Block.picture`` names.
    """

    def __init__(self, pictures: Mapping[str, tuple[str, bytes]] | None = None, say: Words | None = None) -> None:
        self._pictures = pictures or {}
        self._say = say or Words()
        self._math = MathConverter()

    def notes(self, document: Document, original: str = "") -> str:
        """Return the HTML of a whole document, each heading and what is below it in a ``<section>``.

        Args:
            document: notes.
            original: address of the file itself, of which each section is a page, or "".
        """
        return "".join(
            f"<section>\n{self._section(section)}{self._original(section, original)}</section>\n"
            for section in document.sections
        )

    def _original(self, section: Section, original: str) -> str:
        if not original or section.slide is None:
            return ""
        address = escape(f"{original}#page={section.slide}")
        return f'<p><a href="{address}">{escape(self._say("deck.original", n=section.slide))}</a></p>\n'

    def _section(self, section: Section) -> str:
        body = self.blocks(section.blocks)
        if not section.level:
            return f'<span id="{escape(section.anchor)}"></span>\n{body}'
        anchor = escape(quoted(section.anchor))
        permalink = f'<a class="permalink" href="#{anchor}" aria-label="{escape(self._say("page.heading_link"))}"></a>'
        tag = f"h{section.level}"
        return f'<{tag} id="{escape(section.anchor)}">{escape(section.title)}{permalink}</{tag}>\n{body}'

    def slide(self, section: Section) -> str:
        """Return the HTML of a slide without its presenter notes; its element carries the slide's anchor."""
        title = f"<h2>{escape(section.title)}</h2>\n" if section.level else ""
        return title + self.blocks([block for block in section.blocks if block.kind != "speaker-notes"])

    def speaker_notes(self, section: Section) -> str:
        """Return the HTML of a slide's presenter notes."""
        return "".join(_paragraphs(block.text) for block in section.blocks if block.kind == "speaker-notes")

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Return the HTML of blocks, in order."""
        return "".join(self._block(block) for block in blocks)

    def _block(self, block: Block) -> str:
        match block.kind:
            case "list":
                return _list(block.text.split("\n"))
            case "code":
                return self._code(block)
            case "math":
                return self._equation(block.text)
            case "table":
                return _table(block)
            case "figure":
                return self._figure(block)
            case "admonition":
                title = f'<p class="admonition-title">{escape(block.title)}</p>\n' if block.title else ""
                return f'<div class="admonition">\n{title}{self._inside(block)}</div>\n'
            case "quote":
                return f"<blockquote>\n{self._inside(block)}</blockquote>\n"
            case "definition-list":
                return _definitions(block.text.split("\n"))
            case "footnote":
                return f'<section class="footnotes">\n{self._inside(block)}</section>\n'
            case _:
                return _paragraphs(block.text)

    def _inside(self, block: Block) -> str:
        if block.children:
            return self.blocks(block.children)
        return _paragraphs(block.text.removeprefix(block.title).lstrip("\n") if block.title else block.text)

    def _code(self, block: Block) -> str:
        caption = f'<p class="caption">{escape(block.title)}</p>' if block.title else ""
        text = block.text.removeprefix(f"{block.title}\n\n") if block.title else block.text
        code = highlight(text, block.language)
        language = escape(block.language)
        return f'<div class="code" data-language="{language}">{caption}<pre><code>{code}\n</code></pre></div>'

    def _equation(self, tex: str) -> str:
        try:
            return f'<div class="equation">{self._math.convert(tex, display=True)}</div>\n'
        except TexError:
            return f'<div class="equation"><code class="tex">{escape(tex.strip())}</code></div>\n'

    def _figure(self, block: Block) -> str:
        caption = f"<figcaption>{_lines(block.text)}</figcaption>\n" if block.text.strip() else ""
        if block.picture not in self._pictures:
            return f'<figure class="captioned">\n{caption}</figure>\n' if caption else ""
        address, raw = self._pictures[block.picture]
        size = picture_size(raw, block.picture)
        dimensions = f' width="{size[0]}" height="{size[1]}"' if size else ""
        alt = escape(" ".join(block.text.split()))
        return (
            f'<figure class="captioned">\n<img src="{escape(address)}" alt="{alt}"{dimensions}>\n{caption}</figure>\n'
        )


def _lines(text: str) -> str:
    return "<br>\n".join(escape(line, quote=False) for line in text.split("\n"))


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_lines(part.strip())}</p>\n" for part in re.split(r"\n[ \t]*\n", text) if part.strip())


def _table(block: Block) -> str:
    def row(line: str, tag: str) -> str:
        cells = "".join(f"<{tag}>{escape(cell.strip(), quote=False)}</{tag}>" for cell in line.split(" | "))
        return f"<tr>{cells}</tr>\n"

    header = [line for line in block.header.split("\n") if line and line != block.title]
    caption = f"<caption>{escape(block.title)}</caption>\n" if block.title else ""
    head = f"<thead>\n{''.join(row(line, 'th') for line in header)}</thead>\n" if header else ""
    body = "".join(row(line, "td") for line in block.parts)
    return f'<div class="table">\n<table>\n{caption}{head}<tbody>\n{body}</tbody>\n</table>\n</div>\n'


def _definitions(lines: Sequence[str]) -> str:
    out: list[str] = []
    for line in lines:
        if line.startswith(": "):
            out.append(f"<dd>{escape(line[2:], quote=False)}</dd>\n")
        elif line.startswith("  ") and out:
            out[-1] = out[-1].replace("</dd>", f"<br>\n{escape(line.strip(), quote=False)}</dd>")
        elif line.strip():
            out.append(f"<dt>{escape(line, quote=False)}</dt>\n")
    return f"<dl>\n{''.join(out)}</dl>\n"


def _list(lines: Sequence[str]) -> str:
    """Lines with markers, nested by indentation → nested lists; a line without a marker goes on with its item."""
    root: list[_Item] = []
    stack: list[_Item] = []
    for line in lines:
        match = _MARKER.match(line)
        if match is None:
            if stack:
                stack[-1].text.append(line.strip())
            elif line.strip():
                root.append(_Item(0, "", line.strip()))
                stack = [root[-1]]
            continue
        indent = len(match["indent"].expandtabs(4))
        while stack and stack[-1].indent >= indent:
            stack.pop()
        item = _Item(indent, match["number"] or "", match["text"])
        (stack[-1].items if stack else root).append(item)
        stack.append(item)
    return _items(root)


class _Item:
    """An item of a list and the items below it; ``number`` is "" in a bullet list."""

    def __init__(self, indent: int, number: str, text: str) -> None:
        self.indent = indent
        self.number = number
        self.text = [text]
        self.items: list[_Item] = []


def _items(items: Sequence[_Item]) -> str:
    if not items:
        return ""
    first = items[0].number
    tag = "ol" if first else "ul"
    start = f' start="{int(first)}"' if first and first != "1" else ""
    inside = "".join(f"<li>{_lines(chr(10).join(item.text).strip())}{_items(item.items)}</li>\n" for item in items)
    return f"<{tag}{start}>\n{inside}</{tag}>\n"
