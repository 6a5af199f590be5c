"""Which files of a course's folder are read, and which of those that are not an instructor would ask about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from openbook.config import Config
from openbook.course.globs import matches
from openbook.course.readers.site_main import dated, is_dated, running_text
from openbook.course.readers.site_pages import FURNITURE, pages_to_read
from openbook.course.source import README, relative
from openbook.errors import BuildWarning, first_of
from openbook.settings import SourceSettings

_UNREAD = {
    ".adoc": "AsciiDoc",
    ".asciidoc": "AsciiDoc",
    ".doc": "Word",
    ".docx": "Word",
    ".epub": "EPUB",
    ".htm": "HTML",
    ".html": "HTML",
    ".key": "Keynote",
    ".odp": "OpenDocument",
    ".odt": "OpenDocument",
    ".org": "Org",
    ".ppt": "PowerPoint's old format",
    ".rnw": "Sweave",
    ".rst": "reStructuredText",
    ".rtf": "RTF",
    ".tex": "LaTeX",
    ".textile": "Textile",
    ".typ": "Typst",
    ".wiki": "MediaWiki",
}
_UNREAD_OF_SITE = {
    ".docx": "Word",
    ".epub": "EPUB",
    ".key": "Keynote",
    ".odp": "OpenDocument",
    ".odt": "OpenDocument",
    ".pdf": "PDF",
    ".ppt": "PowerPoint's old format",
    ".pptx": "PowerPoint",
}
_WHAT_TO_DO = {
    "HTML": "read a built site with --site, or name a reader in sources.readers",
    "Keynote": "export it to PowerPoint or PDF",
    "OpenDocument": "export it to PowerPoint, PDF or Markdown",
    "PowerPoint's old format": "save it as .pptx",
    "reStructuredText": "build the site with Sphinx and read that with --site",
}
# what generators write or take their parts from; anybody's own folder with an underscore is spoken of
_NO_TEXT_NAMES = """
    __pycache__ _assets _book _bookdown_files _build _cache _css _data _ext _extensions _fonts _freeze _generated
    _images _img _includes _js _layouts _plugins _private _resources _sass _scripts _site _sources _static _styles
    _templates _theme _themes
"""
_NO_TEXT = frozenset(_NO_TEXT_NAMES.split())


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder holds.

    Attributes:
        paths: files to read.
        unread: paths, relative to the folder of the lectures, of files that are neither read nor excluded.
        skipped: folders that the defaults leave out and that hold files which would be read elsewhere.
    """

    paths: list[Path] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def find_files(config: Config, warnings: list[BuildWarning]) -> Found:
    """Walk through the folder of the lectures; symbolic links are followed nowhere."""
    found = Found()
    _Walk(config, warnings, found).read(config.sources_root)
    settings = config.settings
    if settings.sources.site:
        pages, left = pages_to_read(
            [(path, relative(path, config.sources_root)) for path in found.paths],
            settings.course.language,
            lambda relpath: matches(relpath, settings.sources.readers) or is_dated(relpath, dated(config)),
            relative(config.sources_root, config.root),
        )
        found.paths[:] = pages
        warnings += [*left, *running_text(config)]
        return found
    if not found.paths:
        # a course may be one long README
        found.paths.extend(
            path
            for path in sorted(config.sources_root.glob("*.md"))
            if path.stem.lower() == README and not path.is_symlink()
        )
    return found


