"""A question is answered with cited passages, or refused."""

from __future__ import annotations

from urllib.parse import unquote

from browser_tab import Tab
from playwright.sync_api import Locator, expect


def top(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["y"]


def test_a_question_is_answered_with_cited_passages(tab: Tab) -> None:
    tab.open().ask("At which temperature does yeast work fastest?").settled()
    expect(tab.answer).to_contain_text("27 °C")
    expect(tab.answer).to_contain_text("No language model wrote this")
    cited = tab.answer.locator("a.cite")
    assert cited.count() >= 1
    numbers = {int(text) for text in cited.all_inner_texts()}
    listed = {int(text) for text in tab.passages.locator(".badge").all_inner_texts()}
    assert numbers <= listed


def test_every_citation_leads_to_the_section_that_it_quotes(tab: Tab) -> None:
    tab.open().ask("At which temperature does yeast work fastest?").settled()
    cite = tab.answer.locator("a.cite").first
    quoted = tab.answer.locator(".sentence").first.inner_text()
    cite.click()
    tab.page.wait_for_url("**/lectures/**")
    anchor = unquote(tab.page.evaluate("location.hash.slice(1)"))
    assert anchor
    section = tab.page.evaluate(
        "id => (document.getElementById(id).closest('section') ?? document.getElementById(id)).innerText", anchor
    )
    assert quoted.split(".")[0] in " ".join(section.split())


def test_a_question_in_other_words_is_answered_by_meaning(tab: Tab) -> None:
    tab.open().ask("my drink is sour, should I mill the beans smaller?").settled()
    expect(tab.passages.first).to_contain_text("Grind size and extraction")
    expect(tab.passages.first).to_contain_text("meaning no. 1")


def test_a_question_that_is_not_in_the_notes_is_refused(tab: Tab) -> None:
    tab.open().ask("Who won the football world cup in 1998?").settled()
    expect(tab.answer).to_contain_text("Not in the notes")
    expect(tab.answer).to_contain_text("Nowhere in the notes: “won”, “football”, “world”")
    expect(tab.answer.locator("a.cite")).to_have_count(0)
    expect(tab.page.get_by_role("heading", name="Nearest passages")).to_be_visible()
    assert tab.passages.count() >= 1
    expect(tab.block("gate")).to_contain_text("closed")
    expect(tab.block("answer")).to_contain_text("skipped")


def test_a_word_that_is_one_slip_from_one_of_the_course_s_is_offered_as_that(tab: Tab) -> None:
    tab.open().ask("At which temprature does yeast work fastest?").settled()
    above = tab.answer.get_by_role("log").locator(".above")
    expect(above).to_contain_text("Nowhere in the notes: “temprature”.")
    expect(above).to_contain_text("Did you mean:")
    assert top(above) < top(tab.answer.locator(".quote").first)
    tab.answer.get_by_role("button", name="At which temperature does yeast work fastest?").click()
    tab.settled()
    expect(tab.page.get_by_label("Your question")).to_have_value("At which temperature does yeast work fastest?")
    expect(tab.answer).not_to_contain_text("Did you mean")
    expect(tab.answer).not_to_contain_text("Nowhere in the notes")
    assert tab.trace()["question"] == "At which temperature does yeast work fastest?"
    expect(tab.page.locator(".results")).to_be_focused()


def test_a_refused_question_that_was_misspelt_is_offered_as_it_may_have_been_meant_above_the_refusal(tab: Tab) -> None:
    tab.open().ask("Who won the temprature?").settled()
    expect(tab.answer).to_contain_text("Not in the notes")
    expect(tab.answer).to_contain_text("Did you mean:")
    assert top(tab.answer.locator(".meant")) < top(tab.answer.locator(".verdict"))


def test_a_question_as_long_as_a_page_is_asked_whole(tab: Tab) -> None:
    long = ("At which temperature does yeast work fastest? " * 120)[:5000].strip()
    tab.open().ask(long).settled()
    assert tab.trace()["question"] == long
    assert tab.trace()["passages"]
    expect(tab.problems.get_by_role("alert")).to_have_count(0)
    expect(tab.answer).not_to_contain_text("could not be answered")


def test_which_searches_are_ready_is_said_until_both_are_and_a_question_was_asked(tab: Tab) -> None:
    tab.open()
    expect(tab.readiness).to_be_visible()
    tab.ask("How long should green tea steep?").settled()
    expect(tab.readiness).to_be_hidden()
    tab.ask("Why is the first pour small?").settled()
    expect(tab.readiness).to_be_hidden()
    expect(tab.page.locator("open-book-app").get_by_role("status").first).to_contain_text("Answer ready")
    tab.page.get_by_role("button", name="Clear").click()
    expect(tab.readiness).to_be_visible()


def test_a_newer_question_drops_the_older_one(tab: Tab) -> None:
    tab.open().ask("At which temperature does yeast work fastest?")
    tab.ask("How long should green tea steep?").settled()
    expect(tab.answer).to_contain_text("two minutes")
    tab.page.wait_for_timeout(500)
    expect(tab.answer).not_to_contain_text("27 °C")
    assert tab.trace()["question"] == "How long should green tea steep?"


def test_clearing_the_box_brings_the_first_view_back(tab: Tab) -> None:
    tab.open().ask("How long should green tea steep?").settled()
    tab.page.get_by_role("button", name="Clear").click()
    expect(tab.page.get_by_role("heading", name="Ask the notes")).to_be_visible()
    expect(tab.answer).to_have_count(0)
    expect(tab.box).to_be_focused()


def test_the_second_visit_takes_the_encoder_from_the_browsers_cache(tab: Tab) -> None:
    tab.open().ask("How long should green tea steep?").settled()
    before = len([request for request in tab.requests if request.url.endswith((".onnx", ".wasm"))])
    assert before == 2
    tab.open()
    expect(tab.readiness).to_contain_text("kept from your last visit")
    tab.ask("Why is the first pour small?").settled()
    expect(tab.answer).to_contain_text("carbon dioxide")
    assert len([request for request in tab.requests if request.url.endswith((".onnx", ".wasm"))]) == before
