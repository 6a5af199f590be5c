"""A question is an address."""

from __future__ import annotations

from browser_tab import Tab
from playwright.sync_api import expect

GREEN = "How long should green tea steep?"
POUR = "Why is the first pour small?"


def test_asking_writes_the_question_into_the_address(tab: Tab) -> None:
    tab.open().ask("Why C++ & 50 % of #salt?")
    fragment = "new URLSearchParams(location.hash.slice(1)).get('q')"
    assert tab.page.evaluate(fragment) == "Why C++ & 50 % of #salt?"
    assert tab.page.evaluate("location.search") == "", "what is asked stays behind the #"
    assert "Why C++ & 50 % of #salt?" in tab.page.title()


def test_an_address_with_a_question_answers_it(tab: Tab) -> None:
    tab.open(GREEN).settled()
    expect(tab.box).to_have_value(GREEN)
    expect(tab.answer).to_contain_text("two minutes")


def test_the_back_button_brings_the_question_before_back(tab: Tab) -> None:
    tab.open().ask(GREEN).settled()
    tab.ask(POUR).settled()
    tab.page.go_back()
    expect(tab.box).to_have_value(GREEN)
    expect(tab.answer).to_contain_text("two minutes")
    tab.page.go_back()
    expect(tab.box).to_have_value("")
    expect(tab.page.get_by_role("heading", name="Ask the notes")).to_be_visible()
    tab.page.go_forward()
    expect(tab.answer).to_contain_text("two minutes")
