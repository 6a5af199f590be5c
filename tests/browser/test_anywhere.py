"""The site works under any path, at any width, and for readers of every kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_tab import Tab
from playwright.sync_api import BrowserContext, expect

ANSWERED = "At which temperature does yeast work fastest?"
REFUSED = "Who won the football world cup in 1998?"


def test_it_works_under_a_sub_path(site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]) -> None:
    tab = tab_at(serve(site, "/some%20where/course/")).open().ask(ANSWERED).settled()
    expect(tab.answer).to_contain_text("27 °C")
    tab.passages.first.get_by_role("link").click()
    expect(tab.page.get_by_role("heading", name="Yeast and temperature")).to_be_visible()
    assert tab.complaints == []


def into(tab: Tab, state: str) -> None:
    """Bring the page into a state."""
    if state == "typing":
        tab.open().box.fill("gliadin")
        expect(tab.passages.first).to_be_visible()
    elif state == "empty":
        tab.open()
    elif state == "closed":
        tab.open(ANSWERED, working=None).settled()
        expect(tab.working.get_by_role("button", name="Show the working")).to_be_visible()
        return
    else:
        tab.open(REFUSED if state == "refused" else ANSWERED).settled()
    expect(tab.working.get_by_role("heading", name="The working")).to_be_visible()
    if state.startswith("block "):
        tab.block(state.removeprefix("block ")).click()
        expect(tab.working.locator(".panel")).to_be_visible()


STATES = [
    "empty",
    "typing",
    "answered",
    "refused",
    "block keyword",
    "block embed",
    "block dense",
    "block fuse",
    "block gate",
    "block prompt",
    "block index",
    "closed",
]


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_wider_than_a_small_phone(tab: Tab, state: str) -> None:
    tab.page.set_viewport_size({"width": 360, "height": 740})
    into(tab, state)
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious(tab: Tab, state: str, scheme: str) -> None:
    tab.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    into(tab, state)
    results = Axe().run(tab.page)
    serious = [
        (violation["id"], violation["impact"], [node["html"][:200] for node in violation["nodes"]])
        for violation in results.response["violations"]
        if violation["impact"] in {"serious", "critical", "moderate"}
    ]
    assert serious == []


def test_axe_finds_nothing_serious_when_files_are_broken(tab: Tab, context: BrowserContext) -> None:
    context.route("**/vectors-*.bin", lambda route: route.fulfill(status=200, body="x"))
    context.route("**/*.onnx", lambda route: route.fulfill(status=200, content_type="text/html", body="x"))
    tab.open(ANSWERED).settled()
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.problems).to_be_visible()
    results = Axe().run(tab.page)
    assert [violation["id"] for violation in results.response["violations"] if violation["impact"] != "minor"] == []


def test_nothing_moves_for_those_who_asked_for_that(tab: Tab) -> None:
    tab.page.emulate_media(reduced_motion="reduce")
    tab.open().ask(ANSWERED)
    running = tab.page.evaluate(
        "document.getAnimations().filter(a => a.effect?.getTiming().iterations === Infinity).length"
    )
    assert running == 0
    tab.settled()


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_zoomed_and_wide_screens_do_not_scroll_sideways(tab: Tab, width: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": 900})
    into(tab, "block keyword")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
