"""What a reader is, and what it gives: a document, and what its page is rendered from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from openbook.config import Config
from openbook.course.document import Document, DocumentKind, Section
from openbook.course.markdown import Parsed
from openbook.course.readers.slides import Slide
from openbook.course.source import Lecture, Probe, Source, page_url
from openbook.errors import BuildWarning


@dataclass(frozen=True, slots=True)
class Reading:
    """A source, read.

    Its page is rendered from ``slides`` where there are any, else from ``parsed``, else from the document's own blocks.

    Attributes:
        document: what chunks are cut from.
        parsed: of a format that comes down to Markdown, its tokens; their anchors are those of the document.
        slides: of a deck in Markdown, its slides; then ``parsed`` is set too.
        pictures: of a format that holds its pictures in itself, file name → bytes; they are written beside the page,
            and ``Block.picture`` names them.
        original: whether the file itself is offered beside its page, opened at the slide that is cited: a PDF.
    """

    document: Document
    parsed: Parsed | None = None
    slides: tuple[Slide, ...] | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    original: bool = False

    @property
    def targets(self) -> Mapping[str, str]:
        """Label or id of a heading → id on the page."""
        if self.parsed is not None:
            return self.parsed.targets
        return {section.anchor: section.anchor for section in self.document.sections}

    @property
    def titles(self) -> Mapping[str, str]:
        """Id of a heading → its title."""
        if self.parsed is not None:
            return self.parsed.titles
        return {section.anchor: section.title for section in self.document.sections}


class Reader(Protocol):
    """Reads one format.

    Attributes:
        name: as ``sources.readers`` in the settings gives it.
        suffixes: of files that may be of this format, in lower case, with their dots.
        text: whether a source is text that an author wrote by hand (then its lines mean something to them).
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def suffixes(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def text(self) -> bool: ...  # noqa: D102

    def detects(self, probe: Probe) -> bool:
        """Tell whether a file with one of the suffixes is of this format. The first reader that says so reads it."""
        ...

    def kind(self, probe: Probe) -> DocumentKind:
        """Tell whether a file of this format is notes or a deck."""
        ...

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a source of a released lecture.

        Args:
            raw: the file's bytes.
            source: which file.
            config: of the course.
            lecture: that it belongs to.

        Raises:
            OpenbookError: a subclass that says what is wrong with the file.
        """
        ...


def make_document(
    source: Source,
    config: Config,
    lecture: Lecture,
    *,
    title: str | None,
    sections: tuple[Section, ...],
    warnings: tuple[BuildWarning, ...] = (),
) -> Document:
    """Return the document of a source; without a title, the file's name is its title."""
    return Document(
        lecture=lecture.id,
        kind=source.kind,
        title=title or source.path.stem,
        source=source.path_in(config),
        url=source.url or page_url(lecture.id, source.kind),
        sections=sections,
        release=lecture.release,
        tags=lecture.tags,
        warnings=warnings,
    )
