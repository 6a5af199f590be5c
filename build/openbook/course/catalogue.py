"""Which lectures there are, in which order, and which of them may be read: the release gate.

Of a lecture that is not released, nothing but the front matter of its files is ever read; of a format that has none,
its first bytes, to tell what it is.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TypeVar

import msgspec

from openbook.config import Config
from openbook.course.folders import find_files, left_out
from openbook.course.front_matter import FrontMatter, Keys
from openbook.course.globs import matches
from openbook.course.readers import detect, preference, read_title, source_front_matter
from openbook.course.source import README, Lecture, Probe, Source, is_folder_page, relative
from openbook.errors import (
    BuildWarning,
    ConfigError,
    DuplicateLectureError,
    FrontMatterError,
    SourceNotFoundError,
)
from openbook.settings import LectureSettings

T = TypeVar("T")

_UNADDRESSABLE = re.compile(r"[#?%\\:*\"<>|\x00-\x1f]")


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
        ConfigError: ``openbook.toml`` speaks of a lecture that there is not.
    """
    warnings: list[BuildWarning] = []
    groups: dict[str, list[tuple[Source, _Facts]]] = {}
    for source, facts in _sources(config, warnings):
        groups.setdefault(source.lecture, []).append((source, facts))
    groups = {id_: _one_of_a_kind(files, config, warnings) for id_, files in groups.items()}
    _check(groups, config)
    releases = {id_: _own_release(id_, files, config, warnings) for id_, files in groups.items()}
    lectures = _number(
        [_lecture(id_, files, config, _release(id_, releases), as_of, warnings) for id_, files in groups.items()]
    )
    for first, second in itertools.pairwise(lectures):
        if first.number == second.number and not second.sources[0].url:
            message = f"{second.id} and {first.id} are both lecture {first.number}."
            warnings.append(BuildWarning("same-number", message, second.sources[0].path_in(config)))
    refused = _refused([lecture for lecture in lectures if not _released(lecture.release, as_of)])
    return Catalogue(
        lectures=tuple(_refusing(lecture, refused) for lecture in lectures if _released(lecture.release, as_of)),
        unreleased=tuple(lecture for lecture in lectures if not _released(lecture.release, as_of)),
        as_of=as_of,
        warnings=tuple(warnings),
    )


def _refused(unreleased: list[Lecture]) -> frozenset[Path]:
    """Return the files of unreleased lectures, and the folders that are such."""
    found: set[Path] = set()
    for lecture in unreleased:
        for source in lecture.sources:
            found.add(source.path.resolve())
            if source.owns_folder:
                found.add(source.path.resolve().parent)
    return frozenset(found)


def _refusing(lecture: Lecture, refused: frozenset[Path]) -> Lecture:
    if not refused:
        return lecture
    sources = tuple(msgspec.structs.replace(source, refused=refused) for source in lecture.sources)
    return msgspec.structs.replace(lecture, sources=sources)


