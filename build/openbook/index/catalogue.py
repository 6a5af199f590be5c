"""What a list of results needs before any passage has loaded: lectures, and the chunks by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from openbook.chunking import Chunk
from openbook.course.document import DocumentKind
from openbook.course.freshness import SourceState
from openbook.course.source import Lecture, Source, page_url
from openbook.errors import IndexFormatError

KINDS = ("notes", "slides")


class LectureEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A lecture, as the page shows it.

    Attributes:
        release: ISO date, or None.
        notes, slides: urls of its pages, relative to the site's root; None when it has none.
        notes_updated, slides_updated: ISO dates of their last change; None where nothing says it.
    """

    id: str
    number: int
    title: str
    week: int | None
    tags: tuple[str, ...]
    release: str | None
    notes: str | None
    slides: str | None
    notes_updated: str | None = None
    slides_updated: str | None = None


class ChunkColumns(msgspec.Struct, frozen=True, kw_only=True):
    """One list a column, one entry a chunk, in the order of the index.

    A chunk's id and url are not among them: ``chunk_id`` and ``chunk_url`` make them of these.

    Attributes:
        lecture: position in ``CatalogueFile.lectures``.
        kind: position in ``KINDS``.
        path: positions in ``CatalogueFile.headings``.
    """

    lecture: list[int]
    kind: list[int]
    path: list[list[int]]
    anchor: list[str]
    part: list[int]
    parts: list[int]


class CatalogueFile(msgspec.Struct, frozen=True, kw_only=True):
    """``catalogue-<hash>.json``."""

    lectures: list[LectureEntry]
    headings: list[str]
    chunks: ChunkColumns


def chunk_id(lecture: str, kind: str, anchor: str, part: int) -> str:
    """``{lecture}/{kind}#{anchor}``, with ``~2``, ``~3`` … behind it for further parts of a section."""
    return f"{lecture}/{kind}#{anchor}" if part == 1 else f"{lecture}/{kind}#{anchor}~{part}"


def chunk_url(page: str | None, anchor: str) -> str:
    """Of the section in its page, relative to the site's root, not percent-encoded.

    Args:
        page: url of the page, as ``LectureEntry.notes`` or ``LectureEntry.slides`` says it.
        anchor: of the section.
    """
    return f"{page}#{anchor}"


def build_catalogue(
    lectures: Sequence[Lecture], chunks: Sequence[Chunk], sources: Sequence[SourceState] = ()
) -> CatalogueFile:
    """Put lectures and chunks into columns.

    Args:
        lectures: released ones, in the order of the course.
        chunks: in the order of the index, each of one of the lectures.
        sources: of the lectures, with the days of their last change.

    Raises:
        IndexFormatError: a chunk is of another lecture, or its id or url does not follow from its place.
    """
    position = {lecture.id: index for index, lecture in enumerate(lectures)}
    pages = {(lecture.id, source.kind): _page(lecture, source) for lecture in lectures for source in lecture.sources}
    updated = {(source.lecture, source.kind): source.updated for source in sources}
    headings: dict[str, int] = {}
    for chunk in chunks:
        if chunk.lecture not in position:
            raise IndexFormatError(
                f"the chunk {chunk.id} is of the lecture {chunk.lecture!r}, which is not among the released ones.",
                hint="Only chunks of released lectures may be indexed.",
            )
        if (chunk.id, chunk.url) != (
            chunk_id(chunk.lecture, chunk.kind, chunk.anchor, chunk.part),
            chunk_url(pages.get((chunk.lecture, chunk.kind)), chunk.anchor),
        ):
            raise IndexFormatError(f"the chunk {chunk.id} with the url {chunk.url} stands in another place.")
        for heading in chunk.path:
            headings.setdefault(heading, len(headings))
    return CatalogueFile(
        lectures=[_entry(lecture, updated) for lecture in lectures],
        headings=list(headings),
        chunks=ChunkColumns(
            lecture=[position[chunk.lecture] for chunk in chunks],
            kind=[KINDS.index(chunk.kind) for chunk in chunks],
            path=[[headings[heading] for heading in chunk.path] for chunk in chunks],
            anchor=[chunk.anchor for chunk in chunks],
            part=[chunk.part for chunk in chunks],
            parts=[chunk.parts for chunk in chunks],
        ),
    )


def _entry(lecture: Lecture, updated: Mapping[tuple[str, DocumentKind], str | None]) -> LectureEntry:
    pages = {source.kind: _page(lecture, source) for source in lecture.sources}
    return LectureEntry(
        id=lecture.id,
        number=lecture.number,
        title=lecture.title,
        week=lecture.week,
        tags=lecture.tags,
        release=None if lecture.release is None else lecture.release.isoformat(),
        notes=pages.get("notes"),
        slides=pages.get("slides"),
        notes_updated=updated.get((lecture.id, "notes")),
        slides_updated=updated.get((lecture.id, "slides")),
    )


def _page(lecture: Lecture, source: Source) -> str:
    return source.url or page_url(lecture.id, source.kind)
