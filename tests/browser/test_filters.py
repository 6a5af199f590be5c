"""A part of the course can be asked, and the address says which."""

from __future__ import annotations

import pytest
from browser_tab import Tab
from playwright.sync_api import Locator, expect

GREEN = "How long should green tea steep?"
WATER = "How hot should the water be?"


def row(tab: Tab) -> Locator:
    return tab.page.get_by_role("group", name="Search a part of the course")


def unfold(tab: Tab) -> Tab:
    """Open the row, which is folded away until it is wanted."""
    expect(row(tab)).to_have_count(0)
    tab.page.get_by_role("button", name="Search a part of the course").click()
    return tab


def lectures_of(tab: Tab) -> set[str]:
    return {passage["lecture"] for passage in tab.trace()["passages"]}


def test_the_row_offers_only_what_the_course_has(tab: Tab) -> None:
    unfold(tab.open())
    expect(row(tab).get_by_label("Lecture").locator("option")).to_have_text(
        ["All lectures", "1 · Bread", "2 · Coffee", "3 · Tea"]
    )
    expect(row(tab).get_by_label("Week").locator("option")).to_have_text(["All weeks", "Week 1", "Week 2"])
    expect(row(tab).get_by_role("button")).to_have_text(["Both", "Notes", "Slides", "dough", "hot drinks"])


def test_a_lecture_that_was_chosen_is_the_only_one_that_answers(tab: Tab) -> None:
    tab.open().ask(WATER).settled()
    assert len(lectures_of(tab)) > 1
    unfold(tab)
    row(tab).get_by_label("Lecture").select_option("3 · Tea")
    tab.settled()
    assert lectures_of(tab) == {"l03-tea"}
    assert tab.trace()["filter"] == {"lecture": "l03-tea", "week": None, "kind": None, "tags": []}
    row(tab).get_by_role("button", name="clear").click()
    tab.settled()
    assert len(lectures_of(tab)) > 1
    assert "lecture" not in tab.page.url
    expect(tab.page.get_by_role("button", name="Search a part of the course")).to_be_focused()


def test_a_filter_in_the_address_survives_a_reload_and_the_back_button(tab: Tab) -> None:
    unfold(tab.open().ask(WATER).settled())
    row(tab).get_by_role("button", name="hot drinks").click()
    tab.settled()
    assert lectures_of(tab) == {"l02-coffee", "l03-tea"}
    tab.page.reload()
    tab.settled()
    assert lectures_of(tab) == {"l02-coffee", "l03-tea"}
    expect(row(tab).get_by_role("button", name="hot drinks")).to_have_attribute("aria-pressed", "true")
    tab.page.go_back()
    tab.settled()
    expect(row(tab).get_by_role("button", name="hot drinks")).to_have_attribute("aria-pressed", "false")
    assert tab.trace()["filter"] is None


def test_a_lecture_s_page_leads_to_questions_about_it(tab: Tab) -> None:
    tab.page.goto(tab.url + "lectures/l03-tea/notes.html")
    tab.page.get_by_role("link", name="Ask about this lecture").click()
    expect(row(tab).get_by_label("Lecture")).to_have_value("l03-tea")
    expect(tab.box).to_be_focused()
    tab.ask("What does resting do to dough?").settled()
    assert lectures_of(tab) == {"l03-tea"}
    assert tab.page.evaluate("location.search") == "", "what is asked stays behind the #"


@pytest.mark.parametrize(("page", "key"), [("notes", "/"), ("notes", "Control+k"), ("slides", "/")])
def test_the_keys_of_the_box_lead_to_it_from_a_lecture_s_pages(tab: Tab, page: str, key: str) -> None:
    lecture = {"notes": "l03-tea", "slides": "l01-bread"}[page]
    tab.page.goto(f"{tab.url}lectures/{lecture}/{page}.html")
    tab.page.keyboard.press(key)
    expect(tab.box).to_be_focused()
    expect(tab.box).to_have_value("")
    expect(row(tab).get_by_label("Lecture")).to_have_value(lecture)


def test_results_while_typing_keep_to_the_filter_and_an_empty_list_offers_the_whole_course(tab: Tab) -> None:
    unfold(tab.open())
    row(tab).get_by_label("Week").select_option("Week 2")
    tab.box.fill("gluten")
    expect(tab.page.get_by_text("No passage in this part of the course holds any of these words.")).to_be_visible()
    tab.page.get_by_role("button", name="Search the whole course").click()
    expect(tab.passages.first).to_contain_text("gluten")
    expect(row(tab).get_by_label("Week")).to_have_value("")


def test_a_refusal_says_that_only_a_part_was_searched_and_offers_the_rest(tab: Tab) -> None:
    unfold(tab.open().ask("gliadin and glutenin join into what net").settled())
    row(tab).get_by_label("Lecture").select_option("3 · Tea")
    tab.settled()
    expect(tab.answer).to_contain_text("Not in this part of the course")
    expect(tab.answer).to_contain_text("Nothing in this part of the course is close enough")
    expect(tab.answer).not_to_contain_text("Not in the notes")
    expect(tab.page.locator("open-book-app").get_by_role("status").first).to_contain_text(
        "Not in this part of the course"
    )
    expect(tab.answer).to_contain_text("3 · Tea")
    tab.answer.get_by_role("button", name="Search the whole course").click()
    tab.settled()
    expect(tab.page.locator(".results")).to_be_focused()
    expect(tab.answer).to_contain_text("gluten")


def test_a_link_to_a_lecture_that_is_gone_says_so_and_can_be_dropped(tab: Tab) -> None:
    tab.page.goto(tab.url + "?q=dough&lecture=l99&kind=slides")
    tab.settled()
    expect(row(tab).get_by_label("Lecture")).to_have_value("l99")
    expect(tab.answer).to_contain_text("l99, Slides")
    assert tab.trace()["passages"] == []
    tab.answer.get_by_role("button", name="Search the whole course").click()
    tab.settled()
    assert "l01-bread" in lectures_of(tab)
