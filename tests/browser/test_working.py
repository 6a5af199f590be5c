"""The working: blocks, their numbers, and the trace as a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser_tab import Tab
from playwright.sync_api import BrowserContext, expect

QUESTION = "At which temperature does yeast work fastest?"
STAGES = ["keyword", "embed", "dense", "fuse", "rerank", "gate", "prompt", "answer"]


def test_every_block_shows_its_state_and_its_time(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    for stage in STAGES:
        expect(tab.block(stage)).to_contain_text("done")
        expect(tab.block(stage).locator(".time")).to_contain_text("ms")


@pytest.mark.parametrize(
    ("stage", "text"),
    [
        ("keyword", "Words of the question"),
        ("embed", "sentence-transformers/all-MiniLM-L6-v2"),
        ("dense", "Closest in meaning"),
        ("fuse", "Best of both lists"),
        ("rerank", "After reranking"),
        ("gate", "Margin"),
        ("prompt", "tokens"),
        ("answer", "passage 1"),
        ("lectures", "Coffee"),
        ("chunks", "Word pieces"),
        ("vectors", "Embedded"),
        ("index", "SHA-256"),
        ("pages", "Links verified"),
    ],
)
def test_a_block_opens_on_its_numbers(tab: Tab, stage: str, text: str) -> None:
    tab.open().ask(QUESTION).settled()
    tab.block(stage).click()
    expect(tab.block(stage)).to_have_attribute("aria-expanded", "true")
    expect(tab.working.locator(".panel")).to_contain_text(text)
    tab.block(stage).click()
    expect(tab.working.locator(".panel")).to_have_count(0)


def test_the_prompt_is_shown_word_for_word_and_can_be_copied(tab: Tab, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.open().ask(QUESTION).settled()
    prompt = next(stage for stage in tab.trace()["stages"] if stage["name"] == "prompt")
    tab.block("prompt").click()
    assert tab.working.locator("pre").evaluate("pre => pre.textContent") == prompt["text"]
    tab.working.get_by_role("button", name="Copy", exact=True).click()
    expect(tab.working.get_by_role("button", name="Copied")).to_be_visible()
    assert tab.page.evaluate("navigator.clipboard.readText()") == prompt["text"]


def test_the_exported_trace_is_the_one_that_was_drawn(tab: Tab, tmp_path: Path) -> None:
    tab.open().ask(QUESTION).settled()
    with tab.page.expect_download() as download:
        tab.working.get_by_role("button", name="Export the trace").click()
    assert download.value.suggested_filename == "openbook-at-which-temperature-does-yeast-work-fastest.json"
    download.value.save_as(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert trace == tab.trace()
    assert trace["question"] == QUESTION
    assert [stage["name"] for stage in trace["stages"]] == STAGES
    hits = trace["stages"][0]["hits"]
    shown = tab.block("keyword").inner_text()
    assert f"→ {len(hits)}" in shown
