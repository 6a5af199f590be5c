"""Which lectures there are, in which order, and which of them may be read: the release gate.

Of a lecture that is not released, nothing but the front matter of its files is ever read.
"""

from __future__ import annotations

import difflib
import itertools
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.front_matter import FrontMatter, Keys, read_front_matter
from openbook.course.globs import matches
from openbook.course.markdown import parse
from openbook.errors import (
    BuildWarning,
    ConfigError,
    DuplicateLectureError,
    OutsideRootError,
    SourceNotFoundError,
    UnreadableSourceError,
)
from openbook.settings import LectureSettings

FOLDER_FILES: dict[str, DocumentKind] = {"notes.md": "notes", "index.md": "notes", "slides.md": "slides"}


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a lecture.

    Attributes:
        path: absolute.
        relpath: relative to the folder of the lectures, with forward slashes: ``l08-trees/notes.md``.
        kind: notes or slides.
        lecture: id of its lecture.
    """

    path: Path
    relpath: str
    kind: DocumentKind
    lecture: str

    def read(self) -> bytes:
        """Return the file's bytes.

        Raises:
            UnreadableSourceError: it cannot be read.
        """
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise UnreadableSourceError(f"cannot be read: {error.strerror}.", source=self.relpath) from error

    def path_in(self, config: Config) -> str:
        """Return the path relative to the course's root, with forward slashes."""
        return _relative(self.path, config.root)


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


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """The course on one day.

    Attributes:
        lectures: released, by number and id.
        unreleased: the others, in the same order.
        as_of: the day.
        warnings: what was noticed.
    """

    lectures: tuple[Lecture, ...]
    unreleased: tuple[Lecture, ...]
    as_of: date
    warnings: tuple[BuildWarning, ...] = ()


class _Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the front matter of one file says."""

    title: str | None
    number: int | None
    week: int | None
    release: date | None
    tags: tuple[str, ...] | None


def load_catalogue(config: Config, as_of: date) -> Catalogue:
    """Find the lectures of a course.

    Args:
        config: of the course.
        as_of: a lecture whose release date is later than this day is unreleased.

    Raises:
        SourceNotFoundError: the folder of the lectures does not exist.
        FrontMatterError: front matter is not valid or a key has the wrong type.
        DuplicateLectureError: a lecture has two notes or two decks, or two ids differ only in case.
        OutsideRootError: a symbolic link leaves the folder of the lectures.
        ConfigError: ``openbook.toml`` speaks of a lecture that there is not.
    """
    warnings: list[BuildWarning] = []
    groups: dict[str, list[tuple[Source, _Facts]]] = {}
    for source, facts in _sources(config, warnings):
        groups.setdefault(source.lecture, []).append((source, facts))
    _check(groups, config)
    releases = {id_: _own_release(id_, files, config, warnings) for id_, files in groups.items()}
    lectures = _number(
        [_lecture(id_, files, config, _release(id_, releases), as_of, warnings) for id_, files in groups.items()]
    )
    for first, second in itertools.pairwise(lectures):
        if first.number == second.number:
            message = f"{second.id} and {first.id} are both lecture {first.number}."
            warnings.append(BuildWarning("same-number", message, second.sources[0].path_in(config)))
    return Catalogue(
        lectures=tuple(lecture for lecture in lectures if _released(lecture.release, as_of)),
        unreleased=tuple(lecture for lecture in lectures if not _released(lecture.release, as_of)),
        as_of=as_of,
        warnings=tuple(warnings),
    )


def _released(release: date | None, as_of: date) -> bool:
    return release is None or release <= as_of


def _relative(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix()


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key by which ``week2`` comes before ``week10``."""
    parts = re.split(r"(\d+)", text.casefold())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def _sources(config: Config, warnings: list[BuildWarning]) -> Iterator[tuple[Source, _Facts]]:
    root = config.sources_root
    if not root.is_dir():
        raise SourceNotFoundError(
            "there is no such folder.", source=root, hint="Set sources.root in openbook.toml to the lectures' folder."
        )
    for path in sorted(_walk(root, "", config, warnings), key=lambda path: natural_key(_relative(path, root))):
        relpath = _relative(path, root)
        shown = _relative(path, config.root)
        front_matter = read_front_matter(path, shown)
        keys = Keys(front_matter, shown)
        facts = _Facts(
            title=keys.text("title"),
            number=keys.integer("lecture", "number"),
            week=keys.integer("week"),
            release=keys.day("release"),
            tags=keys.texts("tags"),
        )
        kind = source_kind(relpath, front_matter, config)
        yield Source(path=path, relpath=relpath, kind=kind, lecture=lecture_id(relpath)), facts


def source_kind(relpath: str, front_matter: FrontMatter, config: Config) -> DocumentKind:
    """Return whether a file is a deck: its front matter, the settings, or its name say so; else it is notes."""
    if front_matter.data.get("marp") is True or matches(relpath, config.settings.sources.slides):
        return "slides"
    return FOLDER_FILES.get(relpath.rpartition("/")[2], "notes")


def lecture_id(relpath: str) -> str:
    """Return the id of the lecture that a file belongs to.

    It is the folder's path for ``notes.md``, ``index.md`` and ``slides.md``, else the file's without its suffix.
    In the folder of the lectures itself, ``notes.md`` and ``slides.md`` are one lecture, ``lecture``.
    """
    folder, _, name = relpath.rpartition("/")
    if name in FOLDER_FILES and folder:
        return folder
    return "lecture" if name in ("notes.md", "slides.md") else relpath.rpartition(".")[0]


