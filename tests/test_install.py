"""openbook as its user gets it: a wheel in a fresh environment, without Node, torch or this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

# 356 when this was set: 285 before there were readers of decks and notebooks, and engines in the client.
MOST_MEGABYTES = 380


@pytest.mark.slow
def test_the_wheel_builds_a_course_in_a_fresh_environment(root: Path, tmp_path: Path) -> None:
    wheels, environment, course = tmp_path / "wheels", tmp_path / "environment", tmp_path / "course"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, root], check=True)
    (wheel,) = wheels.glob("openbook-*.whl")

    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "-q", "install", wheel], check=True)
    installed = subprocess.run([python, "-m", "pip", "list"], check=True, capture_output=True, text=True).stdout
    assert "torch" not in installed

    size = sum(p.stat().st_size for p in (environment / "lib").rglob("*") if p.is_file() and not p.is_symlink())
    assert size / 1e6 <= MOST_MEGABYTES

    # No Node on the path: everything that the site needs is in the wheel.
    clean = {"PATH": str(environment / "bin"), "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    if "OPENBOOK_CACHE" in os.environ:
        clean["OPENBOOK_CACHE"] = os.environ["OPENBOOK_CACHE"]

    def openbook(*arguments: object) -> str:
        command = [environment / "bin" / "openbook", *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=clean, cwd=tmp_path).stdout

    openbook("new", course)
    openbook("build", course, "--out", course / "dist")
    assert "nothing found" in openbook("check", course / "dist", "--course", course)
    page = (course / "dist" / "index.html").read_text("utf-8")
    assert "<open-book-app" in page
