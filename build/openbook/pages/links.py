"""Every link and picture of the built pages leads to something that is there.

Looked at is what was built: the files, and the ids in them. What the renderer noted while it resolved addresses
only says from which line of which source a link comes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from openbook.chunking import Chunk
from openbook.errors import BuildWarning, DanglingLinkError
from openbook.pages.addresses import Dangling, Origin

_ADDRESSES = frozenset({("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")})


class PageFacts(NamedTuple):
    """What a built page holds.

    Attributes:
        ids: that can be linked to.
        repeated: ids given more than once.
        addresses: of its links, pictures, styles and scripts, as written, each once.
    """

    ids: frozenset[str]
    repeated: tuple[str, ...]
    addresses: tuple[str, ...]


class _Facts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.names: list[str] = []
        self.addresses: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                self.ids.append(value)
            elif (tag, name) == ("a", "name"):
                self.names.append(value)
            elif (tag, name) in _ADDRESSES:
                self.addresses[value] = None


def page_facts(html: str) -> PageFacts:
    """Read the ids and addresses of a page."""
    reader = _Facts()
    reader.feed(html)
    reader.close()
    seen: set[str] = set()
    repeated = dict.fromkeys(anchor for anchor in reader.ids if anchor in seen or seen.add(anchor))  # type: ignore[func-returns-value]
    return PageFacts(frozenset([*reader.ids, *reader.names]), tuple(repeated), tuple(reader.addresses))


class LinkCheck:
    """Checks the pages of one site.

    Args:
        out: the site's root.
        pages: urls of its pages, relative to the root.
        expected: files that are not there yet and will be.
        elsewhere: url of a page of another site that is cited → ids in it.
    """

    def __init__(
        self,
        out: Path,
        pages: Iterable[str],
        expected: Iterable[str] = ("index.html",),
        elsewhere: Mapping[str, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        self._out = out
        self._elsewhere = elsewhere
        self._expected = frozenset(expected)
        self.facts = {page: page_facts((out / page).read_text(encoding="utf-8")) for page in pages}

    @property
    def links(self) -> int:
        """How many different addresses the pages hold."""
        return sum(len(facts.addresses) for facts in self.facts.values())

    def target(self, page: str, address: str) -> str:
        """Return why an address on a page leads nowhere, or "" when it leads somewhere or to another site."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return ""
        path = unquote(parts.path)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        if target in self._elsewhere:
            return ""
        if target.startswith("../"):
            return "leads out of the site"
        if path.endswith("/") or target == ".":
            target = posixpath.normpath(posixpath.join(target, "index.html"))
        if target not in self.facts and target not in self._expected and not (self._out / target).is_file():
            return f"leads to {target}, which is not in the site"
        anchor = unquote(parts.fragment)
        if anchor and target in self.facts and anchor not in self.facts[target].ids:
            return f"leads to #{anchor}, which {target} does not have"
        return ""

    def dangling(self, origins: Sequence[Origin]) -> list[Dangling]:
        """Return every address of every page that leads nowhere, with the line of the source where it is known."""
        known: Mapping[tuple[str, str], list[Origin]] = _grouped(origins)
        found: list[Dangling] = []
        for page, facts in self.facts.items():
            for address in facts.addresses:
                why = self.target(page, address)
                if not why:
                    continue
                places = known.get((page, address), [])
                found += [Dangling(place.source, place.line, place.written, f"{why}.") for place in places]
                if not places:
                    found.append(Dangling(page, None, address, f"{why}."))
        return found

    def chunks(self, chunks: Iterable[Chunk]) -> list[Dangling]:
        """Return every chunk whose url has no page or no such anchor: a citation that would lead nowhere."""
        found = []
        for chunk in chunks:
            page, _, anchor = chunk.url.partition("#")
            if anchor in self._elsewhere.get(page, ()):
                continue
            if page not in self.facts:
                why = f"is cited by {chunk.id}, but {page} is not in the site."
            elif anchor not in self.facts[page].ids:
                why = f"is cited by {chunk.id}, but {page} has no #{anchor}."
            else:
                continue
            found.append(Dangling(chunk.source, chunk.start_line, chunk.url, why))
        return found

    def repeated_ids(self, sources: Mapping[str, str]) -> list[BuildWarning]:
        """Return a warning for each id that a page has twice.

        Args:
            sources: url of a page → the source it was made from.
        """
        return [
            BuildWarning("duplicate-id", f"the id {anchor!r} is given twice; links lead to the first.", sources[page])
            for page, facts in self.facts.items()
            for anchor in facts.repeated
            if page in sources
        ]


def raise_for_dangling(dangling: Sequence[Dangling], shown: int = 50) -> None:
    """Raise when anything leads nowhere.

    Raises:
        DanglingLinkError: names the first ``shown`` with file and line.
    """
    if not dangling:
        return
    hint = "Correct the address, or the heading that it means."
    if len(dangling) == 1:
        one = dangling[0]
        raise DanglingLinkError(f"{one.written!r} {one.why}", source=one.source, line=one.line, hint=hint)
    lines = [f"  {item}" for item in dangling[:shown]]
    if len(dangling) > shown:
        lines.append(f"  and {len(dangling) - shown} more")
    raise DanglingLinkError(f"{len(dangling)} links lead nowhere:\n" + "\n".join(lines) + "\n", hint=hint)


def as_warnings(dangling: Iterable[Dangling]) -> list[BuildWarning]:
    """Return the same as warnings, for a course that was not written for openbook."""
    return [BuildWarning("dangling-link", f"{item.written!r} {item.why}", item.source, item.line) for item in dangling]


def _grouped(origins: Iterable[Origin]) -> dict[tuple[str, str], list[Origin]]:
    grouped: dict[tuple[str, str], list[Origin]] = {}
    for origin in dict.fromkeys(origins):
        grouped.setdefault((origin.page, origin.href), []).append(origin)
    return grouped
