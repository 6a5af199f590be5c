"""A file that is not what it should be is not used; the page says so, and the search goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_tab import ENCODER_MS, Tab, replace
from playwright.sync_api import BrowserContext, Route, expect

Serve = Callable[..., str]
TabAt = Callable[[str], Tab]


def listed(folder: Path, name: str) -> str:
    manifest = json.loads((folder / "index/manifest.json").read_bytes())
    path: str = manifest["files"][name]["path"]
    return path


def spoil(folder: Path, name: str) -> str:
    """Change one byte of a listed file; its length stays."""
    path = listed(folder, name)
    content = bytearray((folder / path).read_bytes())
    content[len(content) // 2] ^= 1
    replace(folder, path, bytes(content))
    return path


def keyword_search_works(tab: Tab) -> None:
    tab.box.fill("gliadin")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")


@pytest.mark.parametrize("name", ["model/onnx/model.onnx", "model/tokenizer.json"])
def test_a_model_with_a_wrong_hash_is_refused_and_keyword_search_goes_on(
    copy_of_site: Path, serve: Serve, tab_at: TabAt, name: str
) -> None:
    path = spoil(copy_of_site, name)
    tab = tab_at(serve(copy_of_site)).open().ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Found by keyword only")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.readiness).to_contain_text(f"{path} is not the file that was built for this course")
    expect(tab.block("gate")).to_contain_text("skipped")
    kept = tab.page.evaluate(
        "(async () => { for (const name of await caches.keys()) for (const request of"
        " await (await caches.open(name)).keys()) if (request.url.endsWith(arguments[0])) return true;"
        " return false; })".replace("arguments[0]", json.dumps(path))
    )
    assert kept is False
    keyword_search_works(tab)


def test_vectors_with_a_wrong_hash_are_refused_and_keyword_search_goes_on(
    copy_of_site: Path, serve: Serve, tab_at: TabAt
) -> None:
    path = spoil(copy_of_site, "vectors")
    tab = tab_at(serve(copy_of_site)).open().ask("Why does dough have to rest?").settled()
    expect(tab.problems).to_contain_text(f"{path} is not the file that was built for this course")
    expect(tab.answer).to_contain_text("Found by keyword only")
    keyword_search_works(tab)


def test_passages_with_a_wrong_hash_are_refused_and_titles_and_links_remain(
    copy_of_site: Path, serve: Serve, tab_at: TabAt
) -> None:
    path = spoil(copy_of_site, "passages-0")
    tab = tab_at(serve(copy_of_site)).open()
    keyword_search_works(tab)
    expect(tab.problems).to_contain_text(f"{path} is not the file that was built for this course")
    tab.ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("The question could not be answered")
    link = tab.passages.first.get_by_role("link", name="Why dough has to rest")
    expect(link).to_have_attribute("href", "lectures/l01-bread/notes.html#why-dough-has-to-rest")


def test_a_word_shard_with_a_wrong_hash_is_refused_and_search_by_meaning_goes_on(
    copy_of_site: Path, serve: Serve, tab_at: TabAt
) -> None:
    path = spoil(copy_of_site, "terms-0")
    tab = tab_at(serve(copy_of_site)).open().ask("Why does dough have to rest?").settled()
    expect(tab.problems).to_contain_text(f"{path} is not the file that was built for this course")
    # Which words are rare is not known then, so no sentence is chosen; the passages are there to read.
    expect(tab.answer).to_contain_text("Read the passages")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")


def test_a_host_that_sends_its_start_page_for_a_missing_model_poisons_nothing(
    copy_of_site: Path, serve: Serve, tab_at: TabAt, context: BrowserContext
) -> None:
    def start_page(route: Route) -> None:
        route.fulfill(status=200, content_type="text/html", body="<!doctype html><title>Start</title>")

    context.route("**/*.onnx", start_page)
    tab = tab_at(serve(copy_of_site)).open().ask("Why does dough have to rest?").settled()
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.readiness).to_contain_text("The host sent a web page in place of")
    context.unroute("**/*.onnx", start_page)
    tab.readiness.get_by_role("button", name="Try again").click()
    expect(tab.readiness).to_contain_text("Search by meaning is ready", timeout=ENCODER_MS)
    expect(tab.answer).to_contain_text("Quoted word for word")


def test_a_download_that_is_cut_is_not_used(
    copy_of_site: Path, serve: Serve, tab_at: TabAt, context: BrowserContext
) -> None:
    context.route("**/*.wasm", lambda route: route.fulfill(status=200, content_type="application/wasm", body=b"\0asm"))
    tab = tab_at(serve(copy_of_site)).open()
    tab.box.focus()
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.readiness).to_contain_text("arrived incomplete: 4 of")


def test_a_wrong_encoder_is_found_out_by_its_probes(copy_of_site: Path, serve: Serve, tab_at: TabAt) -> None:
    manifest = json.loads((copy_of_site / "index/manifest.json").read_bytes())
    first, second = manifest["probes"][:2]
    first["vector"], second["vector"] = second["vector"], first["vector"]
    replace(copy_of_site, "index/manifest.json", json.dumps(manifest).encode())
    tab = tab_at(serve(copy_of_site)).open().ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Found by keyword only")
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.readiness).to_contain_text("computes other vectors here than when the site was built")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"schema": 99}, "The index and the page are of different versions"),
        ({"tokenizer": {"name": "other", "fingerprint": "0"}}, "cut into words in another way"),
        ({"vectors": "nowhere"}, "nowhere is not part of this site's index"),
    ],
)
def test_an_index_that_the_page_cannot_read_is_refused_with_a_reason(
    copy_of_site: Path, serve: Serve, tab_at: TabAt, change: dict[str, object], text: str
) -> None:
    manifest = json.loads((copy_of_site / "index/manifest.json").read_bytes())
    replace(copy_of_site, "index/manifest.json", json.dumps(manifest | change).encode())
    tab = tab_at(serve(copy_of_site))
    tab.page.goto(tab.url)
    expect(tab.problems).to_contain_text(text)
    expect(tab.problems.get_by_role("button", name="Reload the page")).to_be_visible()


def test_a_site_without_its_index_says_which_file_is_missing(copy_of_site: Path, serve: Serve, tab_at: TabAt) -> None:
    (copy_of_site / "index/manifest.json").unlink()
    tab = tab_at(serve(copy_of_site))
    tab.page.goto(tab.url)
    expect(tab.problems).to_contain_text("index/manifest.json is missing: the host answered 404")


def test_a_browser_that_saves_data_waits_to_be_asked(site: Path, serve: Serve, tab_at: TabAt) -> None:
    tab = tab_at(serve(site))
    tab.page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    tab.open().ask("Why does dough have to rest?").settled()
    assert not [request.url for request in tab.requests if request.url.endswith(".onnx")]
    expect(tab.answer).to_contain_text("Found by keyword only")
    tab.readiness.get_by_role("button", name="Load it").click()
    expect(tab.answer).to_contain_text("Quoted word for word", timeout=ENCODER_MS)
