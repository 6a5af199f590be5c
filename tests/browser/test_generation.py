"""A language model writes an answer when the reader asks for one: offered, started, streamed, stopped, never markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser_tab import Tab
from openai_server import CITED, MARKUP, OpenAiServer, speaking
from playwright.sync_api import Locator, expect

QUESTION = "At which temperature does yeast work fastest?"
NOWHERE = "Who won the football world cup in 1998?"


@pytest.fixture
def server() -> Iterator[OpenAiServer]:
    with speaking() as server:
        yield server


def panel(tab: Tab) -> Locator:
    return tab.page.locator("ob-generation")


def choose(tab: Tab) -> Locator:
    """Open the choice of models."""
    panel(tab).get_by_role("button", name="Write an answer with a language model").click()
    choice = tab.page.locator("ob-engine-choice")
    expect(choice.get_by_role("heading", name="Which model should write?")).to_be_visible()
    return choice


def type_address(tab: Tab, url: str) -> Locator:
    choice = choose(tab)
    choice.get_by_label("Address").fill(url)
    choice.get_by_role("button", name="List its models").click()
    return choice


def start(tab: Tab, server: OpenAiServer, model: str) -> Tab:
    """Ask, choose a model of the server's and start it: it writes at once."""
    tab.open().ask(QUESTION).settled()
    choice = type_address(tab, server.url)
    choice.get_by_role("radio", name=model).check()
    choice.get_by_role("button", name="Start").click()
    return tab


def written(tab: Tab) -> Locator:
    return tab.page.locator("ob-written")


