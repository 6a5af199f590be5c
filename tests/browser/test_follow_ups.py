"""A conversation: a follow-up is written out and shown, earlier turns stay and come back, nothing leaves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

from browser_tab import Tab
from openai_server import QUERIES, OpenAiServer, speaking
from playwright.sync_api import Locator, expect

from openbook.build import build_site
from openbook.config import load_config

YEAST = "At which temperature does yeast work fastest?"
WHY = "and what about cold dough?"
GREEN = "How long should green tea steep?"
NOWHERE = "Who won the football world cup in 1998?"


def searched(tab: Tab) -> Locator:
    return tab.page.locator("ob-searched-for")


def earlier(tab: Tab) -> Locator:
    return tab.page.locator("ob-earlier")


def after_yeast(tab: Tab, follow_up: str = WHY) -> Tab:
    """Ask about yeast, and then a question that leans on it."""
    tab.open().ask(YEAST).settled()
    expect(earlier(tab).get_by_role("button", name="New conversation")).to_be_attached()
    return tab.ask(follow_up).settled()


def test_a_follow_up_shows_what_it_is_searched_for_and_finds_it(tab: Tab) -> None:
    after_yeast(tab)
    expect(searched(tab).get_by_role("listitem")).to_have_text(
        ["temperature yeast fastest cold dough?", "Yeast and temperature: cold dough?"]
    )
    rewrite = tab.trace()["rewrite"]
    assert len(rewrite["queries"]) == 2
    assert len(rewrite["others"]) == 1
    assert tab.trace()["question"] == WHY
    expect(tab.box).to_have_value(WHY)
    expect(tab.passages.first).to_contain_text("Yeast and temperature")


def test_a_follow_up_to_a_german_course_is_written_out_in_german(
    tmp_path: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    (tmp_path / "lectures").mkdir()
    (tmp_path / "lectures" / "l01.md").write_text(
        "# Brot\n\n## Hefe\n\nHefe arbeitet bei 27 °C am besten.\n\n## Kalter Teig\n\nKalter Teig geht langsam auf.\n",
        encoding="utf-8",
    )
    (tmp_path / "openbook.toml").write_text('[course]\nlanguage = "de"\n[sources]\nroot = "lectures"\n')
    build_site(load_config(tmp_path), out=tmp_path / "dist", as_of=date(2026, 12, 1))
    tab = tab_at(serve(tmp_path / "dist"))
    tab.page.goto(tab.url)
    box = tab.page.locator("ob-ask-box textarea")
    for question in ("Bei welcher Temperatur arbeitet Hefe?", "Und bei kaltem Teig?"):
        expect(box).to_be_visible()
        box.fill(question)
        box.press("Enter")
        tab.settled()
        expect(earlier(tab).get_by_role("button").first).to_be_attached()
    expect(searched(tab).get_by_role("listitem").first).to_have_text("Temperatur arbeitet Hefe bei kaltem Teig?")


def test_a_question_that_stands_alone_is_searched_for_as_it_was_typed(tab: Tab) -> None:
    after_yeast(tab, GREEN)
    expect(searched(tab)).to_have_count(0)
    assert tab.trace()["rewrite"] is None


def test_the_queries_can_be_edited_and_sent(tab: Tab) -> None:
    after_yeast(tab)
    searched(tab).get_by_role("button", name="Edit").click()
    box = searched(tab).get_by_role("textbox")
    expect(box).to_be_focused()
    box.fill("steam in the oven")
    box.press("Enter")
    tab.settled()
    expect(searched(tab).get_by_role("listitem")).to_have_text(["steam in the oven"])
    expect(tab.passages.first).to_contain_text("Steam in the oven")
    expect(tab.box).to_have_value(WHY)


def test_a_follow_up_can_be_asked_as_it_was_typed(tab: Tab) -> None:
    after_yeast(tab)
    searched(tab).get_by_role("button", name="Ask it as typed").click()
    tab.settled()
    expect(searched(tab)).to_have_count(0)
    assert tab.trace()["rewrite"] is None


def test_a_link_to_a_follow_up_stands_alone(tab: Tab, tab_at) -> None:  # type: ignore[no-untyped-def]
    after_yeast(tab)
    address = tab.page.url
    tab.page.evaluate("indexedDB.deleteDatabase('openbook conversation')")
    tab.page.goto("about:blank")
    tab.page.goto(address)
    tab.settled()
    expect(searched(tab).get_by_role("listitem").first).to_have_text("temperature yeast fastest cold dough?")
    expect(tab.box).to_have_value(WHY)


def test_earlier_turns_stay_in_sight_folded_and_open_on_a_press(tab: Tab) -> None:
    after_yeast(tab)
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_text([YEAST])
    expect(earlier(tab)).to_contain_text("at 27 °C it works fastest")
    expect(earlier(tab).get_by_role("link").first).to_have_attribute("href", re.compile("l01-bread"))
    tab.page.get_by_role("button", name="Earlier in this conversation (1)").click()
    expect(earlier(tab)).to_be_in_viewport()
    turn = earlier(tab).get_by_role("button", name=YEAST)
    expect(turn).to_have_attribute("aria-expanded", "false")
    turn.click()
    expect(turn).to_have_attribute("aria-expanded", "true")
    earlier(tab).get_by_role("button", name="Show this answer again").click()
    tab.settled()
    expect(tab.box).to_have_value(YEAST)
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_text([WHY])


def test_a_reload_restores_the_conversation_and_the_question_in_the_address(tab: Tab) -> None:
    after_yeast(tab)
    tab.page.reload()
    tab.settled()
    expect(searched(tab).get_by_role("listitem")).to_have_count(2)
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_text([YEAST])
    tab.ask("why?").settled()
    expect(searched(tab).get_by_role("listitem").first).to_contain_text("cold dough")


def test_a_new_conversation_forgets_what_was_said_and_can_be_undone_once(tab: Tab) -> None:
    after_yeast(tab)
    earlier(tab).get_by_role("button", name="New conversation").click()
    expect(tab.box).to_have_value("")
    expect(tab.box).to_be_focused()
    notice = tab.page.locator(".under .cleared")
    expect(notice).to_contain_text("The conversation was cleared")
    notice.get_by_role("button", name="Bring it back").click()
    expect(tab.page.get_by_role("button", name="Earlier in this conversation (2)")).to_be_focused()
    expect(notice).to_have_count(0)
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_text([WHY, YEAST])
    earlier(tab).get_by_role("button", name="New conversation").click()
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_count(0)
    tab.ask(WHY).settled()
    expect(searched(tab)).to_have_count(0)
    tab.page.goto("about:blank")
    tab.open()
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_text([WHY])


def test_the_export_holds_the_citations_as_links(tab: Tab) -> None:
    after_yeast(tab, NOWHERE)
    saved = {}
    for kind in ("Markdown", "JSON"):
        with tab.page.expect_download() as download:
            earlier(tab).get_by_role("button", name=f"Save as {kind}").click()
        saved[kind] = Path(download.value.path()).read_text("utf-8")
    text = saved["Markdown"]
    assert f"## {YEAST}" in text
    assert re.search(r"> .*at 27 °C it works fastest.* \[\\\[1\\\]\]\(<http://[^>]*/lectures/l01-bread/notes", text)
    assert f"## {NOWHERE}\n\nNot in the notes." in text
    assert [one["question"] for one in json.loads(saved["JSON"])["exchanges"]] == [YEAST, NOWHERE]
    assert tab.foreign() == []


def test_records_that_somebody_tampered_with_are_left_out_and_told(tab: Tab) -> None:
    after_yeast(tab)
    tab.page.evaluate(
        """() => new Promise((resolve) => {
          const request = indexedDB.open("openbook conversation", 1);
          request.onsuccess = () => {
            const store = request.result.transaction("by site", "readwrite").objectStore("by site");
            const read = store.get(location.pathname);
            read.onsuccess = () => {
              const record = read.result;
              record.exchanges[0].cited[0].url = "javascript:document.title='owned'";
              record.exchanges[1].question = "<img src=x onerror=\\"document.title='owned'\\">";
              store.put(record, location.pathname).onsuccess = resolve;
            };
          };
        })"""
    )
    tab.page.goto("about:blank")
    tab.open()
    expect(earlier(tab)).to_contain_text("One record of your last visit could not be read")
    expect(earlier(tab).get_by_role("heading", level=3)).to_have_text(
        ["<img src=x onerror=\"document.title='owned'\">"]
    )
    assert earlier(tab).locator("img").count() == 0
    assert "owned" not in tab.page.title()


def with_a_model(tab: Tab, server: OpenAiServer, model: str) -> Tab:
    """Ask about yeast, and let a model of the server's answer."""
    tab.open().ask(YEAST).settled()
    panel = tab.page.locator("ob-generation")
    panel.get_by_role("button", name="Write an answer with a language model").click()
    choice = tab.page.locator("ob-engine-choice")
    choice.get_by_label("Address").fill(server.url)
    choice.get_by_role("button", name="List its models").click()
    choice.get_by_role("radio", name=model).check()
    choice.get_by_role("button", name="Start").click()
    expect(panel).to_contain_text("It can be wrong")
    return tab


