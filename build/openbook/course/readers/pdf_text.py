"""Lines of a page of a PDF → paragraphs, lists, and what is not text but furniture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence

from openbook.course.document import Block
from openbook.course.readers.plain_blocks import item_text, list_block, paragraph

_LIGATURES = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
    # what TeX's bitmap fonts (T1 encoding) have where a PDF without names of its letters shows control characters
    | {"\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl", "\x10": "“", "\x11": "”"}
    | {"\x12": "„", "\x13": "«", "\x14": "»", "\x15": "–", "\x16": "—", "\x88": "•"}
)
_BULLET = re.compile(r"^(?P<mark>[•◦▪▫■□●○►▶‣⁃∙·➢➤✓✔❖◆–—*-])(?:\s+|(?=[^\W\d_]))(?P<text>\S.*)$")
_NUMBERED = re.compile(r"^(?P<mark>\d{1,2}[.)])\s+(?P<text>\S.*)$")
_LONE_BULLET = re.compile(r"^[•◦▪▫■□●○►▶‣⁃∙➢➤❖◆]$")
_HYPHEN = re.compile(r"([^\W\d_]+)[-\u2010]$")
_WORD_START = re.compile(r"^([^\W\d_]+)")
_DIGITS = re.compile(r"\d+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffd\ue000-\uf8ff]")
_LEADERS = re.compile(r"(?:\s*\.){4,}\s*")
_EDGE_LINES = 3
_LEAST_PAGES = 4
_LEAST_OF_HALF = 0.25
_SAME_OFFSET = 0.8
_FULL_LINE = 0.65


def page_lines(text: str) -> list[str]:
    """Return the lines of a page, ligatures as letters, a lone bullet joined to the line that it belongs to."""
    lines: list[str] = []
    for raw in text.translate(_LIGATURES).split("\n"):
        hyphen = "-" if raw.rstrip().endswith("\u00ad") else ""
        line = " ".join(_LEADERS.sub(" … ", _CONTROL.sub(" ", raw.replace("\u00ad", ""))).split()) + hyphen
        if not line:
            continue
        if lines and _LONE_BULLET.match(lines[-1]):
            lines[-1] = f"{lines[-1]} {line}"
        else:
            lines.append(line)
    return [line for line in lines if not _LONE_BULLET.match(line)]


def running_lines(pages: Sequence[Sequence[str]]) -> dict[str, str]:
    """Find running heads and feet: lines at the edge of most pages that differ in numbers alone.

    A number on a line of its own, as at the foot of a page, need only stand on every fifth. Pages on the left and on
    the right of a book may each have a head of their own, when it holds the number of the page.

    Returns:
        Their form, with ``#`` for each number → one of them as it stands; {} with fewer than four pages.
    """
    texts = [(number, page) for number, page in enumerate(pages) if page]
    if len(texts) < _LEAST_PAGES:
        return {}
    found: dict[str, list[tuple[int, str]]] = {}
    for number, page in texts:
        forms = {form_of(line): line for line in reversed(_edges(page))}
        for form, line in forms.items():
            found.setdefault(form, []).append((number, line))
    return {form: lines[0][1] for form, lines in found.items() if _runs(form, lines, len(texts))}


def _runs(form: str, lines: Sequence[tuple[int, str]], pages: int) -> bool:
    words = any(char.isalpha() for char in form)
    if len(lines) > max(2, pages * (0.5 if words else 0.2)):
        return True
    if not words or len(lines) <= max(2, pages * _LEAST_OF_HALF):
        return False
    offsets = Counter(int(digits) - number for number, line in lines for digits in set(_DIGITS.findall(line)))
    return max(offsets.values(), default=0) >= _SAME_OFFSET * len(lines)


def _edges(page: Sequence[str]) -> list[str]:
    return list(page) if len(page) <= 2 * _EDGE_LINES else [*page[:_EDGE_LINES], *page[-_EDGE_LINES:]]


def form_of(line: str) -> str:
    """Return a line with ``#`` for each number in it."""
    return _DIGITS.sub("#", line).casefold()


def without_running(page: Sequence[str], running: Iterable[str], kept: Container[str] = ()) -> list[str]:
    """Return a page without its running heads and feet, but for the lines ``kept``."""
    forms = frozenset(running)
    last = len(page) - _EDGE_LINES
    return [
        line
        for index, line in enumerate(page)
        if line in kept or not ((index < _EDGE_LINES or index >= last) and form_of(line) in forms)
    ]


def known_words(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return every word that stands unbroken in a line, hyphens and all."""
    return frozenset(
        word.casefold() for page in pages for line in page for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", line)
    )


def join_lines(first: str, second: str, words: frozenset[str]) -> str:
    """Join two lines of a paragraph; a word that was broken at the line's end becomes whole.

    The hyphen stays where the word stands with one elsewhere, or where only its parts are known as words.
    """
    left, right = _HYPHEN.search(first), _WORD_START.match(second)
    if left is None or right is None or not right[1][:1].islower():
        return f"{first} {second}"
    broken, hyphenated = (left[1] + right[1]).casefold(), f"{left[1]}-{right[1]}".casefold()
    if broken not in words and hyphenated in words:
        return first + second
    return first[:-1] + second


def page_blocks(lines: Sequence[str], number: int, words: frozenset[str]) -> list[Block]:
    """Return the paragraphs and lists of a page.

    A line goes on with the one before it when that one is about as long as the longest on the page, or ends in a
    hyphen, and neither begins nor ends something; shorter lines, as on a slide, stay lines.
    """
    longest = max((len(line) for line in lines), default=0)
    blocks: list[Block | None] = []
    items: list[str] = []
    text: list[str] = []

    def flush() -> None:
        if len(items) == 1 and not items[0].startswith("-"):  # a numbered heading, not a list
            blocks.append(paragraph(items[0], number))
        elif items:
            blocks.append(list_block(items, number))
        elif text:
            blocks.append(paragraph("\n".join(text), number))
        items.clear()
        text.clear()

    before = ""
    for line in lines:
        bullet = _BULLET.match(line) or _NUMBERED.match(line)
        if bullet:
            if not items:
                flush()
            mark = bullet["mark"] if bullet.re is _NUMBERED else "-"
            items.append(item_text(mark, bullet["text"]))
        elif before and _goes_on(before, line, longest):
            target = items or text
            target[-1] = join_lines(target[-1], line, words)
        else:
            if items or (before and before.endswith((".", "!", "?", "。")) and longest > 60):
                flush()
            text.append(line)
        before = line
    flush()
    return [block for block in blocks if block is not None]


def _goes_on(before: str, line: str, longest: int) -> bool:
    if _HYPHEN.search(before) and line[:1].islower():
        return True
    if before.endswith((".", "!", "?", ":", "。")) and not line[:1].islower():
        return False
    return (len(before) >= _FULL_LINE * longest and longest > 30) or (line[:1].islower() and len(before) > 25)
