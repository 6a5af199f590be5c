"""Where links and pictures of a source lead in the built site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from openbook.errors import BuildWarning, WarningKind
from openbook.pages.figures import IMAGE_SUFFIXES, is_active_svg

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_IMAGE_DATA = re.compile(r"data:image/", re.IGNORECASE)
_FOREIGN = ("http", "https", "mailto")
_MYST_PREFIXES = ("project:", "path:", "myst:")
# Jekyll's prefix of every address inside a site.
_BASE_URL = re.compile(r"^(?:\{\{\s*site\.baseurl\s*\}\}|%7B%7B\s*site\.baseurl\s*%7D%7D)", re.IGNORECASE)
_ENTRIES = ("notes.md", "index.md", "README.md", "slides.md")
# What a page may be linked to beside pages: files to download. Never pages or scripts, which would run on the
# site's own origin.
_DOWNLOADS = frozenset(
    {
        ".pdf", ".csv", ".tsv", ".json", ".txt", ".toml", ".yaml", ".yml", ".py", ".ipynb", ".r", ".jl", ".sql", ".sh",
        ".zip", ".gz", ".npz", ".npy", ".parquet", ".xlsx", ".ods", ".docx", ".pptx", ".tex", ".bib", ".db", ".sqlite",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the site as a target of links.

    Attributes:
        url: relative to the site's root, not percent-encoded.
        title: of the document.
        targets: label or heading id → id on the page.
        titles: id → title of the heading.
    """

    url: str
    title: str
    targets: Mapping[str, str]
    titles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Course:
    """What addresses are resolved against.

    Attributes:
        root: absolute folder of the course; nothing outside of it is taken into the site.
        sources_root: absolute folder of the lectures.
        places: resolved path of each released source → its page.
        unreleased: resolved paths of unreleased sources.
        folders: resolved folder of each lecture that is one → whether it is released.
        labels: label → (page, id), of the whole course; the first one wins.
        permalinks: address that a source's front matter gives it, without slashes around → resolved path.
    """

    root: Path
    sources_root: Path
    places: Mapping[Path, Place]
    unreleased: frozenset[Path]
    folders: Mapping[Path, bool]
    labels: Mapping[str, tuple[Place, str]]
    permalinks: Mapping[str, Path]

    def hides(self, path: Path) -> bool:
        """Whether a path belongs to a lecture that is not released."""
        if path in self.unreleased:
            return True
        if path in self.places:
            return False
        # The innermost folder that is a lecture decides.
        return not next((self.folders[folder] for folder in path.parents if folder in self.folders), True)


class Origin(NamedTuple):
    """Where a link of a built page was written.

    Attributes:
        page: url of the page.
        href: as it stands in the page.
        source: path of the source, relative to the course's root.
        line: 1-based.
        written: the address as the author wrote it.
    """

    page: str
    href: str
    source: str
    line: int
    written: str


class Dangling(NamedTuple):
    """A link that leads nowhere."""

    source: str
    line: int | None
    written: str
    why: str

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{place}: {self.written!r} {self.why}"


@dataclass(slots=True)
class Found:
    """What came together while pages were rendered.

    Attributes:
        origins: of every internal link and picture.
        dangling: links whose target is no file of the course.
        files: path in the site → file to copy there.
        warnings: as they came up.
    """

    origins: list[Origin] = field(default_factory=list)
    dangling: list[Dangling] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    warnings: list[BuildWarning] = field(default_factory=list)