def test_a_loaded_model_writes_the_queries_of_a_follow_up(tab: Tab) -> None:
    with speaking() as server:
        with_a_model(tab, server, "scholar").ask(WHY).settled()
        expect(searched(tab).get_by_role("listitem")).to_have_text(QUERIES.split("\n"))
        asked = next(one for one in server.requests if one["messages"][-1]["content"].endswith("Queries:"))
        assert YEAST in asked["messages"][-1]["content"]
        before = len(server.requests)
        tab.ask(GREEN).settled()
        expect(searched(tab)).to_have_count(0)
        rewrites = [one for one in server.requests[before:] if one["messages"][-1]["content"].endswith("Queries:")]
        assert rewrites == [], "a question that stands alone is not the model's to write out"


def test_a_model_that_answers_instead_of_writing_queries_is_not_believed(tab: Tab) -> None:
    with speaking() as server:
        with_a_model(tab, server, "cited").ask(WHY).settled()
        expect(searched(tab).get_by_role("listitem").first).to_have_text("temperature yeast fastest cold dough?")


def test_what_a_model_wrote_keeps_its_marks_in_earlier_turns_after_a_reload_and_in_the_file(tab: Tab) -> None:
    with speaking() as server:
        with_a_model(tab, server, "cited")
        marks = tab.page.locator("ob-written .text .mark")
        expect(marks).to_have_text(["✓", re.compile("[≈✗]"), "!"])
        given = marks.all_inner_texts()
        tab.ask(GREEN).settled()
    tab.page.reload()
    earlier(tab).get_by_role("button", name=YEAST).click()
    expect(earlier(tab).locator(".written .mark")).to_have_text(given)
    with tab.page.expect_download() as saving:
        earlier(tab).get_by_role("button", name="Save as Markdown").click()
    text = Path(saving.value.path()).read_text("utf-8")
    assert "It says nothing of this \\[9\\]. *(citing what it was not given)*" in text


