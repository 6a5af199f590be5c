"""What is read: a file of a lecture, and what tells which reader reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

import msgspec

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.front_matter import FrontMatter
from openbook.errors import UnreadableSourceError

HEAD_BYTES = 1 << 16
README = "readme"
FOLDER_STEMS = frozenset(("notes", "index", "_index", "slides", README))
"""Files of these names, whatever their format, make their folder a lecture."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a lecture.

    Attributes:
        path: absolute.
        relpath: relative to the folder of the lectures, with forward slashes: ``l08-trees/notes.md``.
        kind: notes or slides.
        lecture: id of its lecture.
        reader: name of the reader that reads it; see ``readers.READERS``.
        refused: files and folders of unreleased lectures, of which it may include nothing.
        url: of its page when that is not openbook's to write but stands in a site that is built already; "" otherwise.
    """

    path: Path
    relpath: str
    kind: DocumentKind
    lecture: str
    reader: str = "myst"
    refused: frozenset[Path] = frozenset()
    url: str = ""

    @property
    def owns_folder(self) -> bool:
        """Whether its folder is its lecture, so that all in it belongs to that, and not the file alone."""
        return not self.url and "/" in self.relpath and is_folder_page(self.path.stem)

    def read(self) -> bytes:
        """Return the file's bytes.

        Raises:
            UnreadableSourceError: it cannot be read.
        """
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise UnreadableSourceError(f"cannot be read: {error.strerror}.", source=self.relpath) from error

    def beside(self, address: str, config: Config) -> Path | None:
        """Return the file that an address in this one means, when this one may take it in.

        It must lie in the folder of the lectures, and be of no lecture that is unreleased.
        """
        path = (self.path.parent / address).resolve()
        if not path.is_relative_to(config.sources_root) or not path.is_file():
            return None
        return None if any(one in self.refused for one in (path, *path.parents)) else path

    def path_in(self, config: Config) -> str:
        """Return the path relative to the course's root, with forward slashes."""
        return relative(self.path, config.root)


class Lecture(msgspec.Struct, frozen=True, kw_only=True):
    """A lecture: a folder with notes and a deck, or a single file.

    Attributes:
        id: path of the folder, or of the file without its suffix, relative to the folder of the lectures.
        number: position in the course: what ``openbook.toml`` or the front matter says, else by order of paths.
        title: from ``openbook.toml``, the front matter of the notes or the deck, the first heading, or the file's name.
            Of an unreleased lecture the first heading is not read: its title may be its id.
        week: shown and filtered by; None when nothing says it.
        release: first day on which it may be read; None for a lecture that always may.
        tags: shown and filtered by.
        sources: notes first.
    """

    id: str
    number: int
    title: str
    sources: tuple[Source, ...]
    week: int | None = None
    release: date | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Probe:
    """What a reader may look at to tell whether a file is its own.

    A file of a lecture that is not released is probed too, since its kind must be known; nothing of ``head`` may go
    into anything that is built.

    Attributes:
        path: absolute.
        relpath: relative to the folder of the lectures, with forward slashes.
        front_matter: of the file; empty for a format that has none.
        deck: whether the settings (``sources.slides``) or the file's name say that it is a deck.
        root: folder of the lectures.
        course: folder of ``openbook.toml``.
    """

    path: Path
    relpath: str
    front_matter: FrontMatter
    deck: bool
    root: Path
    course: Path

    @property
    def suffix(self) -> str:
        """Of the file, in lower case, with its dot."""
        return self.path.suffix.lower()

    @cached_property
    def head(self) -> bytes:
        """The first 64 kB of the file; b"" when it cannot be read."""
        try:
            with self.path.open("rb") as file:
                return file.read(HEAD_BYTES)
        except OSError:
            return b""

    def beside(self, *names: str) -> bool:
        """Tell whether a file of one of these names, such as ``_quarto.yml``, stands in a folder above."""
        for folder in self.path.parents:
            if any((folder / name).is_file() for name in names):
                return True
            if folder in (self.course, self.course.parent):
                break
        return False


def is_folder_page(stem: str) -> bool:
    """Tell whether a file of this name, without its suffix, is its folder's page."""
    return stem in FOLDER_STEMS or stem.lower() == README


def relative(path: Path, root: Path) -> str:
    """Return a path relative to a folder, with forward slashes."""
    return Path(os.path.relpath(path, root)).as_posix()


def page_url(lecture: str, kind: str) -> str:
    """Return where the page of a source stands, relative to the site's root, not percent-encoded."""
    return f"lectures/{lecture}/{kind}.html"
