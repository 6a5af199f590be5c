"""Keyword search works before anything else does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser_tab import Tab, transferred
from playwright.sync_api import BrowserContext, Route, expect

SECONDS = 60


def test_keyword_results_appear_before_the_encoder_has_loaded(tab: Tab, context: BrowserContext) -> None:
    held: list[Route] = []
    context.route("**/*.onnx", lambda route: held.append(route))
    tab.open()
    tab.box.fill("gliadin")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")
    expect(tab.readiness).to_contain_text("Loading search by meaning")
    for _ in range(SECONDS * 10):
        if held:
            break
        tab.page.wait_for_timeout(100)
    assert held, "the encoder had begun to load"
    for route in held:
        route.continue_()


def test_nothing_heavy_is_loaded_before_the_question_box_is_used(tab: Tab) -> None:
    tab.open()
    tab.page.wait_for_timeout(1500)
    assert not [request.url for request in tab.requests if request.url.endswith((".onnx", ".wasm", ".bin"))]
    tab.box.focus()
    expect(tab.readiness).to_contain_text("Search by meaning is ready", timeout=90_000)


def test_the_last_word_may_be_half_written(tab: Tab) -> None:
    tab.open()
    tab.box.press_sequentially("astrin", delay=20)
    expect(tab.passages.first).to_contain_text("How long tea should steep")
    expect(tab.passages.first.locator("mark")).to_have_text("astringent")


def test_an_identifier_is_found_whole_and_in_parts(tab: Tab) -> None:
    tab.open()
    tab.box.fill("proof_dough")
    expect(tab.passages.first).to_contain_text("The function proof_dough")


def test_words_that_stand_nowhere_find_nothing_and_the_page_says_so(tab: Tab) -> None:
    tab.open()
    tab.box.fill("zyzzyva")
    expect(tab.page.get_by_text("No passage holds any of these words.")).to_be_visible()


def test_a_question_is_answered_by_keyword_alone_while_the_encoder_loads(tab: Tab, context: BrowserContext) -> None:
    held: list[Route] = []
    context.route("**/*.onnx", lambda route: held.append(route))
    tab.open().ask("Why does dough have to rest?")
    expect(tab.passages.first).to_contain_text("Why dough has to rest")
    expect(tab.answer).to_contain_text("The answer comes when search by meaning has loaded")
    for route in held:
        route.continue_()
    tab.settled()
    expect(tab.answer).to_contain_text("Quoted word for word")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["gradient", "why does a shuffled split leak"])
def test_the_first_keyword_results_of_the_shipped_course_come_within_150_kB(
    shipped_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab], context: BrowserContext, text: str
) -> None:
    context.route("**/*.{onnx,wasm,bin}", lambda route: route.abort())
    context.route("**/transformers-*.js", lambda route: route.abort())
    context.route("**/tokenizer*.json", lambda route: route.abort())
    tab = tab_at(serve(shipped_site)).open()
    tab.box.fill(text)
    expect(tab.passages.first.locator("mark").first).to_be_visible()
    sizes = transferred(tab.requests)
    assert sum(sizes.values()) <= 150_000, "\n".join(f"{size:>8} {url}" for url, size in sizes.items())
