"""Search a built site for anything of lectures that were not released.

The release gate keeps an unreleased lecture from being read; this is the independent proof, which looks at the
output alone. Every built file is taken apart as what it is (HTML to text, JSON to its strings, scripts without
escapes) and reduced to a sequence of words, as are the sources. A *window* is the shortest run of words from a place on
that has at least five words and 25 letters. A window that stands in an unreleased source and in no released one is
distinctive; found in a built file, it is a leak. Windows overlap at every word, so it does not matter where a
chunk was cut, how the text was marked up, escaped or wrapped.

Beside running text: titles, headings, ids, terms of the keyword index that only unreleased sources contain, and
copies of files that belong to unreleased lectures.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import unquote

import msgspec

from openbook.config import Config
from openbook.course.catalogue import Catalogue
from openbook.course.document import Block
from openbook.course.readers import read, reader_named
from openbook.course.source import Lecture, Source
from openbook.errors import LeakError, UnreadableSourceError
from openbook.index.tokens import tokenize
from openbook.index.write import PROBE_TEXTS
from openbook.pages.leak_texts import texts_of, windows, words_of

LeakKind = Literal["text", "title", "heading", "name", "term", "file"]

HEADING_WORDS = 3
_LINK_TARGET = re.compile(r"(?<=\])(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"<!--|-->|</?[a-zA-Z][^<>]*>")
_KEY = re.compile(r"^\s*(?:-\s+)?[\w-]+:(?=\s|$)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<text>.+?)[ \t]*#*[ \t]*$")
_REFERENCE = re.compile(
    r"!\[[^\]\n]*\]\(\s*<?([^)\s>]+)|(?:src|href)\s*=\s*[\"']?([^\"'\s>]+)|\{(?:figure|image)\}\s*(\S+)|\]\(\s*<?([^)\s>#]+)"
)


class Leak(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One place in a built file that holds something of an unreleased source.

    Attributes:
        file: built file, relative to the site's root.
        kind: what was found: running text, a lecture's title, a heading, a lecture's id, an index term, a file.
        source: the unreleased source, relative to the course's root.
        line: 1-based line there.
        text: what was found, as words.
    """

    file: str
    kind: LeakKind
    source: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.kind} of {self.source}:{self.line}: {self.text!r}"


class LeakReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found.

    Attributes:
        files: how many built files were searched.
        sources: how many unreleased sources they were searched for.
        windows: how many distinctive windows those have.
        leaks: at most one a built file, kind and source line.
    """

    files: int
    sources: int
    windows: int
    leaks: tuple[Leak, ...]

    def raise_for_leaks(self, shown: int = 10) -> None:
        """Raise when anything was found.

        Raises:
            LeakError: names the first ``shown`` places.
        """
        if not self.leaks:
            return
        rest = len(self.leaks) - shown
        lines = [f"  {leak}" for leak in self.leaks[:shown]] + ([f"  and {rest} more"] if rest > 0 else [])
        raise LeakError(
            f"{len(self.leaks)} places of the built site hold something unreleased:\n" + "\n".join(lines),
            hint="\nDo not publish it. Delete the folder and build again.",
        )


class _SourceText:
    """A source as words, each with its line.

    Attributes:
        raw: the source as it stands.
        runs: (words, line of each word), for each run of text that belongs together: every value of the front matter,
            and the body.
        headings: (line, words) of the body's headings.
    """

    def __init__(self, text: str) -> None:
        self.raw = text
        self.runs: list[tuple[list[str], list[int]]] = []
        self.headings: list[tuple[int, tuple[str, ...]]] = []
        lines = text.splitlines()
        front = next((n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "...")), 0)
        front = front + 1 if lines and lines[0].rstrip() == "---" else 0
        for number, line in enumerate(lines[:front], 1):
            found = words_of(_KEY.sub("", line))
            self.runs.append((found, [number] * len(found)))
        words: list[str] = []
        places: list[int] = []
        for number, line in enumerate(lines[front:], front + 1):
            found = words_of(_TAG.sub(" ", _LINK_TARGET.sub(" ", line)))
            words += found
            places += [number] * len(found)
            if _HEADING.match(line) and len(found) >= HEADING_WORDS:
                self.headings.append((number, tuple(found)))
        self.runs.append((words, places))

    def windows(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield (line, words) of every window."""
        for words, places in self.runs:
            for start, window in windows(words):
                yield places[start], window


