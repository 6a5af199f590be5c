"""Block tokens → the blocks of a document: plain text that says where it may be cut."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from markdown_it.token import Token

from openbook.course.document import Block, BlockKind
from openbook.course.markdown.lists import list_items
from openbook.course.markdown.tables import matching
from openbook.course.markdown.text import (
    html_text,
    image_text,
    inline_text,
    only_images,
    read_inline,
)
from openbook.course.sentences import split_sentences

# directives that only lay out what is in them
_LAYOUT_NAMES = """
    button-link button-ref class column columns compound container div grid grid-item hlist only span tab-set
"""
_LAYOUT = frozenset(_LAYOUT_NAMES.split())
_QUOTES = frozenset(("blockquote", "epigraph", "highlights", "pull-quote"))
_CONTINUED = re.compile(r"\n(?=[^\n])")
_BLANK_LINES = re.compile(r"\n[ \t]+(?=\n)")


class BlockReader:
    """Reads blocks from the tokens of one source.

    Args:
        lines: of the source, as ``Parsed.lines``.
        titles: label or id → title of what a reference points at.
    """

    def __init__(self, lines: Sequence[str], titles: Mapping[str, str] | None = None) -> None:
        self._lines = lines
        self._titles = titles or {}

    def read(self, tokens: Sequence[Token]) -> list[Block]:
        """Return the blocks of a balanced run of tokens, in order; what is not text gives none."""
        return list(self._blocks(list(tokens)))

    def _blocks(self, tokens: list[Token]) -> Iterator[Block]:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            close = matching(tokens, index) if token.nesting == 1 else index
            yield from self._block(token, tokens[index + 1 : close])
            index = close + 1

    def _block(self, token: Token, inner: list[Token]) -> Iterator[Block]:  # noqa: C901
        kind = token.type
        if kind in ("paragraph_open", "heading_open", "directive_title_open"):
            yield from self._paragraph(inner[0])
        elif kind == "inline":
            yield from self._paragraph(token)
        elif kind in ("bullet_list_open", "ordered_list_open"):
            yield from self._list(token, inner)
        elif kind in ("fence", "code_block"):
            yield from self._code(token)
        elif kind in ("math_block", "math_block_label", "amsmath"):
            yield from self._whole("math", token.content.strip(), token)
        elif kind == "table_open":
            yield from self._table(token, inner)
        elif kind == "blockquote_open":
            yield from self._box("quote", "", inner, token)
        elif kind == "dl_open":
            yield from self._definitions(token, inner)
        elif kind == "html_block":
            yield from self._html(token)
        elif kind == "directive":
            if token.meta.get("role") == "image":
                yield from self._whole("figure", str(token.meta["options"].get("alt", "")), token)
        elif kind == "directive_open":
            yield from self._directive(token, inner)
        elif kind == "div_open":
            yield from self._titled(token, inner)

    def _span(self, token: Token) -> tuple[int, int]:
        first, end = token.map or (0, 1)
        while end > first + 1 and not self._line(end - 1).strip():
            end -= 1
        return first + 1, end

    def _line(self, number: int) -> str:
        return self._lines[number] if number < len(self._lines) else ""

    def _whole(self, kind: BlockKind, text: str, token: Token) -> Iterator[Block]:
        if text.strip():
            start, end = self._span(token)
            yield Block(kind=kind, text=text, start_line=start, end_line=end)

    def _paragraph(self, inline: Token) -> Iterator[Block]:
        start, end = self._span(inline)
        if only_images(inline.children):
            alts = (image_text(child) for child in inline.children or () if child.type == "image")
            texts = [alt for alt in alts if alt] or [inline_text(inline.children, self._titles).strip()]
            yield from self._whole("figure", "\n".join(texts), inline)
            return
        content = read_inline(inline.children, self._titles)
        left = len(content.text) - len(content.text.lstrip())
        text = content.text.strip()
        if not text:
            return
        parts = tuple(split_sentences(text))
        spans: list[tuple[int, int]] = []
        offset = left
        for part in parts:
            last = offset + max(0, len(part.rstrip()) - 1)
            first_line = start + bisect_right(content.breaks, offset)
            spans.append((min(first_line, end), min(start + bisect_right(content.breaks, last), end)))
            offset += len(part)
        yield Block(
            kind="paragraph",
            text=text,
            start_line=start,
            end_line=end,
            parts=parts if len(parts) > 1 else (),
            joiner="",
            part_lines=tuple(spans) if len(parts) > 1 else (),
        )

    def _list(self, token: Token, inner: list[Token]) -> Iterator[Block]:
        items = list_items(inner, self._lines, self.read, lambda inline: inline_text(inline.children, self._titles))
        items = [item for item in items if item.text.strip()]
        if not items:
            return
        start, end = self._span(token)
        yield Block(
            kind="list",
            text="\n".join(item.text for item in items),
            start_line=start,
            end_line=end,
            parts=tuple(item.text for item in items) if len(items) > 1 else (),
            part_lines=tuple((item.start_line, item.end_line) for item in items) if len(items) > 1 else (),
        )

    def _code(self, token: Token) -> Iterator[Block]:
        content = _BLANK_LINES.sub("\n", token.content).rstrip()
        first = int(token.meta.get("code_line", token.map[0] if token.map else 0)) + 1
        while content.startswith("\n"):
            content, first = content[1:], first + 1
        if not content.strip():
            return
        start, end = self._span(token)
        caption = str(token.meta.get("options", {}).get("caption", "")) if "name" in token.meta else ""
        groups = content.split("\n\n")
        spans: list[tuple[int, int]] = []
        line = first
        for group in groups:
            height = group.count("\n") + 1
            spans.append((min(line, end), min(line + height - 1, end)))
            line += height + 1
        if caption:
            groups, spans = [caption, *groups], [(start, start), *spans]
        yield Block(
            kind="code",
            text="\n\n".join(groups),
            start_line=start,
            end_line=end,
            language=str(token.meta.get("language", "")),
            title=caption,
            parts=tuple(groups),
            joiner="\n\n",
            part_lines=tuple(spans),
        )

    def _table(self, token: Token, inner: list[Token], caption: str = "") -> Iterator[Block]:
        header: list[str] = [caption] if caption else []
        rows: list[str] = []
        spans: list[tuple[int, int]] = []
        start, end = self._span(token)
        in_head = False
        for index, part in enumerate(inner):
            if part.type in ("thead_open", "thead_close"):
                in_head = part.type == "thead_open"
            if part.type != "tr_open":
                continue
            row = self._row(inner[index + 1 : matching(inner, index)])
            if not row.strip(" |"):
                continue
            if in_head:
                header.append(row)
            else:
                line = min(max((part.map or [start - 1, start])[0] + 1, start), end)
                rows.append(row)
                spans.append((line, line))
        for number in range(len(spans) - 1):
            spans[number] = (spans[number][0], max(spans[number][0], spans[number + 1][0] - 1))
        if spans:
            spans[-1] = (spans[-1][0], end)
        if rows or header:
            yield Block(
                kind="table",
                text="\n".join([*header, *rows]),
                start_line=start,
                end_line=end,
                title=caption,
                header="\n".join(header),
                parts=tuple(rows),
                part_lines=tuple(spans),
            )

    def _row(self, tokens: list[Token]) -> str:
        cells: list[str] = []
        index = 0
        while index < len(tokens):
            close = matching(tokens, index)
            texts = (block.text for block in self.read(tokens[index + 1 : close]))
            cells.append(" ".join(" ".join(texts).split()))
            index = close + 1
        return " | ".join(cells)

    def _box(self, kind: BlockKind, title: str, inner: list[Token], token: Token) -> Iterator[Block]:
        children = tuple(self.read(inner))
        text = "\n\n".join(child.text for child in children)
        whole = f"{title}\n{text}" if title and text else title or text
        if whole.strip():
            start, end = self._span(token)
            yield Block(kind=kind, text=whole, start_line=start, end_line=end, title=title, children=children)

    def _directive(self, token: Token, inner: list[Token]) -> Iterator[Block]:
        name, role = token.info, token.meta["role"]
        if name in _LAYOUT:
            yield from self._blocks(inner)
        elif role == "figure" or name == "figure-md":
            yield from self._figure(token, inner)
        elif role == "table" or name == "table":
            yield from self._captioned_table(inner)
        elif name in _QUOTES:
            yield from self._box("quote", "", inner, token)
        elif role in ("titled", "admonition"):
            yield from self._titled(token, inner)
        elif name == "line-block" or role == "container":
            yield from self._blocks(inner)
        else:
            yield from self._box("admonition", "", inner, token)

    def _titled(self, token: Token, inner: list[Token]) -> Iterator[Block]:
        if inner and inner[0].type == "directive_title_open":
            title = inline_text(inner[1].children, self._titles).strip()
            inner = inner[3:]
        else:
            title = ""
        if token.type == "div_open" and not title and token.info in _LAYOUT:
            yield from self._blocks(inner)
        else:
            yield from self._box("admonition", title, inner, token)

    def _figure(self, token: Token, inner: list[Token]) -> Iterator[Block]:
        alt = str(token.meta["options"].get("alt", "")).strip()
        texts = [block.text for block in self.read(inner)]
        if alt and alt not in texts:
            texts.insert(0, alt)
        yield from self._whole("figure", "\n".join(texts), token)

    def _captioned_table(self, inner: list[Token]) -> Iterator[Block]:
        caption = ""
        if inner and inner[0].type == "directive_title_open":
            caption = inline_text(inner[1].children, self._titles).strip()
            inner = inner[3:]
        if caption and not (inner and inner[0].type == "table_open"):
            yield from self._blocks([_plain(caption, inner)])
        elif inner and inner[0].type == "table_open":
            close = matching(inner, 0)
            yield from self._table(inner[0], inner[1:close], caption)
            inner = inner[close + 1 :]
        yield from self._blocks(inner)

    def _definitions(self, token: Token, inner: list[Token]) -> Iterator[Block]:
        groups: list[list[str]] = []
        spans: list[tuple[int, int]] = []
        index = 0
        while index < len(inner):
            part = inner[index]
            close = matching(inner, index)
            body = inner[index + 1 : close]
            if part.type == "dt_open":
                if not groups or any(line.startswith(": ") for line in groups[-1]):
                    groups.append([])
                    spans.append(self._span(part))
                groups[-1].append(inline_text(body[0].children, self._titles).strip())
            elif groups:
                text = "\n\n".join(block.text for block in self.read(body))
                groups[-1].append(": " + _CONTINUED.sub("\n  ", text) if text else "")
                spans[-1] = (spans[-1][0], self._span(part)[1])
            index = close + 1
        texts = ["\n".join(line for line in group if line.strip()) for group in groups]
        kept = [(text, span) for text, span in zip(texts, spans, strict=True) if text]
        if kept:
            start, end = self._span(token)
            yield Block(
                kind="definition-list",
                text="\n".join(text for text, _ in kept),
                start_line=start,
                end_line=end,
                parts=tuple(text for text, _ in kept) if len(kept) > 1 else (),
                part_lines=tuple(span for _, span in kept) if len(kept) > 1 else (),
            )

    def _html(self, token: Token) -> Iterator[Block]:
        text = html_text(token.content)
        if text:
            start, end = self._span(token)
            lines = tuple(text.split("\n"))
            yield Block(
                kind="paragraph",
                text=text,
                start_line=start,
                end_line=end,
                parts=lines if len(lines) > 1 else (),
            )


def _plain(text: str, near: list[Token]) -> Token:
    lines = next((token.map for token in near if token.map), None)
    return Token("inline", "", 0, content=text, map=lines, children=[Token("text", "", 0, content=text)])
