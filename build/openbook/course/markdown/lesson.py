"""What a lesson of The Carpentries says of itself in its front matter, and shows on its page: boxes of its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from openbook.course.front_matter import FrontMatter

_ABOVE = {"questions": "Questions", "objectives": "Objectives"}
_BELOW = {"keypoints": "Key Points"}


def lesson_boxes(tokens: list[Token], matter: FrontMatter, md: MarkdownIt) -> list[Token]:
    """Return the tokens of a text with the boxes that its page has above and below it."""
    return [*_boxes(_ABOVE, matter, md), *tokens, *_boxes(_BELOW, matter, md)]


def _boxes(keys: dict[str, str], matter: FrontMatter, md: MarkdownIt) -> list[Token]:
    found: list[Token] = []
    for key, title in keys.items():
        said = matter.data.get(key)
        if isinstance(said, list) and said and all(isinstance(item, str) for item in said):
            found += _box(key, title, said, matter.key_lines.get(key, 1), md)
    return found


def _box(name: str, title: str, items: Sequence[str], line: int, md: MarkdownIt) -> list[Token]:
    text = "\n".join(f"- {' '.join(item.split())}" for item in items)
    tokens = md.parse(f"::: {name} {title}\n{text}\n:::\n", {})
    for token in tokens:
        token.map = None if token.map is None else [line - 1, line]
    return tokens