def test_the_prompt_of_a_follow_up_tells_what_was_said_before_and_what_is_to_be_remembered(tab: Tab) -> None:
    after_yeast(tab)
    earlier(tab).get_by_role("button", name=YEAST).click()
    earlier(tab).get_by_role("button", name="Remember").first.click()
    expect(earlier(tab)).to_contain_text("Remembered")
    prompt = next(stage for stage in tab.trace()["stages"] if stage["name"] == "prompt")
    kinds = [part["kind"] for part in prompt["parts"]]
    assert kinds[:3] == ["instruction", "history", "question"]
    assert f"Reader: {YEAST}\nAnswer: " in prompt["text"]
    assert f"Question: {WHY} (in full: " in prompt["text"]
    tab.ask(GREEN).settled()
    alone = next(stage for stage in tab.trace()["stages"] if stage["name"] == "prompt")
    assert "To remember:\n- At 4 °C it sleeps, at 27 °C it works fastest" in alone["text"]
    assert "Reader:" not in alone["text"]


def dig(tab: Tab, server: OpenAiServer, model: str) -> Tab:
    """Let a model search again before it answers."""
    with_a_model(tab, server, model)
    tab.page.locator("ob-generation").get_by_role("button", name="Dig deeper").click()
    expect(tab.page.locator("ob-generation").get_by_role("button", name="Stop")).to_have_count(0)
    return tab


def hops(tab: Tab) -> Locator:
    return tab.page.locator("ob-hops .hop")


def test_a_model_that_digs_deeper_cites_what_it_found_and_each_search_is_drawn(tab: Tab) -> None:
    with speaking() as server:
        dig(tab, server, "scholar")
        expect(hops(tab)).to_have_count(1)
        expect(hops(tab)).to_contain_text("why is the first pour of coffee small")
        expect(hops(tab).get_by_role("listitem").first).to_contain_text(re.compile(r"\d+ · .*ms"))
        (hop,) = tab.trace()["hops"]
        added = hop["added"][0]
        assert added == 6, "the numbers go on behind the five passages of the question"
        expect(tab.page.locator("ob-written a.cite")).to_have_text([str(added)])
        expect(tab.passages).to_have_count(5 + len(hop["added"]))
        expect(tab.page.locator("ob-written .text .mark")).to_have_text(["✓"])
        sent = server.requests[-1]["messages"]
        assert [message["role"] for message in sent] == ["system", "user", "assistant", "user"]


def test_a_model_searches_four_times_at_most(tab: Tab) -> None:
    with speaking() as server:
        dig(tab, server, "digger")
        expect(hops(tab)).to_have_count(4)
        expect(tab.page.locator("ob-generation")).to_contain_text("had searched four times and wanted to go on")
        asked = [one for one in server.requests if "SEARCH:" in one["messages"][0]["content"]]
        assert len(asked) == 5, "four searches, and once to answer"
        assert "That was the last search" in asked[-1]["messages"][-1]["content"]


def test_a_model_that_keeps_to_no_form_ends_the_search(tab: Tab) -> None:
    with speaking() as server:
        dig(tab, server, "rambler")
        expect(hops(tab)).to_have_count(0)
        expect(tab.page.locator("ob-generation")).to_contain_text("did not keep to the form")
        expect(tab.answer).to_contain_text("27 °C")
