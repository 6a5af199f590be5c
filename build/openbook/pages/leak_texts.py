"""Files → words and windows: what a search for leaks compares."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import PurePath
from urllib.parse import unquote

WINDOW_WORDS = 5
WINDOW_LETTERS = 25
CJK_WEIGHT = 3
"""Letters that one Chinese, Japanese or Korean character counts for: a window of those has nine or more."""
TEXT_SUFFIXES = frozenset(
    {".html", ".json", ".js", ".mjs", ".css", ".svg", ".txt", ".md", ".xml", ".toml", ".map", ".webmanifest"}
)
_CJK = "\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_JS_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbfv0'\"`\\/]))")


def normalise(text: str) -> str:
    """Fold what does not matter for telling texts apart: compatibility forms, case, soft hyphens."""
    folded = unicodedata.normalize("NFKC", text.replace("\u00ad", "")).casefold()
    return unicodedata.normalize("NFKC", folded)


def words_of(text: str) -> list[str]:
    """Split into words; a Chinese, Japanese or Korean character is a word of its own."""
    return _WORD.findall(normalise(text))


def windows(words: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (position of the first word, words) of the window that begins at each word.

    A window depends only on the words from its first one on, so equal texts have equal windows wherever they stand.
    """
    weights = [len(word) * (CJK_WEIGHT if _IS_CJK.match(word) else 1) for word in words]
    end, weight = 0, 0
    for start in range(len(words)):
        if end < start:
            end, weight = start, 0
        while end < len(words) and (end - start < WINDOW_WORDS or weight < WINDOW_LETTERS):
            weight += weights[end]
            end += 1
        if end - start < WINDOW_WORDS or weight < WINDOW_LETTERS:
            return
        # No end lies before that of the word before: with fewer words in front, a run is only lighter.
        yield start, tuple(words[start:end])
        weight -= weights[start]


class _HtmlText(HTMLParser):
    """The text of a page and, on its own, what its attributes and comments say."""

    INLINE = frozenset(
        {
            "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q",
            "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
        }
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.aside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.INLINE:
            self.text.append(" ")
        for name, value in attrs:
            if value and name not in {"class", "id", "rel", "type"}:
                self.aside.append(unquote(value))

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.INLINE:
            self.text.append(" ")

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.aside.append(data)


def _html_texts(text: str) -> Iterator[str]:
    parser = _HtmlText()
    parser.feed(text)
    parser.close()
    yield "".join(parser.text)
    yield "\n".join(parser.aside)


def _json_texts(text: str) -> Iterator[str]:
    """The strings of a JSON file, those at the same place of neighbouring elements joined.

    ``passages[0].text`` and ``passages[1].text`` are read as one text, so that a window cut in two by a chunk's
    end is still seen.
    """
    places: dict[tuple[str, ...], list[str]] = {}

    def visit(value: object, place: tuple[str, ...]) -> None:
        if isinstance(value, str):
            places.setdefault(place, []).append(value)
        elif isinstance(value, list):
            for item in value:
                visit(item, (*place, "[]"))
        elif isinstance(value, Mapping):
            for key, item in value.items():
                places.setdefault((*place, "{}"), []).append(key)
                visit(item, (*place, key))

    visit(json.loads(text), ())
    for strings in places.values():
        yield "\n".join(strings)


def _script_texts(text: str) -> Iterator[str]:
    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        if code:
            point = int(code, 16)
            return chr(point) if point < 0x110000 else " "
        return " " if match[4] in "nrtbfv0" else match[4]

    yield _JS_ESCAPE.sub(character, text)


def texts_of(path: PurePath, raw: bytes) -> list[str]:
    """Take a built file apart into plain texts; nothing for a binary file."""
    suffix = path.suffix.lower()
    if suffix not in TEXT_SUFFIXES and b"\0" in raw[:8192]:
        return []
    text = raw.decode("utf-8", errors="replace")
    if suffix in {".html", ".svg", ".xml"}:
        return list(_html_texts(text))
    if suffix == ".json":
        try:
            return list(_json_texts(text))
        except (ValueError, RecursionError):
            return list(_script_texts(text))
    return list(_script_texts(text))