def _walk(folder: Path, prefix: str, config: Config, warnings: list[BuildWarning]) -> Iterator[Path]:
    """Yield the files to read below a folder; symbolic links are followed nowhere."""
    settings = config.settings.sources
    excluded = (*settings.exclude_defaults, *settings.exclude)
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        relpath = f"{prefix}{entry.name}"
        path = folder / entry.name
        if entry.is_dir():
            if matches(f"{relpath}/", excluded):
                continue
            if entry.is_symlink():
                _refuse_outside(path, config)
                continue
            yield from _walk(path, f"{relpath}/", config, warnings)
        elif matches(relpath, settings.include) and not matches(relpath, excluded):
            if entry.is_symlink():
                _refuse_outside(path, config)
                message = "is a link to another file of the course, which is read under its own name only."
                warnings.append(BuildWarning("linked-source", message, _relative(path, config.root)))
                continue
            yield path


def _refuse_outside(path: Path, config: Config) -> None:
    if not path.resolve().is_relative_to(config.sources_root):
        raise OutsideRootError(
            f"is a symbolic link to {path.resolve()}, outside the folder of the lectures.",
            source=_relative(path, config.root),
            hint="Copy the file, or add the link to sources.exclude in openbook.toml.",
        )


def _check(groups: dict[str, list[tuple[Source, _Facts]]], config: Config) -> None:
    for id_, files in groups.items():
        kinds = [source.kind for source, _ in files]
        for kind in ("notes", "slides"):
            if kinds.count(kind) > 1:
                both = " and ".join(source.path_in(config) for source, _ in files if source.kind == kind)
                raise DuplicateLectureError(
                    f"lecture {id_!r} has two {'decks' if kind == 'slides' else 'notes'}: {both}.",
                    hint="Rename one, or add it to sources.exclude in openbook.toml.",
                )
    folded: dict[str, str] = {}
    for id_ in groups:
        other = folded.setdefault(id_.casefold(), id_)
        if other != id_:
            raise DuplicateLectureError(
                f"lectures {other!r} and {id_!r} differ only in case, which not every file system can hold.",
                hint="Rename one.",
            )
    for id_ in config.settings.lectures:
        if id_ not in groups:
            near = difflib.get_close_matches(id_, groups, n=1)
            raise ConfigError(
                f'lectures."{id_}": there is no such lecture.',
                source=config.path,
                hint=f"Did you mean {near[0]!r}?"
                if near
                else "The id is the folder's path, or the file's without .md.",
            )


def _own_release(
    id_: str, files: list[tuple[Source, _Facts]], config: Config, warnings: list[BuildWarning]
) -> date | None:
    """Return the release date that is given for a lecture: the file of settings wins, then the latest date holds."""
    said = config.settings.lectures.get(id_, LectureSettings()).release
    if said is not None:
        return said
    dates = sorted({facts.release for _, facts in files if facts.release is not None})
    if len(dates) > 1:
        message = f"notes and deck give different release dates; {dates[-1]} holds."
        warnings.append(BuildWarning("two-releases", message, files[0][0].path_in(config)))
    return dates[-1] if dates else None


def _release(id_: str, releases: dict[str, date | None]) -> date | None:
    """Return a lecture's release date; without one, a file in a lecture's folder is released with that lecture."""
    while True:
        release = releases.get(id_)
        if release is not None or not id_:
            return release
        id_ = id_.rpartition("/")[0]


def _lecture(
    id_: str,
    files: list[tuple[Source, _Facts]],
    config: Config,
    release: date | None,
    as_of: date,
    warnings: list[BuildWarning],
) -> tuple[Lecture, bool]:
    """Merge what is said of a lecture; also return whether anything gives its number."""
    files = sorted(files, key=lambda file: (file[0].kind != "notes", file[0].relpath))
    said = config.settings.lectures.get(id_, LectureSettings())
    facts = [fact for _, fact in files]
    numbers = [fact.number for fact in facts if fact.number is not None]
    if len(set(numbers)) > 1 and said.number is None:
        message = f"notes and deck give different numbers; {numbers[0]} holds."
        warnings.append(BuildWarning("two-numbers", message, files[0][0].path_in(config)))
    number = said.number if said.number is not None else (numbers[0] if numbers else None)
    title = said.title or next((fact.title for fact in facts if fact.title), None)
    if title is None:
        first = files[0][0]
        heading = parse(first.read(), first.path_in(config)).title if _released(release, as_of) else None
        title = heading or (first.path.stem if first.path.name not in FOLDER_FILES else id_.rpartition("/")[2])
    lecture = Lecture(
        id=id_,
        number=number if number is not None else 0,
        title=title,
        sources=tuple(source for source, _ in files),
        week=said.week if said.week is not None else next((fact.week for fact in facts if fact.week is not None), None),
        release=release,
        tags=said.tags if said.tags is not None else next((fact.tags for fact in facts if fact.tags is not None), ()),
    )
    return lecture, number is not None


def _number(lectures: list[tuple[Lecture, bool]]) -> list[Lecture]:
    """Give lectures without a number the next ones, in natural order of their paths, and sort all."""
    last = max((lecture.number for lecture, numbered in lectures if numbered), default=0)
    rest = sorted((lecture for lecture, numbered in lectures if not numbered), key=_path_key)
    numbered = [lecture for lecture, given in lectures if given]
    numbered += [msgspec.structs.replace(lecture, number=last + place) for place, lecture in enumerate(rest, 1)]
    return sorted(numbered, key=lambda lecture: (lecture.number, lecture.id))


def _path_key(lecture: Lecture) -> tuple[tuple[int, int, str], ...]:
    return natural_key(lecture.sources[0].relpath)
