"""WebLLM in a real browser: a model of 6 MB that quotes the first passage, on a GPU that the processor plays."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.harness import WEIGHTS, Driver, messages, tea_course
from browser_tab import Tab
from playwright.sync_api import Browser, BrowserContext, Playwright, expect

from openbook.pages.serve import serving

MODEL = "openbook-tiny-q0f32"

# Seconds on an idle machine; a busy one compiles the shaders in a minute.
BOOT_MS = 180_000


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


TEA = messages(
    "How long does green tea steep?",
    ("Lecture 1, Tea / Green tea", "Green tea steeps for two minutes. It turns bitter in hot water."),
    ("Lecture 1, Tea / Black tea", "Black tea steeps for four minutes. It takes boiling water."),
)


@pytest.fixture(scope="module")
def webllm_site(tmp_path_factory: pytest.TempPathFactory, harness: Path) -> Path:
    """A course of one lecture with the tiny model of its own, and the harness beside its page."""
    return tea_course(tmp_path_factory.mktemp("webllm"), harness)


@pytest.fixture(scope="module")
def address(webllm_site: Path) -> Iterator[str]:
    with serving(webllm_site, "/course/") as url:
        yield url


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[BrowserContext]:
    """One reader for the module: what one test keeps, the next finds."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture(scope="module")
def loaded(reader: BrowserContext, address: str) -> Driver:
    """The model, loaded once."""
    driver = Driver(reader.new_page(), address).open()
    (choice,) = driver.call("webllm")
    assert choice["id"] == MODEL
    assert choice["origin"] == "site"
    driver.page.on("request", lambda request: requests.append(request.url))
    requests: list[str] = []
    driver.loading = driver.call("load")  # type: ignore[attr-defined]
    driver.requested = requests  # type: ignore[attr-defined]
    return driver


def value(outcome: dict[str, Any]) -> Any:
    assert "error" not in outcome, outcome
    return outcome["value"]


def test_the_model_loads_with_progress_from_checked_files_of_the_site(loaded: Driver, webllm_site: Path) -> None:
    told = value(loaded.loading)["told"]
    phases = [one["phase"] for one in told]
    assert list(dict.fromkeys(phases)) == ["downloading", "preparing", "trying"]
    size = sum(file.stat().st_size for file in (webllm_site / "generation" / "webllm" / MODEL).iterdir())
    downloading = [one["loaded"] for one in told if one["phase"] == "downloading"]
    assert downloading == sorted(downloading)
    assert downloading[-1] == size
    assert len(downloading) > 5
    stored = loaded.call("stored")
    assert sum(one["bytes"] for one in stored) == size
    assert all(one["complete"] for one in stored)
    assert loaded.complaints == []


def test_the_answer_quotes_the_passage_and_cites_it(loaded: Driver) -> None:
    answer = value(loaded.call("ask", TEA, {"maxTokens": 40}))
    assert answer["text"] == "Green tea steeps for two minutes. [1]"
    assert answer["pieces"] > 3
    usage = answer["usage"]
    assert usage["finish"] == "stop"
    assert usage["promptTokens"] > 100
    assert usage["answerTokens"] > 3
    assert usage["firstTokenMs"] < usage["totalMs"]
    assert usage["promptRate"] > 0
    assert usage["answerRate"] > 0


def test_text_reaches_the_model_as_it_is(loaded: Driver) -> None:
    """WebLLM fills its template with String.replace, to which $& is the whole template."""
    short, dollars = "Price", "Price $& and $$ and $' here"
    around = value(loaded.call("ask", user(short), {"maxTokens": 1}))["usage"]["promptTokens"]
    around -= value(loaded.call("count", short))
    asked = value(loaded.call("ask", user(dollars), {"maxTokens": 1}))["usage"]["promptTokens"]
    assert asked == value(loaded.call("count", dollars)) + around


def test_a_stopped_answer_keeps_what_it_has_and_the_next_one_is_whole(loaded: Driver) -> None:
    stopped = value(loaded.call("ask", TEA, {"maxTokens": 40}, 3))
    assert 3 <= stopped["pieces"] < 6
    assert stopped["usage"]["finish"] == "aborted"
    assert "Green tea steeps for two minutes.".startswith(stopped["text"].strip()[:8])
    again = value(loaded.call("ask", TEA, {"maxTokens": 40}))
    assert again["text"] == "Green tea steeps for two minutes. [1]"