class _Needles:
    """What must not be found: everything distinctive of the unreleased sources."""

    def __init__(self, config: Config, catalogue: Catalogue) -> None:
        self.root = config.root
        released = [_SourceText(_text_of(config, lecture, source)) for lecture, source in _sources(catalogue.lectures)]
        self.released_lectures = catalogue.lectures
        self.hidden = [
            (lecture, source, _SourceText(_text_of(config, lecture, source)))
            for lecture, source in _sources(catalogue.unreleased)
        ]
        # Titles and ids may come from openbook.toml; those of released lectures are public.
        # Nor are the sentences secret that openbook itself writes into every index.
        stated = [
            config.title,
            *PROBE_TEXTS,
            *(text for lecture in catalogue.lectures for text in (lecture.title, lecture.id)),
        ]
        self.public_words = [words for text in released for words, _ in text.runs] + [words_of(text) for text in stated]
        read_texts = list(_as_read(config, catalogue))
        self.public_words += [words_of(text) for text in read_texts]
        self.public_texts = [*(text.raw for text in released), *stated, *read_texts]
        seen: set[tuple[str, ...]] = set()
        for words in self.public_words:
            seen.update(window for _, window in windows(words))
        self.windows: dict[tuple[str, ...], tuple[str, int]] = {}
        self.phrases: dict[tuple[str, ...], tuple[LeakKind, str, int]] = {}
        for lecture, source, text in self.hidden:
            name = self._name(source)
            for line, window in text.windows():
                if window not in seen:
                    self.windows.setdefault(window, (name, line))
            self._add_phrase("title", tuple(words_of(lecture.title)), name, _line_of(lecture.title, text.raw), least=2)
            self._add_phrase("name", tuple(words_of(lecture.id)), name, 1, least=2)
            for line, heading in text.headings:
                self._add_phrase("heading", heading, name, line, least=HEADING_WORDS)
        self.by_first: dict[str, list[tuple[str, ...]]] = {}
        for phrase in self.phrases:
            self.by_first.setdefault(phrase[0], []).append(phrase)
        for words in self.public_words:
            for phrase in list(self._phrases_in(words)):
                if self.phrases.pop(phrase, None) is not None:
                    self.by_first[phrase[0]].remove(phrase)

    def _name(self, source: Source) -> str:
        return Path(os.path.relpath(source.path, self.root)).as_posix()

    def _add_phrase(self, kind: LeakKind, phrase: tuple[str, ...], source: str, line: int, *, least: int) -> None:
        if len(phrase) >= least:
            self.phrases.setdefault(phrase, (kind, source, line))

    @cached_property
    def terms(self) -> dict[str, tuple[str, int]]:
        """Index terms that only unreleased sources have, with where."""
        public = {term for text in self.public_texts for term in tokenize(text)}
        found: dict[str, tuple[str, int]] = {}
        for _, source, text in self.hidden:
            name = self._name(source)
            for number, line in enumerate(text.raw.splitlines(), 1):
                for term in tokenize(line):
                    if term not in public:
                        found.setdefault(term, (name, number))
        return found

    @cached_property
    def files(self) -> dict[str, tuple[str, int, str]]:
        """SHA-256 of each file that belongs to an unreleased lecture → (source, line, the file's name)."""
        public: set[str] = set()
        for lecture, source in _sources(self.released_lectures):
            for path, _ in [*_referenced(source), *_beside(lecture, source, self._folders)]:
                public.add(_sha256(path.read_bytes()))
        found: dict[str, tuple[str, int, str]] = {}
        for lecture, source, _ in self.hidden:
            for path, line in [*_referenced(source), *_beside(lecture, source, self._folders)]:
                digest = _sha256(path.read_bytes())
                if digest not in public:
                    found.setdefault(digest, (self._name(source), line, path.name))
        return found

    @cached_property
    def _folders(self) -> frozenset[Path]:
        return frozenset(
            source.path.parent
            for lecture, source in [
                *_sources(self.released_lectures),
                *((lecture, source) for lecture, source, _ in self.hidden),
            ]
            if source.owns_folder
        )

    def in_words(self, words: Sequence[str]) -> Iterator[tuple[LeakKind, str, int, str]]:
        """Find windows and phrases in a text of a built file."""
        for _, window in windows(words):
            place = self.windows.get(window)
            if place is not None:
                yield "text", *place, " ".join(window)
        for phrase in self._phrases_in(words):
            kind, source, line = self.phrases[phrase]
            yield kind, source, line, " ".join(phrase)

    def _phrases_in(self, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
        for position, word in enumerate(words):
            for phrase in self.by_first.get(word, ()):
                if tuple(words[position : position + len(phrase)]) == phrase:
                    yield phrase


def find_leaks(dist: Path, config: Config, catalogue: Catalogue, *, skip: Iterable[bytes] = ()) -> LeakReport:
    """Search every file of a built site for text, titles, terms and files of unreleased lectures.

    Args:
        dist: the built site.
        config: of the course.
        catalogue: the course as of the day that the site was built for.
        skip: SHA-256 digests of files that cannot hold text of the course, such as the client's own scripts
            (``assets.own_digests``).

    Returns:
        What was found; ``raise_for_leaks`` turns it into an error.
    """
    files = sorted(path for path in dist.rglob("*") if path.is_file())
    if not catalogue.unreleased:
        return LeakReport(files=len(files), sources=0, windows=0, leaks=())
    needles = _Needles(config, catalogue)
    known = set(skip)
    leaks: dict[tuple[str, LeakKind, str, int], Leak] = {}
    for path in files:
        file = path.relative_to(dist).as_posix()
        for kind, source, line, text in _search(needles, file, path.read_bytes(), known):
            leaks.setdefault(
                (file, kind, source, line), Leak(file=file, kind=kind, source=source, line=line, text=text[:120])
            )
    return LeakReport(
        files=len(files),
        sources=len(needles.hidden),
        windows=len(needles.windows),
        leaks=tuple(sorted(leaks.values())),
    )


def _search(needles: _Needles, file: str, raw: bytes, known: Set[bytes]) -> Iterator[tuple[LeakKind, str, int, str]]:
    digest = hashlib.sha256(raw)
    copied = needles.files.get(digest.hexdigest())
    if copied is not None:
        yield "file", *copied
    yield from needles.in_words(words_of(file))
    if digest.digest() in known:
        return
    name = PurePosixPath(file)
    for text in texts_of(name, raw):
        yield from needles.in_words(words_of(text))
    if name.suffix == ".json" and name.name.startswith(("terms-", "keyword-")):
        for term in _index_terms(raw):
            if term in needles.terms:
                yield "term", *needles.terms[term], term


def _index_terms(raw: bytes) -> Iterator[str]:
    data = json.loads(raw)
    entries = data if isinstance(data, list) else data.get("index", [])
    for entry in entries:
        if isinstance(entry, list) and entry and isinstance(entry[0], str):
            yield entry[0]


def _as_read(config: Config, catalogue: Catalogue) -> Iterator[str]:
    """What a reader sees of the released lectures: without what stands between in the source, such as index entries."""
    for lecture, source in _sources(catalogue.lectures):
        try:
            document = read(source, config, lecture)
        except UnreadableSourceError:
            continue
        yield "\n".join(section.title for section in document.sections)
        yield "\n".join(text for section in document.sections for text in (section.title, *_texts(section.blocks)))


def _text_of(config: Config, lecture: Lecture, source: Source) -> str:
    """A source as its author wrote it; of a format that nobody writes by hand, what there is to read in it."""
    if reader_named(source.reader).text:
        return _read(source.path)
    try:
        document = read(source, config, lecture)
    except UnreadableSourceError:
        return _read(source.path)
    return "\n".join(text for section in document.sections for text in (section.title, *_texts(section.blocks)))


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield from (block.title, block.header, block.text)


def _sources(lectures: Iterable[Lecture]) -> Iterator[tuple[Lecture, Source]]:
    for lecture in lectures:
        for source in lecture.sources:
            yield lecture, source


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig", errors="replace")


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _line_of(title: str, raw: str) -> int:
    for number, line in enumerate(raw.splitlines(), 1):
        if title in line:
            return number
    return 1


def _referenced(source: Source) -> Iterator[tuple[Path, int]]:
    """Local files that a source shows or links to, with the line."""
    for number, line in enumerate(_read(source.path).splitlines(), 1):
        for match in _REFERENCE.finditer(line):
            target = unquote(next(group for group in match.groups() if group).split("#")[0].split("?")[0])
            if not target or ":" in target or target.lower().endswith((".md", ".html")):
                continue
            path = source.path.parent / target
            try:
                if path.is_file():
                    yield path, number
            except (OSError, ValueError):
                continue


def _beside(lecture: Lecture, source: Source, folders: frozenset[Path]) -> Iterator[tuple[Path, int]]:
    """Files in the lecture's folder that are no source and belong to no lecture further down."""
    if not source.owns_folder:
        return
    sources = {other.path for other in lecture.sources}
    for path in sorted(source.path.parent.rglob("*")):
        if not path.is_file() or path in sources:
            continue
        owner = next(folder for folder in path.parents if folder in folders)
        if owner == source.path.parent:
            yield path, 1
