r"""Characters that nobody sees: taken out before anything else reads a source.

A model reads them all. Zero-width characters break words so that a search misses them and a filter too, bidirectional
controls show a line in another order than it has (*Trojan Source*, Boucher and Anderson, 2021), tag characters and
variation selectors spell out whole sentences that no screen shows. So what is indexed is what is seen.

What a script or an emoji needs stays: joiners beside letters of Arabic, Syriac, N'Ko, Mongolian and the scripts of
India and South-East Asia and inside emoji, direction marks in a line that is written from right to left, one variation
selector behind a sign, and the three flags that are made of tags. After Unicode's UAX 31 (joiners) and UTS 51 (emoji).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from html import unescape
from typing import Final

import msgspec

from openbook.course.document import Block, Document, Section
from openbook.errors import BuildWarning

KIND: Final = "hidden-characters"

_JOINED: Final = (
    "\u0600-\u06ff\u0700-\u074f\u0750-\u077f\u07c0-\u07ff\u0840-\u085f\u0860-\u08ff\u0900-\u0dff\u1000-\u109f"
    "\u1780-\u17b3\u17b6-\u17ff\u1807\u1820-\u18aa\u1a20-\u1aad\u1b00-\u1bff\ua840-\ua877\ua8e0-\ua8ff\ua980-\ua9df"
    "\uaa60-\uaa7f\ufb50-\ufdff\ufe70-\ufefc\U00010f30-\U00010f6f\U00011000-\U00011aff"
)
_EMOJI: Final = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]"
)
_MARKS: Final = "\u061c\u200e\u200f"

_FLAG: Final = "\U0001f3f4(?:{})\U000e007f".format(
    "|".join("".join(chr(0xE0000 + ord(letter)) for letter in flag) for flag in ("gbeng", "gbsct", "gbwls"))
)
_NEEDED: Final = (
    _FLAG,
    f"(?<=[{_JOINED}])[\u200c\u200d](?![\u200b-\u200d])",
    f"(?<![\u200b-\u200d])[\u200c\u200d](?=[{_JOINED}])",
    f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])",
    "(?<=[\u1820-\u18aa])[\u180b-\u180f]",
    "(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af])[\U000e0100-\U000e01ef]",
    "(?<=[#*0-9\u00a9\u00ae\u0d00-\ufdff\U00010000-\U0003ffff])[\ufe00-\ufe0f]",
)
_UNSEEN: Final = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FOUND: Final = re.compile(f"(?P<needed>{'|'.join(_NEEDED)})|(?P<unseen>[{_UNSEEN}])")
_ENTITY: Final = re.compile(r"&(?:#(?:[0-9]+|[xX][0-9a-fA-F]+)|[A-Za-z][A-Za-z0-9]*);")


class Hidden(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken out of a line.

    Attributes:
        line: of the text, counted from 1.
        characters: one after the other.
    """

    line: int
    characters: str

    def warning(self, source: str, line: int | None = None) -> BuildWarning:
        """What the build says of it.

        Args:
            source: path of the file.
            line: where that is not ``line``.
        """
        counts = Counter(self.characters)
        named = ", ".join(
            f"U+{ord(one):04X} {_name(one)}" + (f" ({times} times)" if times > 1 else "")
            for one, times in list(counts.items())[:4]
        )
        more = f" and {len(counts) - 4} others" if len(counts) > 4 else ""
        said = f"characters that nobody sees, but a model reads, were left out: {named}{more}."
        return BuildWarning(KIND, said, source, line or self.line)


def strip_hidden(text: str) -> tuple[str, list[Hidden]]:
    """Take out what nobody sees.

    Args:
        text: any; its line ends are kept.

    Returns:
        The text without, and what was taken out of which line.
    """
    if (text.isascii() and text.isprintable()) or not _FOUND.search(text):
        return text, []
    lines = text.split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        lines[number - 1], removed = _strip_line(line)
        if removed:
            found.append(Hidden(line=number, characters=removed))
    return "\n".join(lines), found


def strip_hidden_entities(html: str) -> tuple[str, list[Hidden]]:
    """Take out of HTML the references to characters that nobody sees (``&shy;``, ``&#8203;``)."""
    found: list[Hidden] = []

    def visible(match: re.Match[str]) -> str:
        removed = strip_hidden(unescape(match[0]))[1]
        if not removed:
            return match[0]
        line = html.count("\n", 0, match.start()) + 1
        found.append(Hidden(line=line, characters=removed[0].characters))
        return ""

    return (_ENTITY.sub(visible, html), found) if "&" in html else (html, [])


def without_hidden(document: Document) -> Document:
    """What every reader's document goes through: text from an entity, a notebook or a deck has no other way in."""
    work = _Work(document.source)
    sections = tuple(
        msgspec.structs.replace(
            section,
            title=work.clean(section.title, section.start_line),
            blocks=tuple(work.block(block) for block in section.blocks),
        )
        if work.touches(section)
        else section
        for section in document.sections
    )
    title = work.clean(document.title, 1)
    if not work.warnings:
        return document
    return msgspec.structs.replace(
        document, title=title, sections=sections, warnings=(*document.warnings, *dict.fromkeys(work.warnings))
    )


class _Work:
    def __init__(self, source: str) -> None:
        self.source = source
        self.warnings: list[BuildWarning] = []

    def touches(self, section: Section) -> bool:
        return bool(strip_hidden(section.title)[1]) or any(self._holds(block) for block in section.blocks)

    def _holds(self, block: Block) -> bool:
        texts = (block.text, block.title, block.header, *block.parts)
        return any(strip_hidden(text)[1] for text in texts) or any(map(self._holds, block.children))

    def clean(self, text: str, line: int) -> str:
        clean, found = strip_hidden(text)
        self.warnings += [one.warning(self.source, line + one.line - 1) for one in found]
        return clean

    def block(self, block: Block) -> Block:
        if not self._holds(block):
            return block
        return msgspec.structs.replace(
            block,
            text=self.clean(block.text, block.start_line),
            title=strip_hidden(block.title)[0],
            header=strip_hidden(block.header)[0],
            parts=tuple(strip_hidden(part)[0] for part in block.parts),
            children=tuple(self.block(child) for child in block.children),
        )


def _strip_line(line: str) -> tuple[str, str]:
    removed: list[str] = []
    marks = _MARKS if _RIGHT_TO_LEFT.search(line) else ""

    def visible(match: re.Match[str]) -> str:
        if match["needed"] is not None or match[0] in marks:
            return match[0]
        removed.append(match[0])
        return ""

    # What a removed character stood between may now need its joiner less: once more, until nothing goes.
    before = None
    while before != line:
        before, line = line, _FOUND.sub(visible, line)
    return line, "".join(removed)


def _name(character: str) -> str:
    if 0xE0020 <= ord(character) <= 0xE007E:
        return f"TAG {chr(ord(character) - 0xE0000)!r}"
    return unicodedata.name(character, "control character")
