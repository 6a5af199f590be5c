"""Everything can be done with the keyboard alone."""

from __future__ import annotations

from browser_tab import Tab
from playwright.sync_api import expect


def focused(tab: Tab) -> str:
    """Name of what has the focus, through all shadow roots."""
    name: str = tab.page.evaluate(
        "() => { let e = document.activeElement;"
        " while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;"
        " return (e?.getAttribute('aria-label') ?? e?.innerText ?? '').trim(); }"
    )
    return name


def tab_to(tab: Tab, name: str, presses: int = 60) -> None:
    for _ in range(presses):
        tab.page.keyboard.press("Tab")
        if name in focused(tab):
            return
    raise AssertionError(f"{presses} presses of Tab did not reach {name!r}")


def test_slash_goes_to_the_box_enter_asks_and_escape_clears(tab: Tab) -> None:
    tab.open()
    tab.page.keyboard.press("/")
    expect(tab.box).to_be_focused()
    expect(tab.box).to_have_value("")
    tab.page.keyboard.type("Why a/b?")
    expect(tab.box).to_have_value("Why a/b?")
    tab.page.keyboard.press("Enter")
    expect(tab.answer).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.box).to_have_value("")
    expect(tab.answer).to_have_count(0)


def test_a_question_is_asked_read_and_opened_without_a_mouse(tab: Tab) -> None:
    tab.open()
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("How long should green tea steep?")
    tab.page.keyboard.press("Enter")
    tab.settled()
    tab_to(tab, "Passage 1")
    tab_to(tab, "How long tea should steep")
    tab_to(tab, "Gate")
    tab.page.keyboard.press("Enter")
    expect(tab.working.get_by_text("Open: the best passage is close enough.")).to_be_visible()
    tab_to(tab, "Prompt")
    tab.page.keyboard.press("Space")
    tab_to(tab, "Copy")
    expect(tab.working.locator("pre")).to_contain_text("How long should green tea steep?")


def test_control_k_goes_to_the_box_and_the_arrows_go_through_the_results(tab: Tab) -> None:
    tab.open().page.keyboard.press("Control+k")
    expect(tab.box).to_be_focused()
    tab.page.keyboard.type("dough")
    links = tab.passages.get_by_role("heading").get_by_role("link")
    expect(links.nth(1)).to_be_visible()
    tab.page.keyboard.press("ArrowDown")
    expect(links.first).to_be_focused()
    tab.page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    tab.page.keyboard.press("ArrowUp")
    tab.page.keyboard.press("ArrowUp")
    expect(tab.box).to_be_focused()
    # In the middle of the text the key is the text's own.
    tab.page.keyboard.press("Home")
    tab.page.keyboard.press("ArrowDown")
    expect(tab.box).to_be_focused()
    tab.page.keyboard.press("End")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Escape")
    expect(tab.box).to_be_focused()
    expect(tab.box).to_have_value("dough")


def test_an_example_hands_the_focus_on_to_its_results(tab: Tab) -> None:
    tab.open(" ").ask("How long should green tea steep?").settled()
    tab.page.keyboard.press("Tab")
    assert focused(tab) != ""


def test_what_happens_is_said_aloud(tab: Tab) -> None:
    status = tab.open().page.locator("open-book-app").get_by_role("status")
    tab.box.press_sequentially("gluten")
    expect(status).to_contain_text("found by keyword")
    tab.ask("How long should green tea steep?").settled()
    expect(status).to_contain_text("Answer ready, with")
    expect(tab.answer.get_by_role("log")).to_contain_text("two minutes")
    tab.ask("Who won the football world cup in 1998?").settled()
    expect(status).to_contain_text("Not in the notes")
