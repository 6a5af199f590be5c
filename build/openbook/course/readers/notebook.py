"""Jupyter notebooks: the cells of Markdown and code, in order; what code printed, where the settings want it."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from markdown_it.token import Token

from openbook.config import Config
from openbook.course import front_matter
from openbook.course.document import DocumentKind
from openbook.course.encoding import decode
from openbook.course.front_matter import NONE, FrontMatter
from openbook.course.markdown import Cell, parse_cells
from openbook.course.markdown.cells import read_cell
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.notes import files_of
from openbook.course.readers.sections import read_sections
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning, FrontMatterError, UnreadableSourceError

_ATTACHMENT = re.compile(r"attachment:([^\s)\"'>]+)")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_MAGIC = re.compile(r"%%(\w+)")
_MAGIC_LANGUAGES = {
    "bash": "bash", "sh": "bash", "script": "bash", "html": "html", "javascript": "javascript", "js": "javascript",
    "latex": "latex", "perl": "perl", "ruby": "ruby", "R": "r", "sql": "sql", "writefile": "", "markdown": "markdown",
}  # fmt: skip
_LONGEST_OUTPUT = 20_000
_MIME_SUFFIXES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")


class Notebook:
    """Reads Jupyter notebooks of format 3 and 4."""

    name = "notebook"
    suffixes = (".ipynb",)
    text = False

    def detects(self, probe: Probe) -> bool:
        """Any file with the suffix."""
        return True

    def kind(self, probe: Probe) -> DocumentKind:
        """Notes, always."""
        return "notes"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a notebook.

        Raises:
            UnreadableSourceError: it is not a notebook.
        """
        shown = source.path_in(config)
        text, notebook = load(raw, shown)
        matter, used = matter_of(notebook, shown)
        work = _Work(notebook, _Lines(text), matter, shown, outputs=config.settings.sources.notebook_outputs)
        parsed = parse_cells(
            list(work.cells(skip_first=used)), matter, shown, dialect=work.dialect, files=files_of(source, config)
        )
        _show_attachments(parsed.tokens, work.attachments)
        document = make_document(
            source,
            config,
            lecture,
            title=parsed.title,
            sections=read_sections(parsed, parsed.title or source.path.stem),
            warnings=(*work.warnings, *parsed.warnings),
        )
        return Reading(document, parsed)


def load(raw: bytes, shown: str) -> tuple[str, dict[str, Any]]:
    """Return a notebook's text and what is in it, as format 4.

    Raises:
        UnreadableSourceError: it is not a notebook.
    """
    text = decode(raw, shown).text
    if not text.strip():
        return text, {"cells": [], "metadata": {}}
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise UnreadableSourceError(
            f"is no notebook: {error}.", source=shown, line=line, hint="Open and save it in Jupyter."
        ) from error
    if isinstance(notebook, dict) and "worksheets" in notebook and "cells" not in notebook:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                notebook = nbformat.convert(nbformat.from_dict(notebook), 4)  # type: ignore[no-untyped-call]
        except Exception as error:
            raise UnreadableSourceError(f"is a notebook that cannot be upgraded: {error}.", source=shown) from error
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise UnreadableSourceError("is no notebook: it has no cells.", source=shown)
    return text, notebook


def notebook_front_matter(path: Path, shown: str) -> FrontMatter:
    """Return what a notebook says of itself, in its metadata or a first cell of YAML; nothing else of it is used.

    Raises:
        FrontMatterError: it speaks of a release and is not valid.
        UnreadableSourceError: the file cannot be opened.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableSourceError(f"cannot be read: {error.strerror}.", source=shown) from error
    try:
        return matter_of(load(raw, shown)[1], shown)[0]
    except UnreadableSourceError:
        return NONE


def matter_of(notebook: dict[str, Any], shown: str) -> tuple[FrontMatter, bool]:
    """Return the front matter of a notebook, and whether its first cell is nothing else."""
    metadata = notebook.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    own = metadata.get("openbook")
    data: dict[str, Any] = dict(own) if isinstance(own, dict) else {}
    if isinstance(metadata.get("title"), str):
        data.setdefault("title", metadata["title"])
    used = False
    first = next(iter(notebook["cells"]), None)
    if isinstance(first, dict) and first.get("cell_type") in ("raw", "markdown"):
        text = _source(first).strip()
        try:
            found = front_matter.split(text, shown)
        except FrontMatterError as error:
            raise FrontMatterError(error.message, source=shown, hint="It is in the first cell.") from error
        if found.lines:
            data |= found.data
            used = not "\n".join(text.split("\n")[found.lines :]).strip()
    return FrontMatter(data, 0, {}), used


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    text = "".join(str(line) for line in source) if isinstance(source, list) else str(source)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


class _Lines:
    """Finds the line of the file at which a cell's text begins."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._next = 0

    def find(self, cell: dict[str, Any]) -> int | None:
        """Return the line, counted from 0, where each line of the cell's text has one of its own; else None."""
        source = cell.get("source", cell.get("input"))
        if not isinstance(source, list) or not source:
            return None
        first = str(source[0])
        wanted = {json.dumps(first), json.dumps(first, ensure_ascii=False)}
        for number in range(self._next, len(self._lines)):
            if self._lines[number].strip().rstrip(",") in wanted:
                self._next = number + len(source)
                return number
        return None


