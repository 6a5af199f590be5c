"""From a source of the course to a document: one module a format, and the registry that says which reads what."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path

import msgspec

from openbook.config import Config
from openbook.course.document import Document
from openbook.course.front_matter import NONE, FrontMatter, read_front_matter
from openbook.course.globs import matches
from openbook.course.hidden import without_hidden
from openbook.course.readers.base import Reader, Reading, make_document
from openbook.course.readers.marp import Marp
from openbook.course.readers.notebook import Notebook, notebook_front_matter
from openbook.course.readers.notes import CARPENTRIES, D2L, HUGO, JEKYLL, MDBOOK, MDX, MKDOCS, MYST, QUARTO, RMARKDOWN
from openbook.course.readers.pdf import Pdf, PdfNotes
from openbook.course.readers.pptx import Pptx
from openbook.course.readers.quarto_slides import QuartoSlides
from openbook.course.readers.reveal import RevealHtml, RevealMarkdown
from openbook.course.readers.site import HtmlPage
from openbook.course.readers.slidev import Slidev
from openbook.course.source import Lecture, Probe, Source, page_url
from openbook.errors import BuildWarning, ConfigError, UnreadableSourceError

__all__ = [
    "READERS",
    "Reader",
    "Reading",
    "detect",
    "make_document",
    "page_url",
    "preference",
    "read",
    "read_bytes",
    "read_source",
    "read_title",
    "reader_named",
    "source_front_matter",
]

READERS: tuple[Reader, ...] = (
    Slidev(),
    QuartoSlides(),
    RevealMarkdown(),
    Marp(),
    Notebook(),
    MDX,
    QUARTO,
    RMARKDOWN,
    MKDOCS,
    MDBOOK,
    HUGO,
    JEKYLL,
    CARPENTRIES,
    D2L,
    MYST,
    RevealHtml(),
    Pptx(),
    Pdf(),
    PdfNotes(),
    HtmlPage(),
)
"""In the order in which they are asked: the particular before the general."""

_BY_NAME = {reader.name: reader for reader in READERS}
_SUFFIXES = tuple(dict.fromkeys(suffix for reader in READERS for suffix in reader.suffixes))
_WITH_FRONT_MATTER = frozenset((".md", ".markdown", ".mdx", ".qmd", ".rmd"))


def detect(probe: Probe, config: Config) -> Reader | None:
    """Return the reader of a file: the one that the settings name for it, else the first that knows it as its own.

    Raises:
        ConfigError: the settings name a reader that there is not.
    """
    for pattern, name in config.settings.sources.readers.items():
        if matches(probe.relpath, (pattern,)):
            return reader_named(name, config)
    if config.settings.sources.site:
        return next((r for r in (_BY_NAME["reveal"], _BY_NAME["html"]) if r.name == "html" or r.detects(probe)), None)
    return next((r for r in READERS if probe.suffix in r.suffixes and r.detects(probe)), None)


def reader_named(name: str, config: Config | None = None) -> Reader:
    """Return the reader of a name.

    Raises:
        ConfigError: there is none; ``config`` is where the name was given.
    """
    if name not in _BY_NAME:
        near = difflib.get_close_matches(name, _BY_NAME, n=1)
        raise ConfigError(
            f"sources.readers: there is no reader {name!r}.",
            source=config.path if config is not None else None,
            hint=f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(sorted(_BY_NAME))}.",
        )
    return _BY_NAME[name]


def source_front_matter(path: Path, shown: str) -> FrontMatter:
    """Return the front matter of a file, empty for a format that has none; no more of the file is read.

    Raises:
        FrontMatterError: it is not valid.
        UnreadableSourceError: the file cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix == ".ipynb":
        return notebook_front_matter(path, shown)
    return read_front_matter(path, shown) if suffix in _WITH_FRONT_MATTER else NONE


def preference(source: Source) -> tuple[int, str]:
    """Sort key: of two files of one lecture and kind, the first is read: the text, not its export."""
    suffix = source.path.suffix.lower()
    return (_SUFFIXES.index(suffix) if suffix in _SUFFIXES else len(_SUFFIXES), source.relpath)


def read_source(source: Source, config: Config, lecture: Lecture) -> Reading:
    """Read one source of a released lecture.

    Raises:
        FrontMatterError: its front matter is not valid.
        UnreadableSourceError: it cannot be read or decoded.
    """
    return read_bytes(source.read(), source, config, lecture)


def read_bytes(raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
    """Read the bytes of a source; see ``read_source``."""
    reading = reader_named(source.reader, config).read(raw, source, config, lecture)
    document = without_hidden(reading.document)
    if not document.sections and not document.warnings and source.path.stem != "_index":
        message = "there is no text in it."
        document = msgspec.structs.replace(document, warnings=(BuildWarning("no-text", message, document.source),))
    return replace(reading, document=document)


def read(source: Source, config: Config, lecture: Lecture) -> Document:
    """Read one source of a released lecture; see ``read_source``."""
    return read_source(source, config, lecture).document


def read_title(source: Source, config: Config) -> str | None:
    """Return the title that a source gives itself, or None; nothing is included for that."""
    source = msgspec.structs.replace(source, refused=frozenset((config.root.resolve(),)))
    lecture = Lecture(id=source.lecture, number=0, title="", sources=(source,))
    try:
        title = read(source, config, lecture).title
    except UnreadableSourceError:
        return None
    return None if title == source.path.stem else title