def _released(release: date | None, as_of: date) -> bool:
    return release is None or release <= as_of


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key by which ``week2`` comes before ``week10``."""
    parts = re.split(r"(\d+)", text.casefold())
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)


def _sources(config: Config, warnings: list[BuildWarning]) -> Iterator[tuple[Source, _Facts]]:
    root = config.sources_root
    if not root.is_dir():
        key = "sources.site" if config.settings.sources.site else "sources.root"
        raise SourceNotFoundError(
            "there is no such folder.",
            source=root,
            hint=f"Set {key} in openbook.toml to the folder that is to be read.",
        )
    found = find_files(config, warnings)
    for path in sorted(found.paths, key=lambda path: natural_key(relative(path, root))):
        shown = relative(path, config.root)
        front_matter = source_front_matter(path, shown)
        keys = Keys(front_matter, shown)
        facts = _Facts(
            title=_lenient(keys.text, "title", warnings=warnings),
            number=_lenient(keys.integer, "lecture", "number", warnings=warnings),
            week=_lenient(keys.integer, "week", warnings=warnings),
            release=keys.day("release"),
            tags=_lenient(keys.texts, "tags", warnings=warnings),
        )
        source = source_of(path, front_matter, config)
        if source is not None:
            yield source, facts
        elif path.suffix.lower() in (".html", ".htm"):
            found.unread.append(relative(path, root))
        else:
            message = (
                "no reader knows what it holds, so it is not read; sources.readers or sources.exclude can say more."
            )
            warnings.append(BuildWarning("unknown-format", message, shown))
    warnings.extend(left_out(found, config))


def _lenient(read: Callable[..., T | None], *keys: str, warnings: list[BuildWarning]) -> T | None:
    """Read a key that other systems may use in a way of their own: what is no value for us is a warning, not an end."""
    try:
        return read(*keys)
    except FrontMatterError as error:
        hint = f" {error.hint}" if error.hint else ""
        warnings.append(BuildWarning("front-matter", f"{error.message}{hint}", error.source or ".", error.line))
        return None


def source_of(path: Path, front_matter: FrontMatter, config: Config) -> Source | None:
    """Return a file as the source that it is in a course; None when no reader knows it.

    Raises:
        ConfigError: the settings name a reader that there is not.
    """
    root = config.sources_root
    relpath = relative(path, root) if path.is_relative_to(root) else path.name
    deck = path.stem == "slides" or matches(relpath, config.settings.sources.slides)
    probe = Probe(path=path, relpath=relpath, front_matter=front_matter, deck=deck, root=root, course=config.root)
    reader = detect(probe, config)
    if reader is None:
        return None
    site = config.settings.sources.site
    return Source(
        path=path,
        relpath=relpath,
        kind=reader.kind(probe),
        # In a site a folder's own page is one page among others.
        lecture=relpath.rpartition(".")[0] if site else lecture_id(relpath),
        reader=reader.name,
        url=config.settings.sources.site_url + relpath if site else "",
    )


def lecture_id(relpath: str) -> str:
    """Return the id of the lecture that a file belongs to.

    It is the folder's path for files named ``notes``, ``index`` and ``slides``, else the file's without its suffix.
    In the folder of the lectures itself, ``notes.md`` and ``slides.md`` are one lecture, ``lecture``. The underscore of
    one of Jekyll's collections (``_posts``) is no part of it: GitHub Pages serves no folder that begins with one. Nor
    are characters that an address or a file system cannot hold: ``What is #1?.md`` is ``What is -1-``.
    """
    folder, _, name = _UNADDRESSABLE.sub("-", relpath).rpartition("/")
    folder = "/".join(part.removeprefix("_") or part for part in folder.split("/"))
    stem = name.rpartition(".")[0]
    if folder and is_folder_page(stem):
        return folder
    if stem in ("notes", "slides"):
        return "lecture"
    return f"{folder}/{stem}" if folder else stem


def _one_of_a_kind(
    files: list[tuple[Source, _Facts]], config: Config, warnings: list[BuildWarning]
) -> list[tuple[Source, _Facts]]:
    """Leave out what is the same lecture in another format: ``l1.pdf`` beside the ``l1.md`` that it was made from.

    Nor is a README read beside the notes of its folder.
    """
    kept: list[tuple[Source, _Facts]] = []
    for source, facts in sorted(files, key=lambda file: (_is_readme(file[0]), preference(file[0]))):
        other = next((kept_ for kept_, _ in kept if kept_.kind == source.kind), None)
        if other is not None and _is_readme(source) and not _is_readme(other):
            message = f"is not read: {other.path_in(config)} is the page of this folder."
            warnings.append(BuildWarning("readme", message, source.path_in(config)))
        elif other is None or other.path.suffix == source.path.suffix:
            kept.append((source, facts))
        else:
            message = f"is not read: {other.path_in(config)} is the same lecture in another format."
            warnings.append(BuildWarning("other-format", message, source.path_in(config)))
    return kept


def _is_readme(source: Source) -> bool:
    return source.path.stem.lower() == README


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
        heading = read_title(first, config) if _released(release, as_of) else None
        title = heading or (id_.rpartition("/")[2] if is_folder_page(first.path.stem) else first.path.stem)
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
    for lecture in rest:
        # the pages of a site are no lectures that anyone counts
        last += not lecture.sources[0].url
        numbered.append(msgspec.structs.replace(lecture, number=0 if lecture.sources[0].url else last))
    return sorted(numbered, key=lambda lecture: (lecture.number, natural_key(lecture.id)))


def _path_key(lecture: Lecture) -> tuple[tuple[int, int, str], ...]:
    """Sort by path, a folder's own page before what else is in the folder."""
    relpath = lecture.sources[0].relpath
    folder, _, name = relpath.rpartition("/")
    return natural_key(f"{folder}/" if folder and is_folder_page(name.rpartition(".")[0]) else relpath)
