"""A site has the files of the engines that it offers, and no others; the build says how large they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openbook.build import build_site
from openbook.config import load_config
from openbook.errors import ClientMissingError
from openbook.pages.assets import client_folder
from openbook.pages.engines import ENGINES, ClientGraph
from openbook.pages.new import new_course

WEBLLM = {"assets/webllm-00000000.js", "assets/webllm_worker-00000000.js", "assets/lib-00000000.js"}
WLLAMA = {"assets/wllama-00000000.js", "assets/wllama-00000000.wasm"}


def test_an_engine_s_own_files_are_those_that_nothing_else_reaches(client: Path) -> None:
    graph = ClientGraph(client)
    assert graph.only([]) == set()
    assert graph.only(["webllm"]) == WEBLLM
    assert graph.only(["wllama"]) == WLLAMA
    assert graph.only(["webllm", "wllama"]) == WEBLLM | WLLAMA | {"assets/shared-00000000.js"}


def test_their_bytes_are_counted(client: Path) -> None:
    (client / "assets" / "lib-00000000.js").write_text("x" * 5000)
    assert ClientGraph(client).bytes(["webllm", "built-in"])["webllm"] > 5000
    assert list(ClientGraph(client).bytes(["built-in", "webllm"])) == ["built-in", "webllm"]


def test_a_client_without_an_engine_s_module_is_not_taken_for_one_that_needs_nothing(client: Path) -> None:
    file = client / ".vite" / "manifest.json"
    manifest = json.loads(file.read_bytes())
    del manifest["src/generation/webllm.ts"]
    file.write_text(json.dumps(manifest))
    with pytest.raises(ClientMissingError, match=r"names no src/generation/webllm\.ts"):
        ClientGraph(client)


def test_in_the_real_client_the_library_and_the_wasm_are_the_engines_own() -> None:
    graph = ClientGraph(client_folder())
    assert any("/lib-" in file for file in graph.only(["webllm"]))
    assert not any("/lib-" in file for file in graph.only(["wllama", "built-in", "address"]))
    assert [file for file in graph.only(["wllama"]) if file.endswith(".wasm")]
    assert not any("ort-wasm" in file for file in graph.only(ENGINES))
    sizes = graph.bytes(ENGINES)
    assert sizes["webllm"] > 5e6
    assert sizes["wllama"] > 9e6
    assert sizes["built-in"] + sizes["address"] < 2e4


def files_of(course: Path, engines: str, out: Path) -> tuple[set[str], list[str]]:
    text = (course / "openbook.toml").read_text()
    (course / "openbook.toml").write_text(text.partition("[generation]")[0] + f"[generation]\nengines = {engines}\n")
    report = build_site(load_config(course), out=out)
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}, list(report.summary())


def test_a_site_lists_and_holds_no_file_of_an_engine_that_it_does_not_offer(tmp_path: Path) -> None:
    course, graph = tmp_path / "course", ClientGraph(client_folder())
    new_course(course)
    every, said = files_of(course, '["webllm", "wllama", "built-in", "address"]', tmp_path / "every")
    some, _ = files_of(course, '["wllama"]', tmp_path / "some")
    none, quiet = files_of(course, "[]", tmp_path / "none")
    assert any("webllm 6.1 MB" in line for line in said)
    assert not any("engines" in line for line in quiet)
    assert graph.only(ENGINES) <= every
    assert graph.only(["wllama"]) <= some
    assert not graph.only(["webllm", "built-in", "address"]) & some
    assert not graph.only(ENGINES) & none
    for site, held in ((tmp_path / "every", every), (tmp_path / "some", some), (tmp_path / "none", none)):
        manifest = json.loads((site / "index" / "manifest.json").read_bytes())
        listed = {entry["path"] for entry in manifest["files"].values()}
        kept = json.loads((site / manifest["files"][manifest["offline"]]["path"]).read_bytes())
        assert listed | {entry["path"] for entry in kept["files"]} <= held