class Addresses:
    """Resolves the addresses of one source.

    Args:
        course: the whole course.
        place: the source's page.
        path: resolved path of the source.
        source: its path for messages, relative to the course's root.
        found: collects what comes up.
    """

    def __init__(self, course: Course, place: Place, path: Path, source: str, found: Found) -> None:
        self._course = course
        self._place = place
        self._path = path
        self._source = source
        self._found = found

    def warn(self, kind: WarningKind, message: str, line: int) -> None:
        """Note a warning about the source."""
        self._found.warnings.append(BuildWarning(kind, message, self._source, line))

    def own(self, target: str) -> str:
        """Return the address of a file of the site, relative to its root, as it is seen from the page."""
        return relative(self._place.url, target)

    def link(self, written: str, line: int) -> str | None:
        """Return the address for ``<a href>``, percent-encoded, or None when there is nothing to lead to."""
        address = _BASE_URL.sub("", written.strip())
        for prefix in _MYST_PREFIXES:
            address = address.removeprefix(prefix)
        if address.startswith("//"):
            address = f"https:{address}"
        if _SCHEME.match(address):
            if address.partition(":")[0].lower() in _FOREIGN:
                return address
            self.warn("unsafe-link", f"{written!r} is not a web address and is left out.", line)
            return None
        try:
            parts = urlsplit(address)
        except ValueError:
            self._lost(written, line, "is not an address.")
            return None
        fragment = unquote(parts.fragment)
        if not parts.path:
            return self._inside(written, fragment, line) if fragment else self._origin("#", written, line)
        return self._elsewhere(written, unquote(parts.path), fragment, line)

    def label(self, label: str, line: int) -> tuple[str, str] | None:
        """Return (address, title) of a label of this document or any other, or None when nobody gave it."""
        place, anchor = self._place, self._place.targets.get(label)
        if anchor is None:
            if label not in self._course.labels:
                return None
            place, anchor = self._course.labels[label]
        href = self._to_place(place, anchor)
        return self._origin(href, label, line), place.titles.get(anchor, "")

    def document(self, written: str, line: int) -> tuple[str | None, str]:
        """Return (address, title) of another source named without its suffix, as ``{doc}`` does."""
        path = self._locate(written)
        place = self._course.places.get(path) if path else None
        return self.link(written, line), place.title if place else ""

    def image(self, written: str, line: int) -> tuple[str, Path | None] | None:
        """Return (address for ``<img src>``, the file), or None when the picture cannot be shown."""
        address = _BASE_URL.sub("", written.strip())
        if _IMAGE_DATA.match(address):
            return address, None
        if _SCHEME.match(address) or address.startswith("//"):
            self.warn(
                "foreign-image",
                f"{written[:100]!r} is on another site, from which a page loads nothing; put a copy beside the notes.",
                line,
            )
            return None
        path = self._file(unquote(address.split("#")[0].split("?")[0]))
        if path is None:
            self.warn("missing-image", f"there is no file {written!r}.", line)
            return None
        if path.suffix.lower() not in IMAGE_SUFFIXES:
            self.warn("missing-image", f"{written!r} is not a picture.", line)
            return None
        if path.suffix.lower() == ".svg" and is_active_svg(path):
            self.warn("active-svg", f"{written!r} holds a script or loads something, and is left out.", line)
            return None
        href = self._take(path, written, line)
        return None if href is None else (href, path)

    def _lost(self, written: str, line: int, why: str) -> None:
        self._found.dangling.append(Dangling(self._source, line, written, why))

    def _origin(self, href: str, written: str, line: int) -> str:
        self._found.origins.append(Origin(self._place.url, href, self._source, line, written))
        return href

    def _inside(self, written: str, fragment: str, line: int) -> str:
        label = self.label(fragment, line) or self.label(fragment.lower(), line)
        # The id may be one that only the page knows: of raw HTML or a footnote. The check of the built page decides.
        return label[0] if label else self._origin(f"#{quoted(fragment)}", written, line)

    def _elsewhere(self, written: str, path: str, fragment: str, line: int) -> str | None:
        target = self._locate(path)
        if target is None:
            known = self.label(written, line) or (self.label(path, line) if not fragment else None)
            if known is None:
                self._lost(written, line, "leads to no file of the course.")
            return known[0] if known else None
        if self._course.hides(target):
            self.warn("unreleased-link", f"{written!r} leads to a lecture that is not released; shown as text.", line)
            return None
        place = self._course.places.get(target)
        if place is not None:
            anchor = place.targets.get(fragment) or place.targets.get(fragment.lower()) or fragment
            return self._origin(self._to_place(place, anchor), written, line)
        if target.suffix.lower() in _DOWNLOADS | IMAGE_SUFFIXES and not _is_hidden(target, self._course.root):
            return self._take(target, written, line)
        self._lost(written, line, "leads to a file that is no page of the course.")
        return None

    def _take(self, path: Path, written: str, line: int) -> str | None:
        """Have a file copied into the site and return its address from the page."""
        root, sources = self._course.root, self._course.sources_root
        if not path.is_relative_to(root):
            self.warn("outside-root", f"{written!r} lies outside of the course's folder and is left out.", line)
            return None
        if self._course.hides(path):
            self.warn("unreleased-file", f"{written!r} belongs to a lecture that is not released; left out.", line)
            return None
        if path.is_relative_to(sources):
            inside = f"lectures/{path.relative_to(sources).as_posix()}"
        else:
            inside = f"lectures/_files/{path.relative_to(root).as_posix()}"
        self._found.files[inside] = path
        return self._origin(relative(self._place.url, inside), written, line)

    def _to_place(self, place: Place, anchor: str) -> str:
        start = "" if place is self._place else relative(self._place.url, place.url)
        return f"{start}#{quoted(anchor)}" if anchor else start or "#"

    def _file(self, path: str) -> Path | None:
        return next(
            (found for candidate in self._bases(path) if (found := _resolved(candidate)) and found.is_file()), None
        )

    def _bases(self, path: str) -> tuple[Path, ...]:
        if path.startswith("/"):
            return self._course.sources_root / path.lstrip("/"), self._course.root / path.lstrip("/")
        return self._path.parent / path, self._course.sources_root / path

    def _locate(self, path: str) -> Path | None:
        """Find the file that a link means: with or without suffix, as ``.html``, or by its folder."""
        for base in self._bases(path):
            candidates = [base, base.with_name(f"{base.name}.md") if base.name else base]
            if base.suffix.lower() in {".html", ".htm", ".ipynb"}:
                candidates.append(base.with_suffix(".md"))
            candidates += [base / entry for entry in _ENTRIES]
            for candidate in candidates:
                found = _resolved(candidate)
                if found is not None and (found in self._course.unreleased or found.is_file()):
                    return found
        return self._course.permalinks.get(path.strip("/")) if path.startswith("/") else None


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None  # a name that no file can have: too long, with a null character, a loop of links


def _is_hidden(path: Path, root: Path) -> bool:
    inside = path.relative_to(root).parts if path.is_relative_to(root) else path.parts
    return any(part.startswith(".") for part in inside)


def quoted(text: str) -> str:
    """Percent-encode a path or fragment for an address."""
    return quote(text, safe="/~!$&'()*+,;=:@")


def relative(page: str, target: str) -> str:
    """Address of ``target`` from ``page``, both relative to the site's root."""
    if "://" in target:
        return quoted(target)
    address = quoted(posixpath.relpath(target, posixpath.dirname(page) or "."))
    return f"./{address}" if ":" in address.split("/")[0] else address