def stage(tab: Tab, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(stage for stage in tab.trace()["stages"] if stage["name"] == name)
    return found


def test_without_a_model_the_quoted_answer_stands_and_one_is_offered(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    expect(tab.answer).to_contain_text("No language model wrote this")
    expect(panel(tab)).to_contain_text("No language model is loaded, and none is needed")
    expect(panel(tab).get_by_role("button", name="Write an answer with a language model")).to_be_visible()
    expect(tab.page.get_by_role("alert")).to_have_count(0)
    assert not [request for request in tab.requests if "/index/generation-" in request.url], "read when one looks"


def test_what_cannot_run_here_is_listed_with_its_reason_and_looking_asks_no_other_host(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    choice = choose(tab)
    expect(choice.locator(".wllama")).to_contain_text("260.0 MB to download, from huggingface.co")
    # Chromium has the interface of a built-in model, and no model.
    expect(choice.locator(".built-in")).to_contain_text("This browser has")
    expect(choice.locator(".built-in").get_by_role("radio")).to_have_count(0)
    assert tab.foreign() == []


def test_an_answer_streams_with_its_citations_as_links_and_enters_the_trace(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "cited")
    expect(written(tab)).to_contain_text("It says nothing of this")
    expect(panel(tab)).to_contain_text("Written by cited from the passages. It can be wrong.")
    expect(panel(tab)).to_contain_text("23 tokens written")
    links = written(tab).locator("a.cite")
    expect(links).to_have_count(2)
    first = tab.passages.first.get_by_role("link").first.get_attribute("href")
    assert links.first.get_attribute("href") == first
    expect(written(tab).locator(".nowhere")).to_have_attribute("title", "There is no passage 9")
    # Checked in the tab, sentence by sentence; each verdict has a sign and words, not a colour alone.
    signs = written(tab).locator(".text .mark")
    expect(signs).to_have_text(["✓", "✗", "!"])
    expect(signs.last).to_have_attribute("title", re.compile("There is no passage 9"))
    expect(written(tab).locator(".summary")).to_contain_text("1 citing what it was not given")
    verdicts = [sentence["verdict"] for sentence in stage(tab, "check")["sentences"]]
    assert verdicts == ["supported", "unsupported", "unknown-citation"]
    generate, prompt = stage(tab, "generate"), stage(tab, "prompt")
    assert generate["text"] == CITED
    assert (generate["prompt_tokens"], generate["answer_tokens"], generate["finish"]) == (321, 23, "stop")
    assert generate["prompt"] == prompt["text"]
    sent = server.requests[-1]["messages"]
    assert "\n\n".join(message["content"] for message in sent) == prompt["text"]
    expect(tab.block("generate")).to_contain_text("321 → 23 tokens")
    tab.block("generate").click()
    expect(tab.working.locator(".panel")).to_contain_text(CITED)


def test_markup_links_and_images_in_an_answer_are_text_and_fetch_nothing(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "markup")
    expect(panel(tab)).to_contain_text("It can be wrong")
    for part in (
        "<img src=http://127.0.0.1:9/x.png onerror=",
        "<script>document.title='owned'</script>",
        "](https://evil",
    ):
        assert part in MARKUP
        expect(written(tab).locator(".text")).to_contain_text(part)
    assert written(tab).locator("img, script").count() == 0
    assert [link.get_attribute("class") for link in written(tab).locator("a").all()] == ["cite"]
    assert tab.page.title() != "owned"
    tab.page.wait_for_timeout(300)
    assert {urlsplit(url).netloc for url in tab.foreign()} == {urlsplit(server.url).netloc}


def test_stop_ends_the_answer_and_keeps_what_came(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "slow")
    expect(written(tab)).to_contain_text("word word word")
    panel(tab).get_by_role("button", name="Stop").click()
    expect(panel(tab)).to_contain_text("You stopped it here")
    assert stage(tab, "generate")["finish"] == "aborted"
    length = len(written(tab).inner_text())
    tab.page.wait_for_timeout(300)
    assert len(written(tab).inner_text()) == length
    expect(panel(tab).get_by_role("button", name="Write again")).to_be_visible()


def test_a_model_that_finds_nothing_in_the_passages_is_quoted_as_the_model(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "refuses")
    expect(panel(tab)).to_contain_text("The model says that the passages do not answer this")
    expect(tab.passages.first).to_be_visible()


def test_the_model_is_not_asked_when_the_gate_is_closed(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "cited")
    expect(panel(tab)).to_contain_text("It can be wrong")
    before = len(server.requests)
    tab.ask(NOWHERE).settled()
    expect(panel(tab)).to_contain_text("The model is not asked")
    expect(written(tab)).to_have_count(0)
    assert len(server.requests) == before


def test_later_questions_are_written_without_a_press_only_when_the_reader_says_so(
    tab: Tab, server: OpenAiServer
) -> None:
    start(tab, server, "cited")
    expect(panel(tab)).to_contain_text("It can be wrong")
    tab.ask("How long should green tea steep?").settled()
    expect(panel(tab).get_by_role("button", name="Write an answer")).to_be_visible()
    expect(written(tab)).to_have_count(0)
    panel(tab).get_by_label("Write without asking for my next questions").check()
    tab.ask("Why does dough have to rest?").settled()
    expect(written(tab)).to_contain_text("27 °C")
    assert "Why does dough have to rest?" in server.requests[-1]["messages"][-1]["content"]


def test_a_choice_is_remembered_and_nothing_is_loaded_for_it(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "cited")
    expect(panel(tab)).to_contain_text("It can be wrong")
    asked = len(server.keys)
    tab.open().ask(QUESTION).settled()
    again = panel(tab).get_by_role("button", name="Load cited again")
    expect(again).to_be_visible()
    assert len(server.keys) == asked
    again.click()
    expect(written(tab)).to_contain_text("27 °C")


def test_a_key_and_an_address_stay_in_the_browser_until_they_are_forgotten(tab: Tab) -> None:
    with speaking(key="secret") as server:
        tab.open().ask(QUESTION).settled()
        choice = type_address(tab, server.url)
        expect(choice.locator(".address")).to_contain_text("wants a key")
        choice.get_by_label("Key, if it wants one").fill("secret")
        choice.get_by_role("button", name="List its models").click()
        expect(choice.get_by_role("radio", name="cited")).to_be_visible()
        assert server.keys[-1] == "Bearer secret"
        kept = tab.page.evaluate("JSON.stringify(localStorage)")
        assert "secret" in kept
        choice.get_by_role("button", name="Forget address and key").click()
        expect(choice.get_by_label("Address")).to_have_value("")
        assert "secret" not in tab.page.evaluate("JSON.stringify(localStorage)")
    tab.complaints.clear()  # the browser tells of each 401


def test_an_answer_that_breaks_off_says_why_and_the_quoted_one_stays(tab: Tab, server: OpenAiServer) -> None:
    start(tab, server, "cut")
    alert = panel(tab).get_by_role("alert")
    expect(alert).to_contain_text("the stream was cut before its end")
    expect(panel(tab).get_by_role("button", name="Try again")).to_be_visible()
    expect(tab.answer).to_contain_text("Quoted word for word")
    expect(tab.block("generate")).to_contain_text("failed")
    for model, text in {
        "told": "the graphics card is on fire",
        "plain": "the answer is no stream of events",
        "broken": "an event is not JSON",
        "long": "longer than what this model reads",
    }.items():
        alert.get_by_role("button", name="Another model").click()
        choice = tab.page.locator("ob-engine-choice")
        choice.get_by_role("radio", name=model).check()
        choice.get_by_role("button", name="Start").click()
        expect(alert).to_contain_text(text)
    tab.complaints.clear()  # the browser tells of the 400


def test_escape_closes_the_choice_of_models_and_gives_the_focus_back(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    choice = choose(tab)
    expect(choice.locator("section")).to_be_focused()
    for inside in (choice.locator("section"), choice.get_by_label("Address")):
        inside.press("Escape")
        expect(choice).to_have_count(0)
        offer = panel(tab).get_by_role("button", name="Write an answer with a language model")
        expect(offer).to_be_focused()
        offer.press("Enter")
        expect(choice).to_be_visible()
    expect(tab.box).to_have_value(QUESTION)


def test_an_address_that_cannot_be_used_says_what_to_do(tab: Tab, server: OpenAiServer) -> None:
    tab.open().ask(QUESTION).settled()
    choice = choose(tab)
    for address, text in {
        "http://127.0.0.1:9/v1": "Nothing that this page may read answers at",
        server.url.replace("/v1", "/v2"): "does not have what was asked for",
        "https://api.example.org/v1": "This site does not let the page reach",
    }.items():
        choice.get_by_label("Address").fill(address)
        choice.get_by_role("button", name="List its models").click()
        expect(choice.get_by_role("alert")).to_contain_text(text)
    assert not [url for url in tab.foreign() if "example.org" in url]
    tab.complaints.clear()


def test_a_program_that_lets_no_page_read_its_answers_is_named_with_what_to_switch_on(tab: Tab) -> None:
    with speaking(cors=False) as server:
        tab.open().ask(QUESTION).settled()
        choice = type_address(tab, server.url)
        expect(choice.get_by_role("alert")).to_contain_text("OLLAMA_ORIGINS")
    tab.complaints.clear()


def test_a_course_that_offers_no_engine_says_nothing_of_models(copy_of_site: Path, serve: Any, tab_at: Any) -> None:
    from browser_tab import replace

    manifest = json.loads((copy_of_site / "index/manifest.json").read_bytes())
    replace(copy_of_site, "index/manifest.json", json.dumps(manifest | {"generation": None}).encode())
    tab = tab_at(serve(copy_of_site)).open().ask(QUESTION).settled()
    expect(tab.answer).to_contain_text("Quoted word for word")
    expect(panel(tab)).to_have_count(0)
