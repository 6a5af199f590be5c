"""A source's date is the commit's, else the front matter's, and never the file's own time."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.freshness import SourceState, source_states
from openbook.errors import BuildWarning

FILES = {
    "openbook.toml": '[course]\ntitle = "A course"\n[sources]\nroot = "lectures"\n',
    "lectures/l01/notes.md": "---\nupdated: 2026-03-04\ndate: 2025-01-01\n---\n# One\n\nText.\n",
    "lectures/l02/notes.md": "---\ndate: 2026-02-03T10:00:00\n---\n# Two\n\nText.\n",
    "lectures/l03/größe.md": "---\ndate: Spring 2026\n---\n# Three\n\nText.\n",
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "course" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "course"


def git(folder: Path, *arguments: str, day: str = "2026-05-06") -> None:
    when = f"{day}T23:30:00-05:00"
    identity = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(folder), *arguments],
        check=True, capture_output=True, env={**os.environ, **identity},
    )  # fmt: skip


def states(course: Path) -> tuple[dict[str, SourceState], tuple[BuildWarning, ...]]:
    config = load_config(course)
    found, warnings = source_states(config, load_catalogue(config, config.today()).lectures)
    return {state.path: state for state in found}, warnings


def dates(course: Path) -> list[str | None]:
    found, _ = states(course)
    return [found[path].updated for path in sorted(found)]


def test_outside_of_a_repository_the_front_matter_is_asked(course: Path) -> None:
    assert dates(course) == ["2026-03-04", "2026-02-03", None]


def test_a_file_s_own_time_is_no_date(course: Path) -> None:
    before = states(course)
    for path in course.rglob("*.md"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    assert states(course) == before


def test_the_hash_is_that_of_the_file(course: Path) -> None:
    found, _ = states(course)
    path = "lectures/l01/notes.md"
    assert found[path].sha256 == hashlib.sha256((course / path).read_bytes()).hexdigest()
    assert (found[path].lecture, found[path].kind) == ("l01", "notes")


def test_in_a_repository_the_last_commit_that_touched_a_file_dates_it(course: Path) -> None:
    git(course, "init")
    git(course, "add", ".")
    git(course, "commit", "-m", "all", day="2026-05-06")
    (course / "lectures/l02/notes.md").write_text("# Two\n\nMore.\n", encoding="utf-8")
    git(course, "commit", "-am", "two", day="2026-06-07")
    assert dates(course) == ["2026-05-06", "2026-06-07", "2026-05-06"]


def test_a_file_that_no_commit_holds_as_it_is_has_no_commit_s_date(course: Path) -> None:
    git(course, "init")
    git(course, "add", "lectures/l01", "lectures/l02")
    git(course, "commit", "-m", "two of them")
    (course / "lectures/l01/notes.md").write_text("---\nupdated: 2026-09-09\n---\n# One\n\nNew.\n", encoding="utf-8")
    assert dates(course) == ["2026-09-09", "2026-05-06", None]


def test_a_shallow_clone_does_not_give_every_file_the_date_of_its_one_commit(course: Path, tmp_path: Path) -> None:
    git(course, "init")
    git(course, "add", ".")
    git(course, "commit", "-m", "first")
    git(course, "commit", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "--depth=1", course.as_uri(), str(tmp_path / "clone"))
    found, warnings = states(tmp_path / "clone")
    assert [found[path].updated for path in sorted(found)] == ["2026-03-04", "2026-02-03", None]
    assert [warning.kind for warning in warnings] == ["shallow-clone"]
