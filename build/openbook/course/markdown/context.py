"""What the parser's rules know beside the text: the file, its front matter, and what it may include."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

_KEY = "openbook_context"
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Files:
    """Which files a source may include.

    Attributes:
        path: absolute path of the source.
        root: folder of the course, which no include leaves.
        refused: files and folders of lectures that are not released.
    """

    path: Path
    root: Path
    refused: frozenset[Path] = frozenset()


class Cell(NamedTuple):
    """A part of a source that is parsed on its own, as a notebook's cells are.

    Attributes:
        text: Markdown or code.
        line: of the source, counted from 0, at which it begins.
        language: of code; None for Markdown.
        caption: of code.
        output: whether it is what code printed.
    """

    text: str
    line: int
    language: str | None = None
    caption: str = ""
    output: bool = False


@dataclass(slots=True)
class Context:
    """The state of one parse.

    Attributes:
        source: path of the file for messages.
        pandoc: whether the text is in Pandoc's dialect.
        markdown_in_html: whether what stands in an element of HTML is Markdown, right behind its tag too.
        data: front matter.
        files: what may be included; None where nothing may.
        cells: parts to parse one by one; None for a text in one piece.
        substitutions: name → Markdown.
        including: files that are being included, the outermost first.
        offset: lines of the source before what is parsed.
        inline: line, counted from 0 in what is parsed, of the text whose inlines are parsed.
        fixed: line of the source to which all of what is parsed counts, or None.
        label_steps: of each text whose inlines are parsed, what is left of the steps to look for ends of labels.
    """

    source: str = "<text>"
    pandoc: bool = False
    markdown_in_html: bool = False
    data: Mapping[str, Any] = field(default_factory=dict)
    files: Files | None = None
    cells: Sequence[Cell] | None = None
    substitutions: Mapping[str, str] = field(default_factory=dict)
    including: list[Path] = field(default_factory=list)
    offset: int = 0
    fixed: int | None = None
    inline: int | None = None
    label_steps: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def at(self, line: int, path: Path | None = None) -> Iterator[None]:
        """Count all that is parsed inside to a line of the source, counted from 0."""
        before = self.fixed
        self.fixed = line if before is None else before
        if path is not None:
            self.including.append(path)
        try:
            yield
        finally:
            self.fixed = before
            if path is not None:
                self.including.pop()

    def line(self, line: int | None) -> int | None:
        """Return the line of the source, counted from 0, that a rule's line stands for."""
        if self.fixed is not None:
            return self.fixed + self.offset
        line = self.inline if line is None else line
        return None if line is None else line + self.offset


def context_of(env: MutableMapping[str, Any]) -> Context:
    """Return the context of a parse."""
    found = env.get(_KEY)
    if not isinstance(found, Context):
        found = env[_KEY] = Context()
    return found


def set_context(env: MutableMapping[str, Any], context: Context) -> None:
    """Begin a parse."""
    env[_KEY] = context
