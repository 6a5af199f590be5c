"""From a source of the course to a document: one module a format."""

from __future__ import annotations

from openbook.config import Config
from openbook.course.catalogue import Lecture, Source
from openbook.course.document import Document
from openbook.course.hidden import without_hidden
from openbook.course.markdown import Parsed, parse
from openbook.course.readers.marp import read_slides
from openbook.course.readers.myst import read_sections

__all__ = ["page_url", "read", "read_parsed"]


def page_url(lecture: str, kind: str) -> str:
    """Return where the page of a source stands, relative to the site's root, not percent-encoded."""
    return f"lectures/{lecture}/{kind}.html"


def read(source: Source, config: Config, lecture: Lecture) -> Document:
    """Read one source of a released lecture.

    Raises:
        FrontMatterError: its front matter is not valid.
        UnreadableSourceError: it cannot be read or decoded.
    """
    return read_parsed(parse(source.read(), source.path_in(config)), source, config, lecture)


def read_parsed(parsed: Parsed, source: Source, config: Config, lecture: Lecture) -> Document:
    """Make the document of a source that is parsed already; the page of the same source can share the tokens."""
    title = parsed.title or source.path.stem
    sections = read_slides(parsed) if source.kind == "slides" else read_sections(parsed, title)
    document = Document(
        lecture=lecture.id,
        kind=source.kind,
        title=title,
        source=source.path_in(config),
        url=page_url(lecture.id, source.kind),
        sections=sections,
        release=lecture.release,
        tags=lecture.tags,
        warnings=tuple(parsed.warnings),
    )
    return without_hidden(document)
