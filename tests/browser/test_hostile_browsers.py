"""Browsers that lack something, take it away, or are full: each time the page says so, and what can go on goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser_tab import ENCODER_MS, Tab, replace
from playwright.sync_api import BrowserContext, Playwright, Route, expect

Serve = Callable[..., str]
TabAt = Callable[[str], Tab]

WORKER = re.compile(r"/assets/worker-[^/]*\.js$")


def in_the_worker(context: BrowserContext, code: str) -> None:
    """Run this in the page's worker before anything else."""

    def with_code(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{code};\n{answer.text()}")

    context.route(WORKER, with_code)


def test_a_worker_that_the_browser_ended_is_started_again_by_the_next_question(
    site: Path, serve: Serve, tab_at: TabAt
) -> None:
    tab = tab_at(serve(site)).open()
    (worker,) = tab.page.workers
    worker.evaluate("self.close()")
    tab.ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Quoted word for word")
    tab.box.fill("gliadin")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")


def test_without_workers_keyword_search_runs_in_the_page_and_says_what_is_missing(
    site: Path, serve: Serve, tab_at: TabAt
) -> None:
    tab = tab_at(serve(site))
    tab.page.add_init_script("window.Worker = class { constructor() { throw new Error('no workers here'); } }")
    tab.open()
    tab.box.fill("gliadin")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")
    tab.box.press("Enter")
    tab.settled()
    expect(tab.answer).to_contain_text("Found by keyword only")
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.readiness).to_contain_text("Only keyword search runs here")
    assert tab.complaints == []


def test_without_webassembly_keyword_search_goes_on(
    site: Path, serve: Serve, tab_at: TabAt, context: BrowserContext
) -> None:
    in_the_worker(context, "delete globalThis.WebAssembly")
    tab = tab_at(serve(site)).open().ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Found by keyword only")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.readiness).to_contain_text("It needs WebAssembly")


def test_at_an_address_without_https_everything_works_and_nothing_is_kept(
    site: Path, serve: Serve, playwright: Playwright, browser_type_launch_args: dict[str, Any]
) -> None:
    """No Cache API, no service worker, no locks, no hashes by the browser: it has them on secure pages alone."""
    args = [*browser_type_launch_args["args"], "--host-resolver-rules=MAP course.test 127.0.0.1"]
    browser = playwright.chromium.launch(**{**browser_type_launch_args, "args": args})
    try:
        port = urlsplit(serve(site)).port
        tab = Tab(browser.new_page(), f"http://course.test:{port}/")
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.open()
        assert tab.page.evaluate("[isSecureContext, 'caches' in window]") == [False, False]
        tab.ask("Why does dough have to rest?").settled()
        expect(tab.answer).to_contain_text("Quoted word for word")
        tab.page.get_by_text("Kept on this device").click()
        expect(tab.page.locator("ob-storage")).to_contain_text("This browser keeps nothing for this site")
        assert tab.complaints == []
    finally:
        browser.close()


def test_a_browser_without_room_answers_all_the_same_and_keeps_nothing_half(
    site: Path, serve: Serve, tab_at: TabAt
) -> None:
    tab = tab_at(serve(site))
    devtools = tab.page.context.new_cdp_session(tab.page)
    origin = tab.url.rstrip("/")
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 100_000})
    tab.open().ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Quoted word for word")
    tab.page.get_by_text("Kept on this device").click()
    panel = tab.page.locator("ob-storage")
    panel.get_by_role("button", name="Keep the whole course").click()
    expect(panel.get_by_role("alert")).to_contain_text("The browser has no room")


def test_without_a_database_questions_are_answered_and_only_the_conversation_is_not_kept(
    site: Path, serve: Serve, tab_at: TabAt
) -> None:
    tab = tab_at(serve(site))
    tab.page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    tab.open().ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Quoted word for word")


def test_two_tabs_download_the_encoder_once(site: Path, serve: Serve, tab_at: TabAt, context: BrowserContext) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    url = serve(site)
    first, second = tab_at(url).open(), tab_at(url).open()
    first.box.focus()
    second.box.focus()
    for tab in (first, second):
        expect(tab.readiness).to_contain_text("Search by meaning is ready", timeout=ENCODER_MS)
    assert len([address for address in asked if address.endswith(".onnx")]) == 1


def test_a_page_and_an_index_of_different_versions_are_never_used_together(
    copy_of_site: Path, serve: Serve, tab_at: TabAt
) -> None:
    manifest = json.loads((copy_of_site / "index/manifest.json").read_bytes())
    manifest["files"] = {
        name: file for name, file in manifest["files"].items() if not WORKER.search("/" + file["path"])
    }
    replace(copy_of_site, "index/manifest.json", json.dumps(manifest).encode())
    tab = tab_at(serve(copy_of_site))
    tab.page.goto(tab.url)
    expect(tab.problems).to_contain_text("This page is older than the course's index")
    expect(tab.problems.get_by_role("button", name="Reload the page")).to_be_visible()


@pytest.mark.parametrize("name", ["passages-0", "vectors"])
def test_a_file_that_is_missing_from_the_host_is_named_and_keyword_search_goes_on(
    copy_of_site: Path, serve: Serve, tab_at: TabAt, name: str
) -> None:
    path = json.loads((copy_of_site / "index/manifest.json").read_bytes())["files"][name]["path"]
    (copy_of_site / path).unlink()
    tab = tab_at(serve(copy_of_site)).open()
    tab.box.fill("gliadin")
    expect(tab.passages.first.get_by_role("link", name="Why dough has to rest")).to_be_visible()
    tab.ask("Why does dough have to rest?").settled()
    expect(tab.problems).to_contain_text(f"{path} is missing: the host answered 404")
