"""Decks in Marp Markdown → a document with one section a slide.

A slide ends at a thematic break of the token tree (so never inside a fence), and, where ``headingDivider`` says so,
before a heading. Comments that are not Marp's directives are the slide's presenter notes.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import yaml
from markdown_it.token import Token

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.markdown import Parsed, parse
from openbook.course.markdown.text import inline_text
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.markdown_decks import name_untitled
from openbook.course.readers.sections import split_footnotes
from openbook.course.readers.slides import Slide, set_title, slide_sections
from openbook.course.source import Lecture, Probe, Source

_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*\n[ \t]*(?![-*+] |\d+[.)] )")
_DIRECTIVES = """
    author backgroundColor backgroundImage backgroundPosition backgroundRepeat backgroundSize class color description
    footer header headingDivider image keywords lang marp math paginate size style theme title transition url
"""
DIRECTIVES = frozenset(_DIRECTIVES.split())
_TOOLS = re.compile(
    r"\s*(?:fit\s*$|prettier-ignore|markdownlint-|omit (?:in|from) toc|toc\b|vale |spell)", re.IGNORECASE
)
_IMAGE_WORD = re.compile(
    r"(?:bg|left|right|fit|cover|contain|auto|vertical|horizontal|\d+(?:\.\d+)?%|(?:left|right):\d+(?:\.\d+)?%|"
    r"(?:w|h|width|height):\S+|(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|"
    r"sepia)(?::\S+)?)$"
)


class Marp:
    """Reads decks in Marp Markdown."""

    name = "marp"
    suffixes = (".md", ".markdown")
    text = True

    def detects(self, probe: Probe) -> bool:
        """A deck says ``marp: true`` in its front matter, or is called one."""
        return probe.front_matter.data.get("marp") is True or probe.deck

    def kind(self, probe: Probe) -> DocumentKind:
        """Slides, always."""
        return "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a deck."""
        parsed = parse(raw, source.path_in(config))
        slides = tuple(split_slides(parsed))
        sections = name_untitled(slide_sections(slides, parsed))
        for slide, section in zip(slides, sections, strict=True):
            slide.title, slide.level = section.title, section.level
        document = make_document(
            source,
            config,
            lecture,
            title=parsed.title,
            sections=tuple(sections),
            warnings=tuple(parsed.warnings),
        )
        return Reading(document, parsed, slides)


def split_slides(parsed: Parsed) -> list[Slide]:
    """Cut a deck into slides; pages and chunks both call this, so that their anchors are the same."""
    body, _ = split_footnotes(parsed.tokens)
    divider = _divider_levels(parsed, body)
    slides = [Slide(number=1, tokens=[], start_line=parsed.front_matter.lines + 1, end_line=len(parsed.lines))]
    for token in body:
        line = (token.map or [0])[0] + 1
        rule = token.type == "hr" and token.level == 0
        divides = token.type == "heading_open" and token.level == 0 and int(token.tag[1]) in divider
        if rule or (divides and _has_content(slides[-1])):
            slides[-1].end_line = line - 1
            slides.append(Slide(number=len(slides) + 1, tokens=[], start_line=line + rule, end_line=len(parsed.lines)))
        if not rule:
            slides[-1].tokens.append(token)
    for slide in slides:
        _take_comments(slide)
        set_title(slide, parsed.targets)
        while slide.end_line > slide.start_line and not parsed.lines[slide.end_line - 1].strip():
            slide.end_line -= 1
        slide.end_line = max(slide.start_line, slide.end_line)
    return slides


def _has_content(slide: Slide) -> bool:
    return any(
        not token.hidden and not (token.type == "html_block" and not _COMMENT.sub("", token.content).strip())
        for token in slide.tokens
    )


def _divider_levels(parsed: Parsed, body: list[Token]) -> frozenset[int]:
    """Return the heading levels that begin a slide; a single number means that level and those above it."""
    value = parsed.front_matter.data.get("headingDivider")
    for text, _, _ in _comments(body):
        value = _directives(text).get("headingDivider", value)
    if isinstance(value, bool):
        return frozenset()
    if isinstance(value, int):
        return frozenset(range(1, value + 1))
    return frozenset(level for level in value if isinstance(level, int)) if isinstance(value, list) else frozenset()


def _directives(comment: str) -> dict[str, Any]:
    """Return what a comment says to Marp; {} when it is a presenter's note."""
    if ":" not in comment:
        return {}
    for text in (comment.strip(), textwrap.dedent(comment)):
        try:
            data = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        if isinstance(data, dict) and any(str(key).lstrip("_$") in DIRECTIVES for key in data):
            return {str(key): value for key, value in data.items()}
    return {}


def _comments(tokens: list[Token]) -> Iterator[tuple[str, int, int]]:
    """Yield the comments among tokens, as (text, start line, end line)."""
    for token in tokens:
        first, end = token.map or (0, 1)
        if token.type == "html_block":
            for match in _COMMENT.finditer(token.content):
                start = first + token.content.count("\n", 0, match.start()) + 1
                yield match[1], start, start + match[0].count("\n")
        for child in token.children or ():
            if child.type == "html_inline" and (found := _COMMENT.match(child.content)):
                yield found[1], first + 1, end


def _take_comments(slide: Slide) -> None:
    for text, start, end in _comments(slide.tokens):
        found = _directives(text)
        if found:
            slide.directives.update(found)
        elif text.strip() and not _TOOLS.match(text):
            slide.notes.append((_flow(text), start, end))
    slide.tokens = [token for token in map(_without_comments, slide.tokens) if token is not None]


def _without_comments(token: Token) -> Token | None:
    if token.type == "html_block" and "<!--" in token.content:
        content = _COMMENT.sub("", token.content)
        return token.copy(content=content) if content.strip() else None
    if token.type == "inline" and token.children:
        for child in token.children:
            if child.type == "image":
                child.meta["alt"], child.meta["marp"] = _slide_alt(inline_text(child.children))
        kept = [
            child for child in token.children if not (child.type == "html_inline" and _COMMENT.match(child.content))
        ]
        return token.copy(children=kept)
    return token


def _slide_alt(alt: str) -> tuple[str, list[str]]:
    """Split an image's alternative text into what it says and Marp's words in front of it: ``bg left:40% A pump``."""
    words = alt.split()
    text = next((index for index, word in enumerate(words) if not _IMAGE_WORD.match(word)), len(words))
    return " ".join(words[text:]), words[:text]


def _flow(text: str) -> str:
    """Join the lines of a note's paragraphs; list items keep lines of their own."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return "\n\n".join(_LINE_END.sub(" ", paragraph.strip()) for paragraph in paragraphs)
