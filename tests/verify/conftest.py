"""A course of two lectures, really built, for the tests of ``openbook verify``."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from openbook.build import build_site
from openbook.config import Config, load_config

COURSE = Path(__file__).parent / "course"


@pytest.fixture(scope="session")
def config() -> Config:
    """Settings of the small course."""
    return load_config(COURSE)


@pytest.fixture(scope="session")
def built(config: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its site. Not to be changed: take ``site`` for that."""
    out = tmp_path_factory.mktemp("verify") / "dist"
    build_site(config, out=out, as_of=date(2026, 12, 1))
    return out


@pytest.fixture
def site(built: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    folder = tmp_path / "dist"
    shutil.copytree(built, folder)
    return folder


@pytest.fixture
def rewrite(site: Path) -> Callable[[str, Callable[[bytes], bytes]], None]:
    """``rewrite(name, change)``: change a file that the manifest lists, and put its new hash and size there."""

    def change_file(name: str, change: Callable[[bytes], bytes]) -> None:
        manifest_file = site / "index" / "manifest.json"
        manifest = json.loads(manifest_file.read_bytes())
        entry = manifest["files"][name]
        before = (site / entry["path"]).read_bytes()
        after = change(before)
        assert after != before, "the change changed nothing"
        (site / entry["path"]).write_bytes(after)
        entry["sha256"], entry["bytes"] = hashlib.sha256(after).hexdigest(), len(after)
        manifest_file.write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")

    return change_file
