"""A citation lands on its sentence, highlighted, whether or not the browser knows text fragments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from browser_tab import Tab
from playwright.sync_api import Page, Route, expect

QUESTION = "Why does cold dough taste better?"
SENTENCE = "Cold dough rises slowly"


def test_the_cited_sentence_is_marked_in_its_passage(tab: Tab) -> None:
    tab.open().ask("At which temperature does yeast work fastest?").settled()
    quoted = [" ".join(text.split()) for text in tab.answer.locator(".sentence").all_inner_texts()]
    marked = [" ".join(text.split()) for text in tab.passages.locator(".quoted").all_inner_texts()]
    assert marked
    assert set(marked) <= set(quoted)


def test_a_citation_lands_on_its_sentence_and_the_browser_highlights_it(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 900, "height": 500})
    tab.open(QUESTION).settled()
    cite = tab.answer.locator("a.cite").first
    assert ":~:text=" in str(cite.get_attribute("href"))
    sentence = tab.answer.locator(".sentence").first.inner_text()
    cite.click()
    tab.page.wait_for_url("**/lectures/**")
    assert ":~:" not in tab.page.evaluate("location.href"), "the browser took the directive"
    expect(tab.page.get_by_text(sentence[:30]).first).to_be_in_viewport()
    # What the browser paints for ::target-text is in no DOM; the rule that colours it is.
    rules = tab.page.evaluate("[...document.styleSheets].flatMap(s => [...s.cssRules]).map(r => r.selectorText ?? '')")
    assert any("::target-text" in rule for rule in rules)


def test_where_the_browser_does_not_know_text_fragments_the_page_highlights_the_sentence_itself(
    site: Path, serve: Callable[..., str], page: Page
) -> None:
    fragment = "#yeast-and-temperature:~:text=Cold%20dough%20rises,to%20make%20acids."

    def as_elsewhere(route: Route) -> None:
        # Chromium takes the directive away before a script can see it; another browser leaves it where it is.
        script = route.fetch().text()
        route.fulfill(body=f"const location = {{ hash: {fragment!r} }};\n{script}", content_type="text/javascript")

    page.route("**/reading*.js", as_elsewhere)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_viewport_size({"width": 900, "height": 500})
    page.goto(f"{serve(site)}lectures/l01-bread/notes.html")
    highlighted = "[...(CSS.highlights.get('ob-cited') ?? [])].map(range => range.toString().replace(/\\s+/g, ' '))"
    page.wait_for_function(f"() => {highlighted}.length === 1")
    (text,) = page.evaluate(highlighted)
    assert text.startswith(SENTENCE)
    assert text.endswith("to make acids.")
    expect(page.get_by_text(SENTENCE)).to_be_in_viewport()
    assert page.evaluate("window.location.hash") == "#yeast-and-temperature"
    assert complaints == []
