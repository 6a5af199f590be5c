"""``openbook verify``: a good site passes, and each way of being wrong is found where it is."""

from __future__ import annotations

import builtins
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from openbook import verify
from openbook.build import build_site
from openbook.cli import main
from openbook.config import Config, load_config
from openbook.errors import IndexFormatError, MissingExtraError, VerificationError
from openbook.index.read import load_index
from openbook.models.cross_encoder import CrossEncoder
from openbook.models.encoder import Encoder
from openbook.verify import check_contents, verify_site
from tiny_cross_encoder import write_tiny_cross_encoder

Rewrite = Callable[[str, Callable[[bytes], bytes]], None]

COURSE = Path(__file__).parent / "course"


def manifest_of(site: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((site / "index" / "manifest.json").read_bytes())
    return data


def damage(site: Path) -> list[tuple[str, str]]:
    """Stage and place of what is wrong with the index itself."""
    index = load_index(site / "index")
    found = check_contents(index, Encoder(index.model_files()), context=True, cache=None)
    return [(one.stage, one.what) for one in found]


@pytest.mark.browser
def test_a_site_as_it_was_built_passes(built: Path, config: Config) -> None:
    report = verify_site(built, config)
    assert report.ok, "\n".join(report.summary())
    assert (report.questions, report.source) == (6, "gold")
    assert report.differences == ()
    scores = {one.stage: one.largest for one in report.stages if one.largest is not None}
    assert set(scores) >= {"keyword", "dense", "fuse", "rerank", "gate"}
    assert max(scores.values()) < 1e-5
    assert {one.stage for one in report.stages} >= {"keyword index", "vectors", "token vectors", "prompt", "answer"}
    assert all(one.differences == 0 for one in report.stages)
    assert report.browser.startswith("Chromium ")


@pytest.mark.browser
def test_a_cross_encoder_on_offer_is_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(COURSE, tmp_path / "course")
    write_tiny_cross_encoder(tmp_path / "course" / "tiny")
    settings = tmp_path / "course" / "openbook.toml"
    offer = '\n[models.cross_encoder]\noffer = true\npath = "tiny"\n'
    settings.write_text(settings.read_text("utf-8") + offer, encoding="utf-8")
    config = load_config(tmp_path / "course")
    build_site(config, out=tmp_path / "dist", as_of=date(2026, 12, 1))
    report = verify_site(tmp_path / "dist", config)
    assert report.ok, "\n".join(report.summary())

    score = CrossEncoder.score
    monkeypatch.setattr(CrossEncoder, "score", lambda *given: [one + 2e-4 for one in score(*given)])
    wrong = verify_site(tmp_path / "dist", config)
    assert {difference.stage for difference in wrong.differences} == {"rerank", "gate"}
    assert len({difference.question for difference in wrong.differences}) == verify.CROSS_QUESTIONS


@pytest.mark.browser
def test_the_command_says_so_and_ends_with_zero(built: Path) -> None:
    result = CliRunner().invoke(main, ["verify", str(built), "--course", str(COURSE), "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["ok"] is True
    assert report["questions"] == 6


@pytest.mark.browser
def test_a_client_that_computes_something_else_is_found(site: Path, rewrite: Rewrite, config: Config) -> None:
    # The offset basis of FNV-1a, with which the prompt's mark is made: the only stage that it reaches is the prompt.
    # The page has the function too, for prompts that it shortens for a model.
    names = [
        name
        for name, entry in manifest_of(site)["files"].items()
        if entry["path"].endswith(".js") and re.search(rb"2166136261|0x811c9dc5", (site / entry["path"]).read_bytes())
    ]
    assert names
    for name in names:
        rewrite(name, lambda code: re.sub(rb"2166136261|0x811c9dc5", b"2166136262", code))
    report = verify_site(site, config)
    assert not report.ok
    assert {one.stage for one in report.differences} == {"prompt"}
    assert "text" in {one.what for one in report.differences}
    assert any("Why does a shuffled split leak?" in line for line in report.summary())


@pytest.mark.browser
def test_the_command_ends_with_one_when_something_differs(site: Path, rewrite: Rewrite) -> None:
    vectors = manifest_of(site)["vectors"]
    rewrite(vectors, lambda data: data[:-1] + bytes([data[-1] ^ 0x40]))
    result = CliRunner().invoke(main, ["verify", str(site), "--course", str(COURSE)])
    assert result.exit_code == 1
    assert "differences" in result.output


@pytest.mark.browser
def test_a_page_that_does_not_open_is_an_error(site: Path, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "OPENING_S", 3)
    (site / "index.html").write_text("<!doctype html><title>Another page</title>", encoding="utf-8")
    with pytest.raises(VerificationError, match="the page did not open"):
        verify_site(site, config)


@pytest.mark.browser
def test_a_course_without_a_gold_set_is_asked_its_headings(built: Path, tmp_path: Path, config: Config) -> None:
    report = verify_site(built, Config(root=tmp_path, path=None, settings=config.settings))
    assert report.ok, "\n".join(report.summary())
    assert report.source == "headings"
    assert report.questions >= 6


def test_a_vector_that_is_not_its_texts_is_found(site: Path, rewrite: Rewrite) -> None:
    vectors = manifest_of(site)["vectors"]
    rewrite(vectors, lambda data: data[:-1] + bytes([data[-1] ^ 0x40]))
    index = load_index(site / "index")
    assert damage(site) == [("vectors", index.chunk(index.size - 1).id)]


def test_a_passage_that_was_edited_is_found(site: Path, rewrite: Rewrite) -> None:
    shard = manifest_of(site)["passages"][0]["file"]
    rewrite(shard, lambda data: data.replace(b"Wednesday", b"Thursday"))
    stages = {stage for stage, _ in damage(site)}
    assert {"keyword index", "vectors"} <= stages


def test_signs_that_are_not_a_texts_are_found(built: Path) -> None:
    index = load_index(built / "index")
    held = index.token_vectors
    assert held is not None
    signs = held.signs.copy()
    signs[held.starts[3]] ^= 0xFF
    index.__dict__["token_vectors"] = replace(held, signs=signs)
    found = check_contents(index, Encoder(index.model_files()), context=True, cache=None)
    assert [(one.stage, one.what) for one in found] == [("token vectors", index.chunk(3).id)]


def test_a_model_that_is_not_the_one_that_built_it_is_found(site: Path, rewrite: Rewrite) -> None:
    """A bit of some weights of the layers, behind the table of word pieces; every hash written anew."""
    (name,) = (name for name in manifest_of(site)["files"] if name.endswith(".onnx"))

    def change(weights: bytes) -> bytes:
        changed = bytearray(weights)
        start = len(changed) * 7 // 10
        for place in range(start, start + 100_000, 100):
            changed[place] ^= 0x10
        return bytes(changed)

    rewrite(name, change)
    manifest = manifest_of(site)
    manifest["model"]["sha256"] = manifest["files"][name]["sha256"]
    manifest["gate"]["model"] = manifest["model"]["sha256"]
    (site / "index" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "vectors" in {stage for stage, _ in damage(site)}


def test_an_index_of_another_tokenizer_is_refused(site: Path, config: Config) -> None:
    manifest = manifest_of(site)
    manifest["tokenizer"]["fingerprint"] = "0" * 64
    (site / "index" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(IndexFormatError, match="another tokenizer"):
        verify_site(site, config)


@pytest.mark.parametrize("kind", ["passages", "terms"])
def test_a_shard_that_is_missing_is_refused(site: Path, config: Config, kind: str) -> None:
    manifest = manifest_of(site)
    shards = manifest["passages"] if kind == "passages" else manifest["keyword"]["shards"]
    (site / manifest["files"][shards[0]["file"]]["path"]).unlink()
    with pytest.raises(IndexFormatError, match="cannot be read"):
        verify_site(site, config)


def test_without_playwright_it_names_the_extra(built: Path, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("playwright"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtraError, match=r"openbook\[verify\]"):
        verify_site(built, config)
