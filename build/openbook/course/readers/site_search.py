"""The search index that a site brings along: what its own generator says is on each page.

Known are mystmd's ``myst.search.json``, MkDocs' ``search/search_index.json`` and Quarto's ``search.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from openbook.course.markdown import html_text

_FILES = ("myst.search.json", "search/search_index.json", "search_index.json", "search.json")


class Record(NamedTuple):
    """One section of a page.

    Attributes:
        anchor: id on the page; "" for its beginning.
        level: of its heading; 1 for the page's title.
        title: of the section.
        text: plain.
        page_title: of the page, or "".
    """

    anchor: str
    level: int
    title: str
    text: str
    page_title: str


def records_of(root: Path) -> Mapping[str, tuple[Record, ...]]:
    """Return path of a page, relative to the site → its records in order; {} for a site without a known index."""
    for name in _FILES:
        path = root / name
        if path.is_file():
            return _read(root, name, path.stat().st_mtime_ns)
    return {}


@lru_cache(maxsize=4)
def _read(root: Path, name: str, _changed: int) -> Mapping[str, tuple[Record, ...]]:
    try:
        data = json.loads((root / name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if isinstance(data, dict) and isinstance(data.get("records"), list):
        found = _myst(data["records"])
    elif isinstance(data, dict) and isinstance(data.get("docs"), list):
        found = _mkdocs(data["docs"])
    elif isinstance(data, list):
        found = _quarto(data)
    else:
        return {}
    pages: dict[str, list[Record]] = {}
    for address, record in found:
        page = _page(root, address)
        if page:
            pages.setdefault(page, []).append(record)
    return {page: tuple(records) for page, records in pages.items()}


def _page(root: Path, address: str) -> str:
    """Return the file that an address leads to, relative to the site; "" when there is none."""
    path = unquote(address.partition("#")[0]).strip("/")
    # an address may begin with the folder that the site is served under
    for start in (path, path.partition("/")[2]):
        for candidate in (start, f"{start}.html", f"{start}/index.html".lstrip("/")):
            if candidate.endswith(".html") and ".." not in candidate and (root / candidate).is_file():
                return candidate
        if not path:
            break
    return ""


def _myst(records: list[Any]) -> Iterator[tuple[str, Record]]:
    """Headings and the text below each are records of their own, in the order of ``position``."""
    pages: dict[str, dict[str, Record]] = {}
    for entry in sorted((e for e in records if isinstance(e, dict)), key=lambda e: int(e.get("position") or 0)):
        page, _, anchor = str(entry.get("url") or "").partition("#")
        said = entry.get("hierarchy")
        hierarchy: dict[str, Any] = said if isinstance(said, dict) else {}
        names = [(level, str(hierarchy[f"lvl{level}"])) for level in range(1, 7) if hierarchy.get(f"lvl{level}")]
        level, title = names[-1] if names else (1, "")
        sections = pages.setdefault(page, {})
        before = sections.get(anchor)
        text = str(entry.get("content") or "") if entry.get("type") == "content" else ""
        text = f"{before.text}\n{text}".strip() if before is not None else text
        sections[anchor] = Record(anchor, level, title, text, names[0][1] if names else "")
    for page, sections in pages.items():
        for record in sections.values():
            yield page, record


def _mkdocs(docs: list[Any]) -> Iterator[tuple[str, Record]]:
    titles: dict[str, str] = {}
    for entry in docs:
        if not isinstance(entry, dict):
            continue
        page, _, anchor = str(entry.get("location") or "").partition("#")
        title = html_text(str(entry.get("title") or ""))
        if not anchor:
            titles[page] = title
        text = html_text(str(entry.get("text") or ""))
        yield page or "index.html", Record(unquote(anchor), 2 if anchor else 1, title, text, titles.get(page, ""))


def _quarto(entries: list[Any]) -> Iterator[tuple[str, Record]]:
    for entry in entries:
        if not isinstance(entry, dict) or not entry.get("href"):
            continue
        page, _, anchor = str(entry["href"]).partition("#")
        title = html_text(str(entry.get("title") or ""))
        section = html_text(str(entry.get("section") or ""))
        text = html_text(str(entry.get("text") or ""))
        yield page, Record(unquote(anchor), 2 if section else 1, section or title, text, title)
