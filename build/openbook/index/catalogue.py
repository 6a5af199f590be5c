"""What a list of results needs before any passage has loaded: lectures, and the chunks by column."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from openbook.chunking import Chunk
from openbook.course.source import Lecture
from openbook.errors import IndexFormatError

KINDS = ("notes", "slides")


class LectureEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A lecture, as the page shows it.

    Attributes:
        release: ISO date, or None.
        notes, slides: urls of its pages, relative to the site's root; None when it has none.
    """

    id: str
    number: int
    title: str
    week: int | None
    tags: tuple[str, ...]
    release: str | None
    notes: str | None
    slides: str | None


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


def chunk_url(lecture: str, kind: str, anchor: str) -> str:
    """Of the section in the rendered page, relative to the site's root, not percent-encoded."""
    return f"lectures/{lecture}/{kind}.html#{anchor}"


def build_catalogue(lectures: Sequence[Lecture], chunks: Sequence[Chunk]) -> CatalogueFile:
    """Put lectures and chunks into columns.

    Args:
        lectures: released ones, in the order of the course.
        chunks: in the order of the index, each of one of the lectures.

    Raises:
        IndexFormatError: a chunk is of another lecture, or its id or url does not follow from its place.
    """
    position = {lecture.id: index for index, lecture in enumerate(lectures)}
    headings: dict[str, int] = {}
    for chunk in chunks:
        if chunk.lecture not in position:
            raise IndexFormatError(
                f"the chunk {chunk.id} is of the lecture {chunk.lecture!r}, which is not among the released ones.",
                hint="Only chunks of released lectures may be indexed.",
            )
        if (chunk.id, chunk.url) != (
            chunk_id(chunk.lecture, chunk.kind, chunk.anchor, chunk.part),
            chunk_url(chunk.lecture, chunk.kind, chunk.anchor),
        ):
            raise IndexFormatError(f"the chunk {chunk.id} with the url {chunk.url} stands in another place.")
        for heading in chunk.path:
            headings.setdefault(heading, len(headings))
    return CatalogueFile(
        lectures=[_entry(lecture) for lecture in lectures],
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


def _entry(lecture: Lecture) -> LectureEntry:
    kinds = {source.kind for source in lecture.sources}
    return LectureEntry(
        id=lecture.id,
        number=lecture.number,
        title=lecture.title,
        week=lecture.week,
        tags=lecture.tags,
        release=None if lecture.release is None else lecture.release.isoformat(),
        notes=f"lectures/{lecture.id}/notes.html" if "notes" in kinds else None,
        slides=f"lectures/{lecture.id}/slides.html" if "slides" in kinds else None,
    )
