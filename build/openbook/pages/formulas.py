r"""The formulas of a course, set: TeX as passages have it → MathML, so that the page can show a formula as one.

Plain text has nothing around a formula that would tell it from words. So what is listed is only TeX that no word looks
like (with ``\\``, ``^`` or ``_`` in it), and only where a passage has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from typing import Any

from markdown_it.token import Token

from openbook.course.document import Block
from openbook.course.readers.base import Reading
from openbook.pages.mathml import MathConverter, TexError

_TEX = re.compile(r"[\\^_]")
_SHORTEST = 3

Tree = str | list[Any]
"""Text, or ``[name, attributes, *children]``."""


def formulas_of(readings: Iterable[Reading], texts: Sequence[str]) -> dict[str, list[tuple[str, Tree]]]:
    """Return the content of the file ``formulas``: pairs of TeX and its tree, sorted by TeX.

    Args:
        readings: of what is released.
        texts: of all passages; a formula that none of them has is left out.

    TeX that cannot be set is left out; a page's own rendering warns of it.
    """
    all_text = "\n".join(texts)
    converter = MathConverter()
    found: dict[str, Tree] = {}
    # Inside a sentence the text has a formula on one line, by itself as it is written.
    written = [tex for reading in readings for tex in _in(reading)]
    forms = {tex.strip() for tex in written} | {" ".join(tex.split()) for tex in written}
    for tex in sorted(forms):
        if len(tex) < _SHORTEST or not _TEX.search(tex) or tex not in all_text:
            continue
        try:
            mathml = converter.convert(tex, display=False)
        except TexError:
            continue
        if mathml:
            found[tex] = tree_of(mathml)
    return {"formulas": list(found.items())}


def tree_of(mathml: str) -> Tree:
    """Return an element as the page builds it: nothing is parsed there, and nothing but text is set."""
    builder = _TreeBuilder()
    builder.feed(mathml)
    builder.close()
    root: Tree = builder.root[2]
    return root


class _TreeBuilder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root: list[Any] = ["", {}]
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element: list[Any] = [tag, {name: unescape(value or "") for name, value in attrs}]
        self._open[-1].append(element)
        self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].append(data)


def _in(reading: Reading) -> Iterator[str]:
    if reading.parsed is not None:
        yield from _of_tokens(reading.parsed.tokens)
    for slide in reading.slides or ():
        yield from _of_tokens(slide.tokens)
    for section in reading.document.sections:
        yield from _of_blocks(section.blocks)


def _of_tokens(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type.startswith("math_") or token.type == "amsmath":
            yield token.content
        yield from _of_tokens(token.children or ())


def _of_blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if block.kind == "math":
            yield block.text
        yield from _of_blocks(block.children)