def test_the_answer_is_as_short_as_was_asked(loaded: Driver) -> None:
    answer = value(loaded.call("ask", TEA, {"maxTokens": 4}))
    assert answer["usage"]["finish"] == "length"
    assert answer["usage"]["answerTokens"] == 4


def test_a_grammar_is_followed(loaded: Driver) -> None:
    answer = value(loaded.call("ask", user("Say it."), {"maxTokens": 40, "grammar": 'root ::= "Not in the notes."'}))
    assert answer["text"] == "Not in the notes."


def test_a_model_that_only_ever_searches_is_held_to_the_form_and_to_four_searches(loaded: Driver) -> None:
    dug = value(loaded.call("dig", "How long?", ["Green tea steeps for two minutes."], 24))
    assert len(dug["queries"]) == 4
    assert all(0 < len(query) <= 120 and "\n" not in query for query in dug["queries"])
    assert dug["ended"] == "", "after the last search it can only answer"
    assert set(re.findall(r"\[[^\]]*\]", dug["text"])) <= {"[1]"}


def test_digging_that_is_stopped_between_two_searches_shows_no_query_as_an_answer(loaded: Driver) -> None:
    dug = value(loaded.call("dig", "How long?", ["Green tea steeps for two minutes."], 24, 1))
    assert (len(dug["queries"]), dug["text"], dug["finish"]) == (1, "", "aborted")


def test_a_prompt_that_leaves_no_room_is_refused_and_a_tight_one_is_cut_short(loaded: Driver) -> None:
    context = json.loads((WEIGHTS / MODEL / "mlc-chat-config.json").read_text())["context_window_size"]
    each = value(loaded.call("count", " tea" * 100)) / 100
    refused = loaded.call("ask", user(" tea" * int(context / each)), {"maxTokens": 100})["error"]
    assert refused["kind"] == "engine-context"
    assert refused["expected"] == str(context)
    assert int(refused["found"]) >= context


def test_the_page_is_free_while_the_model_works(loaded: Driver) -> None:
    loaded.begin("ask", TEA, {"maxTokens": 20})
    longest = loaded.page.evaluate(
        """async () => {
            let longest = 0, last = performance.now(), done = false;
            globalThis.pending.finally(() => { done = true; });
            while (!done) {
                await new Promise((resolve) => setTimeout(resolve, 5));
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
            }
            return longest;
        }"""
    )
    took = value(loaded.result())["usage"]["totalMs"]
    assert longest < took / 2


def test_a_second_visit_needs_no_network_and_a_lost_graphics_device_is_told_and_got_over(
    loaded: Driver, reader: BrowserContext, address: str
) -> None:
    value(loaded.loading)
    loaded.call("unload")
    page = reader.new_page()
    driver = Driver(page, address).open()
    driver.call("webllm")
    asked: list[str] = []
    reader.route(re.compile("/generation/"), lambda route: (asked.append(route.request.url), route.abort()))
    page.on("worker", lambda worker: worker.evaluate(KEEP_DEVICE) if "webllm" in worker.url else None)

    value(driver.call("load"))
    driver.begin("ask", TEA, {"maxTokens": 40})
    (worker,) = (worker for worker in page.workers if "webllm" in worker.url)
    with worker.expect_event("close"):
        worker.evaluate("() => globalThis.kept.destroy()")
    assert driver.result()["error"]["kind"] == "engine-lost"
    assert driver.call("ask", TEA, {"maxTokens": 4})["error"]["kind"] == "engine-lost"

    value(driver.call("load"))
    assert value(driver.call("ask", TEA, {"maxTokens": 6}))["text"].startswith("Green tea")
    assert asked == []
    (worker,) = (worker for worker in page.workers if "webllm" in worker.url)
    with worker.expect_event("close"):
        driver.call("unload")
    reader.unroute_all()
    page.close()


KEEP_DEVICE = """() => {
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...wanted) {
        globalThis.kept = await request.apply(this, wanted);
        return globalThis.kept;
    };
}"""