class _Work:
    def __init__(
        self, notebook: dict[str, Any], lines: _Lines, matter: FrontMatter, shown: str, *, outputs: bool
    ) -> None:
        self._notebook = notebook
        self._lines = lines
        self._matter = matter
        self._shown = shown
        self._outputs = outputs
        self._line = 0
        self.attachments: dict[str, str] = {}
        self.warnings: list[BuildWarning] = []
        metadata = notebook.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        kernel, info = metadata.get("kernelspec"), metadata.get("language_info")
        names = [part.get(key) for part, key in ((info, "name"), (kernel, "language")) if isinstance(part, dict)]
        self._language = str(next((name for name in names if name), "python")).lower()
        self.dialect: Any = "pandoc" if {"format", "execute"} & matter.data.keys() else "myst"

    def cells(self, *, skip_first: bool) -> Iterator[Cell]:
        for number, cell in enumerate(self._notebook["cells"]):
            if not isinstance(cell, dict) or (number == 0 and skip_first):
                continue
            yield from self._cell(cell, number)

    def _place(self, cell: dict[str, Any], text: str) -> int:
        """Return the line at which a cell begins; never one that a cell before it has taken."""
        found = self._lines.find(cell)
        line = self._line if found is None else max(found, self._line)
        self._line = line + text.count("\n") + 2
        return line

    def _cell(self, cell: dict[str, Any], number: int) -> Iterator[Cell]:
        kind, text = cell.get("cell_type"), _source(cell)
        metadata = cell.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        tags = {str(tag).replace("_", "-") for tag in metadata.get("tags") or ()}
        if "remove-cell" in tags or metadata.get("nbsphinx") == "hidden":
            return
        line = self._place(cell, text)
        if number == 0 and kind == "markdown":
            lines = front_matter.split(text, self._shown).lines if text.startswith("---") else 0
            text, line = "\n".join(text.split("\n")[lines:]), line + lines
        if kind == "markdown":
            yield Cell(self._attach(text, cell, number), line)
        elif kind in ("code", "raw") and text.strip():
            if kind == "raw":
                yield from self._raw(text, metadata, line)
            else:
                yield from self._code(text, tags, line)
        if kind == "code" and self._outputs and "remove-output" not in tags:
            for output in _outputs(cell):
                yield Cell(output, line, "text", output=True)

    def _raw(self, text: str, metadata: dict[str, Any], line: int) -> Iterator[Cell]:
        mime = str(metadata.get("raw_mimetype") or metadata.get("format") or "")
        if mime in ("text/markdown", "text/html", "markdown", "html"):
            yield Cell(text, line)
        else:
            message = f"a raw cell {f'for {mime} ' if mime else ''}is not read."
            self.warnings.append(BuildWarning("raw-cell", message, self._shown, line + 1))

    def _code(self, text: str, tags: set[str], line: int) -> Iterator[Cell]:
        lines = text.split("\n")
        options = read_cell("", lines, self._matter.data)
        caption = " ".join(options.captions)
        if "remove-input" in tags or not options.shown:
            if caption:
                yield Cell(caption, line)
            return
        magic = _MAGIC.match(text)
        language = _MAGIC_LANGUAGES.get(magic[1], self._language) if magic else self._language
        yield Cell("\n".join(lines[options.lines :]), line + options.lines, language, caption)

    def _attach(self, text: str, cell: dict[str, Any], number: int) -> str:
        attachments = cell.get("attachments")
        if not isinstance(attachments, dict) or "attachment:" not in text:
            return text
        for name, bundle in attachments.items():
            for mime in _MIME_SUFFIXES if isinstance(bundle, dict) else ():
                if mime in bundle:
                    raw = bundle[mime]
                    data = "".join(raw) if isinstance(raw, list) else str(raw)
                    self.attachments[f"{number}/{name}"] = f"data:{mime};base64,{''.join(data.split())}"
        return _ATTACHMENT.sub(lambda match: f"attachment:{number}/{match[1]}", text)


def _outputs(cell: dict[str, Any]) -> Iterator[str]:
    for output in cell.get("outputs") or ():
        if not isinstance(output, dict):
            continue
        text: Any = output.get("text")
        data = output.get("data")
        if text is None and isinstance(data, dict):
            text = data.get("text/plain")
        if text is None and output.get("output_type") == "error":
            text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
        joined = _ANSI.sub("", "".join(map(str, text)) if isinstance(text, list) else str(text or "")).strip("\n")
        if joined.strip():
            yield joined[:_LONGEST_OUTPUT]


def _show_attachments(tokens: list[Token], attachments: dict[str, str]) -> None:
    for token in tokens:
        for child in token.children or ():
            source = str(child.attrs.get("src", ""))
            if child.type == "image" and source.startswith("attachment:"):
                child.attrs["src"] = attachments.get(source.removeprefix("attachment:"), source)