class _Walk:
    def __init__(self, config: Config, warnings: list[BuildWarning], found: Found) -> None:
        settings = config.settings.sources
        self._config, self._warnings, self._found = config, warnings, found
        self._include, self._defaults = settings.include, settings.exclude_defaults
        self._exclude, self._site = settings.exclude, bool(settings.site)
        if self._site:
            if self._include == SourceSettings().include:
                self._include = ("**/*.html", "**/*.htm")
            self._defaults += FURNITURE

    def read(self, folder: Path, prefix: str = "", plain: str = "") -> None:
        """Add what is below a folder; ``plain`` is ``prefix`` without the underscores of Jekyll's collections."""
        collections = _collections(folder)
        with os.scandir(folder) as entries:
            inside = sorted(entries, key=lambda entry: entry.name)
        for entry in inside:
            relpath = f"{prefix}{entry.name}"
            shown = plain + (entry.name[1:] if entry.name in collections else entry.name)
            if entry.is_dir():
                self._folder(folder / entry.name, f"{relpath}/", f"{shown}/", entry.is_symlink())
            else:
                self._file(folder / entry.name, relpath, shown, entry.is_symlink())

    def _folder(self, path: Path, relpath: str, shown: str, link: bool) -> None:
        if matches(relpath, self._exclude) or (self._site and is_openbook_site(path)):
            return
        if matches(shown, self._defaults):
            if not self._site and _is_spoken_of(path, self._include):
                self._found.skipped.append(relpath)
        elif not link:
            self.read(path, relpath, shown)
        else:
            _leaves(path, self._config, self._warnings)

    def _file(self, path: Path, relpath: str, shown: str, link: bool) -> None:
        if matches(relpath, self._exclude) or matches(shown, self._defaults):
            return
        if not matches(relpath, self._include):
            if path.suffix.lower() in (_UNREAD_OF_SITE if self._site else _UNREAD):
                self._found.unread.append(relpath)
        elif link and _leaves(path, self._config, self._warnings):
            return
        elif link:
            message = "is a link to another file of the course, which is read under its own name only."
            self._warnings.append(BuildWarning("linked-source", message, relative(path, self._config.root)))
        else:
            self._found.paths.append(path)


def _collections(folder: Path) -> frozenset[str]:
    """Return the names of the folders that are collections of the Jekyll site whose root a folder is."""
    path = next((folder / name for name in ("_config.yml", "_config.yaml") if (folder / name).is_file()), None)
    if path is None or (folder / "_toc.yml").is_file():
        return frozenset()
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, yaml.YAMLError, ValueError, RecursionError):
        data = None
    named = data.get("collections") if isinstance(data, dict) else None
    names = [str(name) for name in named] if isinstance(named, (dict, list)) else []
    return frozenset(f"_{name}" for name in [*names, "posts"])


def _is_spoken_of(folder: Path, include: Iterable[str]) -> bool:
    if folder.name.startswith(".") or folder.name in _NO_TEXT or folder.name in ("node_modules", "dist", "vendor"):
        return False
    with os.scandir(folder) as entries:
        return any(entry.is_file() and matches(entry.name, include) for entry in entries)


def is_openbook_site(folder: Path) -> bool:
    """Tell whether a folder of a site is what openbook wrote into it: not to be read again."""
    return (folder / "index" / "manifest.json").is_file() and (folder / "index" / "build.json").is_file()


def _leaves(path: Path, config: Config, warnings: list[BuildWarning]) -> bool:
    """Tell whether a symbolic link leads out of the folder of the lectures; then nothing of it is read."""
    target = path.resolve()
    if target.is_relative_to(config.sources_root):
        return False
    message = "is a symbolic link out of the folder of the lectures, and is not read. Copy what it leads to."
    warnings.append(BuildWarning("outside-root", message, relative(path, config.root)))
    return True


def left_out(found: Found, config: Config) -> Iterator[BuildWarning]:
    """Say what is not read: one warning a format, one a folder.

    Of a file that stands beside one of its own name which is read, such as the LaTeX of a PDF, nothing is said.
    """
    root = config.sources_root
    where = relative(root, config.root)
    read = {path.rpartition(".")[0] for path in {relative(path, root) for path in found.paths}.difference(found.unread)}
    formats: dict[str, list[str]] = {}
    for path in found.unread:
        stem, _, suffix = path.rpartition(".")
        if stem not in read:
            known = _UNREAD_OF_SITE if config.settings.sources.site else _UNREAD
            formats.setdefault(known[f".{suffix.lower()}"], []).append(path)
    for name, paths in sorted(formats.items()):
        todo = _WHAT_TO_DO.get(name, "convert what belongs to the course to Markdown or PDF")
        if config.settings.sources.site:
            todo = "of a site its pages are; build from the files themselves, without --site, to have these too"
        yield BuildWarning("unread-format", f"{name} is not read: {first_of(paths)}; {todo}, or exclude it.", where)
    for folder in found.skipped:
        message = f"{folder} is left out by sources.exclude_defaults, and it holds files that could be read."
        yield BuildWarning("left-out", message, where)