def test_on_the_page_a_reader_chooses_it_and_its_answer_is_shown_with_its_citation(
    loaded: Driver, reader: BrowserContext, address: str
) -> None:
    value(loaded.loading)
    tab = Tab(reader.new_page(), address)
    tab.page.on("console", lambda message: tab.complaints.append(message.text) if message.type == "error" else None)
    tab.open()
    # As many turns as make the first ones old enough to be summed up.
    for turn in range(7):
        tab.ask(f"In lecture {turn}, is green tea bitter?").settled()
    tab.ask("How long does green tea steep?").settled()
    tab.page.get_by_role("button", name="Write an answer with a language model").click()
    choice = tab.page.locator("ob-engine-choice")
    choice.get_by_role("radio", name=MODEL).check()
    choice.get_by_role("button", name="Start").click()
    written = tab.page.locator("ob-written")
    expect(tab.page.locator("ob-generation")).to_contain_text("It can be wrong", timeout=BOOT_MS)
    expect(written).to_contain_text("Green tea steeps for two minutes.")
    expect(written.locator("a.cite")).to_have_count(1)
    (stage,) = (stage for stage in tab.trace()["stages"] if stage["name"] == "generate")
    assert (stage["engine"], stage["model"], stage["finish"]) == ("webllm", MODEL, "stop")
    assert stage["prompt_rate"] > 0

    # It now sums up the first turns. The next one does not wait for that, and has queries whatever the model says.
    tab.ask("and what about hot water?").settled()
    assert 1 <= len(tab.trace()["rewrite"]["queries"]) <= 3
    history = next(part for part in stage_of(tab, "prompt")["parts"] if part["kind"] == "history")
    assert "Answer: Green tea steeps for two minutes. [1]" in history["text"]
    tab.page.locator("ob-generation").get_by_role("button", name="Dig deeper").click()
    expect(tab.page.locator("ob-generation").get_by_role("button", name="Stop")).to_have_count(0, timeout=BOOT_MS)
    assert stage_of(tab, "generate")["reason"] == "", "the grammar holds it to the form"
    assert tab.complaints == []
    tab.page.close()


def stage_of(tab: Tab, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(stage for stage in tab.trace()["stages"] if stage["name"] == name)
    return found


def test_a_cancelled_download_goes_on_where_it_stopped(browser: Browser, address: str) -> None:
    context = browser.new_context()
    driver = Driver(context.new_page(), address).open()
    driver.call("webllm")
    assert driver.call("load", 0, 1_000_000)["error"] == "abort"
    kept = sum(one["bytes"] for one in driver.call("stored"))
    assert kept >= 1_000_000
    told = driver.call("load", 0, 5_500_000)
    assert told["error"] == "abort"
    assert sum(one["bytes"] for one in driver.call("stored")) >= max(kept, 5_500_000)
    context.close()


def test_weights_that_are_not_the_listed_ones_are_refused(browser: Browser, webllm_site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    shutil.copytree(webllm_site, folder, copy_function=os.link)
    file = folder / "generation" / "webllm" / MODEL / "params_shard_0.bin"
    data = bytearray(file.read_bytes())
    data[1000] ^= 1
    file.unlink()
    file.write_bytes(data)
    context = browser.new_context()
    with serving(folder, "/") as url:
        driver = Driver(context.new_page(), url).open()
        driver.call("webllm")
        error = driver.call("load")["error"]
    assert error["kind"] == "wrong-hash"
    assert error["file"].endswith("params_shard_0.bin")
    assert not any(one["bytes"] == len(data) for one in driver.call("stored"))
    context.close()


def test_without_a_graphics_adapter_it_is_said_why(
    playwright: Playwright, browser_type_launch_args: dict[str, Any], address: str
) -> None:
    flags = [flag for flag in browser_type_launch_args["args"] if "webgpu" not in flag]
    browser = playwright.chromium.launch(**{**browser_type_launch_args, "args": flags})
    driver = Driver(browser.new_page(), address).open()
    assert driver.call("webllm") == []
    assert driver.call("availability") == {"state": "unavailable", "reason": "no-adapter"}
    browser.close()
