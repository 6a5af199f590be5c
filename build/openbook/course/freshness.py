"""How old a source is: its SHA-256, and the day it was last changed where something says so that does not move.

The day is that of the last commit that touched the file; of a file that no commit holds as it is, or outside of a
repository, what its front matter says (``updated``, else ``date``); else none. Never a file's own time, which a copy, a
checkout or an unpacked archive makes anew: the same input gives the same bytes.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.readers import source_front_matter
from openbook.course.source import Lecture, Source
from openbook.errors import BuildWarning

_TIMEOUT_S: Final = 20
_KEYS: Final = ("updated", "date")


class SourceState(msgspec.Struct, frozen=True, kw_only=True):
    """A source as it was read.

    Attributes:
        path: relative to the course's root, as in the passages.
        lecture, kind: what it is of.
        sha256: of its bytes, in hex.
        updated: ISO date, or None where nothing says it.
    """

    path: str
    lecture: str
    kind: DocumentKind
    sha256: str
    updated: str | None


def source_states(
    config: Config, lectures: Sequence[Lecture]
) -> tuple[tuple[SourceState, ...], tuple[BuildWarning, ...]]:
    """Return the state of every source of these lectures, and what stood in the way of a date.

    Raises:
        UnreadableSourceError: a source cannot be read.
    """
    committed = _commits(config.sources_root)
    states = tuple(
        SourceState(
            path=source.path_in(config),
            lecture=lecture.id,
            kind=source.kind,
            sha256=hashlib.sha256(source.read()).hexdigest(),
            updated=_updated(source, config, committed or {}),
        )
        for lecture in lectures
        for source in lecture.sources
    )
    if committed is None:
        message = (
            "the repository is a shallow clone, which does not know when its files were changed; "
            "fetch all of it (fetch-depth: 0) for the dates beside the passages."
        )
        return states, (BuildWarning("shallow-clone", message, "."),)
    return states, ()


def _updated(source: Source, config: Config, committed: dict[str, str]) -> str | None:
    day = committed.get(source.relpath)
    if day is not None:
        return day
    data = source_front_matter(source.path, source.path_in(config)).data
    return next((found for key in _KEYS if (found := _iso(data.get(key))) is not None), None)


def _iso(value: Any) -> str | None:
    """A value as a day. What other systems allow there besides, such as "Spring 2026", is none."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip()[:10]).isoformat()
        except ValueError:
            return None
    return None


def _commits(folder: Path) -> dict[str, str] | None:
    """Files below a folder that are as a commit left them → day of that commit; None in a shallow clone."""
    shallow = _git(folder, "rev-parse", "--is-shallow-repository")
    if shallow is None:
        return {}
    if shallow.strip() == "true":
        return None
    log = _git(folder, "log", "--format=%x00%cs", "--name-only", "--no-renames", "--relative", "--", ".")
    changed = _git(folder, "diff", "--name-only", "--no-renames", "--relative", "HEAD", "--", ".")
    if log is None or changed is None:
        return {}
    days: dict[str, str] = {}
    for commit in log.split("\0"):
        day, *names = [line for line in commit.split("\n") if line] or [""]
        for name in names:
            days.setdefault(name, day)
    for name in changed.splitlines():
        days.pop(name, None)
    return days


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "-c", "core.quotePath=false", *arguments],  # noqa: S607
            capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=_TIMEOUT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
