"""Notes in MyST Markdown, which plain CommonMark and GitHub's Markdown are read as too."""

from __future__ import annotations

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.markdown import parse
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.sections import read_sections
from openbook.course.source import Lecture, Probe, Source


class Myst:
    """Reads notes in MyST Markdown."""

    name = "myst"
    suffixes = (".md", ".markdown")
    text = True

    def detects(self, probe: Probe) -> bool:
        """Any Markdown that no other reader claims."""
        return True

    def kind(self, probe: Probe) -> DocumentKind:
        """Notes, always."""
        return "notes"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read notes."""
        parsed = parse(raw, source.path_in(config))
        document = make_document(
            source,
            config,
            lecture,
            title=parsed.title,
            sections=read_sections(parsed, parsed.title or source.path.stem),
            warnings=tuple(parsed.warnings),
        )
        return Reading(document, parsed)
