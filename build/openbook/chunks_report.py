"""What a file becomes: the list behind ``openbook chunks PATH``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from openbook.chunking import Chunk, chunk_document
from openbook.config import Config
from openbook.course.catalogue import load_catalogue, source_of
from openbook.course.document import Document
from openbook.course.readers import read, source_front_matter
from openbook.course.source import Lecture
from openbook.errors import BuildWarning, SourceNotFoundError, UnreadableSourceError, as_warning


def describe(
    path: Path,
    config: Config,
    count_tokens: Callable[[str], int],
    max_tokens: int,
    as_of: date | None = None,
) -> tuple[list[dict[str, Any]], list[BuildWarning]]:
    """Say what a file, or each released file of a course, is cut into.

    Args:
        path: a file, which is read whether it is released or not, since its author asks; or a folder.
        config: of the course; for a folder, its own.
        count_tokens: as ``chunk_document`` wants it.
        max_tokens: word pieces that the encoder reads.
        as_of: day of the release gate for a folder; default: today.

    Returns:
        For each chunk, in reading order, ``id``; ``title`` of its section; ``headings``: its heading path, and then the
        headings that stand in its text; ``anchor``; ``kind``; ``text``; ``start_line`` and ``end_line``; ``tokens``;
        and, beyond those, ``path`` (the heading path alone), ``source``, ``part``, ``parts`` and ``words``. With them,
        what the readers noticed.

    Raises:
        SourceNotFoundError: there is no such file or folder.
        OpenbookError: as the catalogue and the readers raise it.
    """
    found: list[dict[str, Any]] = []
    warnings: list[BuildWarning] = []
    for document in _documents(path, config, as_of or config.today(), warnings):
        warnings.extend(document.warnings)
        chunks = chunk_document(document, config.settings.chunks, max_tokens, count_tokens)
        found.extend(_describe(chunk, document) for chunk in chunks)
    return found, warnings


def _documents(path: Path, config: Config, as_of: date, warnings: list[BuildWarning]) -> Iterator[Document]:
    path = path.resolve()
    if path.is_dir():
        catalogue = load_catalogue(config, as_of)
        warnings.extend(catalogue.warnings)
        for lecture in catalogue.lectures:
            for source in lecture.sources:
                if not source.path.is_relative_to(path):
                    continue
                try:
                    yield read(source, config, lecture)
                except UnreadableSourceError as error:
                    warnings.append(as_warning(error, source.path_in(config)))
    elif path.is_file():
        yield read_file(path, config)
    else:
        raise SourceNotFoundError("there is no such file or folder.", source=path)


def read_file(path: Path, config: Config) -> Document:
    """Read one file as the lecture that it would be, without a catalogue and so without the release gate."""
    shown = path.relative_to(config.root).as_posix() if path.is_relative_to(config.root) else path.name
    source = source_of(path, source_front_matter(path, shown), config)
    if source is None:
        raise UnreadableSourceError(
            "no reader knows what it holds.", source=shown, hint="Name one in [sources.readers] of openbook.toml."
        )
    return read(source, config, Lecture(id=source.lecture, number=1, title=path.stem, sources=(source,)))


def _describe(chunk: Chunk, document: Document) -> dict[str, Any]:
    inner = [
        section.title
        for section in document.sections
        if section.anchor != chunk.anchor
        and chunk.start_line <= section.start_line <= chunk.end_line
        and section.title in chunk.text.split("\n")
    ]
    return {
        "id": chunk.id,
        "title": chunk.title,
        "headings": [*chunk.path, *inner],
        "anchor": chunk.anchor,
        "kind": chunk.kind,
        "text": chunk.text,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "tokens": chunk.tokens,
        "path": list(chunk.path),
        "source": chunk.source,
        "part": chunk.part,
        "parts": chunk.parts,
        "words": chunk.words,
    }
