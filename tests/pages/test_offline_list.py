"""What a browser keeps of a site: the list that the build writes, the rules of the client, and ``openbook check``."""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from openbook.build import build_site
from openbook.cli import main
from openbook.config import load_config
from openbook.generation.files import FOLDER
from openbook.index.read import read_manifest
from openbook.pages.assets import client_folder
from openbook.pages.engines import ClientGraph
from openbook.pages.new import new_course
from openbook.pages.offline import SiteList

CLIENT = Path(__file__).parents[2] / "web" / "src" / "offline"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that brings a language model of its own."""
    folder = tmp_path_factory.mktemp("offline") / "course"
    new_course(folder)
    (folder / "own.gguf").write_bytes(b"GGUF" + bytes(1000))
    settings = folder / "openbook.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[generation.wllama]\nmodel = "own.gguf"\n', "utf-8")
    return folder


@pytest.fixture(scope="module")
def built(course: Path) -> Path:
    out = course.parent / "dist"
    build_site(load_config(course), out=out, as_of=date(2026, 12, 1))
    return out


def listed(site: Path) -> dict[str, int]:
    manifest = read_manifest(site / "index")
    assert manifest.offline is not None
    file = site / manifest.files[manifest.offline].path
    return {entry.path: entry.bytes for entry in msgspec.json.decode(file.read_bytes(), type=SiteList).files}


def check(site: Path, course: Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["check", str(site), "--course", str(course)], catch_exceptions=False)
    return result.exit_code, result.output


def test_every_file_is_in_the_manifest_or_on_the_list_but_for_models_and_what_differs_from_build_to_build(
    built: Path,
) -> None:
    there = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    rest = there - {entry.path for entry in read_manifest(built / "index").files.values()} - set(listed(built))
    own = {path for path in rest if path.startswith(f"{FOLDER}/")}
    assert own
    assert rest - own == {"index/manifest.json", "index/build.json", "service-worker.js"}


def test_check_counts_what_is_kept(built: Path, course: Path) -> None:
    code, said = check(built, course)
    assert code == 0
    assert f"{len(listed(built))} more are as the list of what is kept offline says" in said


@pytest.mark.parametrize("change", ["missing", "another"])
def test_check_fails_when_a_page_is_not_the_one_that_a_browser_would_keep(
    change: str, built: Path, course: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    shutil.copytree(built, site)
    page = site / "lectures" / "index.html"
    if change == "missing":
        page.unlink()
    else:
        page.write_text(page.read_text("utf-8") + "<!-- compressed -->", "utf-8")
    code, said = check(site, course)
    assert code == 1
    assert str(page) in said.replace("\n", "")


def test_what_the_client_takes_for_an_engine_s_scripts_is_what_only_an_engine_reaches() -> None:
    """`keeper.ts` knows them by their names, which Vite makes; megabytes would be kept unasked, or an engine not be."""
    found = re.search(r"const ENGINE = /(.+)/;", (CLIENT / "keeper.ts").read_text("utf-8"))
    assert found is not None
    engine = re.compile(found[1].replace(r"\/", "/"))
    client = client_folder()
    scripts = {path.relative_to(client).as_posix() for path in client.rglob("assets/*.js")}
    own = ClientGraph(client).only(["webllm", "wllama"]) & scripts
    assert own
    assert {path for path in scripts if engine.match(path)} == own
