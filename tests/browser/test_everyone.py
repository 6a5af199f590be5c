"""Readers of every kind: who listens, enlarges, prints, presses with a finger, reads from right to left, or sees few
colours, in all that is opened and embedded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_tab import ENCODER_MS, Tab
from openai_server import speaking
from playwright.sync_api import Browser, Page, expect
from test_anywhere import ANSWERED, REFUSED, serious, settled

Serve = Callable[..., str]
TabAt = Callable[[str], Tab]

# Each piece of text that appears inside a log while it is watched, and at the end all that is in it.
LISTEN = """selector => {
  const found = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.matches(selector)) return one;
      const inner = one.shadowRoot && found(one.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  const watch = () => {
    const log = found(document);
    if (!log) return requestAnimationFrame(watch);
    window.said = [];
    const add = (node) => { const text = node.textContent.trim(); if (text) window.said.push(text); };
    log.querySelectorAll("p").forEach(add);
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes)
        if (type === "characterData") add(target); else addedNodes.forEach(add);
    }).observe(log, { childList: true, subtree: true, characterData: true });
  };
  watch();
}"""


def test_a_model_s_answer_is_told_sentence_by_sentence_each_once_and_with_its_verdict(tab: Tab) -> None:
    tab.open(ANSWERED).settled()
    tab.page.evaluate(LISTEN, ".visually-hidden[role=log]")
    with speaking() as server:
        tab.page.get_by_role("button", name="Write an answer with a language model").click()
        choice = tab.page.locator("ob-engine-choice")
        choice.get_by_label("Address").fill(server.url)
        choice.get_by_role("button", name="List its models").click()
        choice.get_by_role("radio", name="cited").check()
        choice.get_by_role("button", name="Start").click()
        log = tab.page.get_by_role("log", name="In a model's words")
        expect(log.locator("p")).to_have_text(
            [
                "Yeast works fastest at 27 °C. [1]: supported",
                re.compile(r"^Dough rises in a warm place\. \[2\]: (weakly|not) supported$"),
                "It says nothing of this. [9]: citing what it was not given",
            ]
        )
    # What stands there is what was told, and nothing of it was told in pieces or twice.
    said = [text for text in tab.page.evaluate("window.said") if text.startswith(("Yeast", "Dough", "It says"))]
    assert len(said) == len(set(said))
    assert all(text.rstrip().endswith(("]", "supported", "given", ".")) for text in said), said


def test_a_quoted_answer_is_a_log_of_whole_sentences(tab: Tab) -> None:
    tab.open(ANSWERED).settled()
    log = tab.answer.get_by_role("log", name="Answer")
    quotes = [sentence["text"] for sentence in tab.trace()["stages"][-1]["sentences"]]
    expect(log.locator(".sentence")).to_have_text(quotes)
    # A download's progress is no news for it.
    assert tab.page.locator("ob-answer [role=log] [aria-live=off]").count() == 0
    tab.ask(REFUSED).settled()
    expect(log).to_contain_text("Not in the notes")


def overflowing(page: Page) -> list[str]:
    """What reaches beyond the page's sides, and does not scroll by itself."""
    found: list[str] = page.evaluate(
        """() => {
          const out = [];
          const scrolls = (one) => { for (let at = one; at; at = at.parentElement ?? at.getRootNode().host)
            if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX)) return true; return false; };
          const walk = (root) => { for (const one of root.querySelectorAll("*")) {
            if (one.shadowRoot) walk(one.shadowRoot);
            const { right, left, width } = one.getBoundingClientRect();
            if (width > 0 && (right > innerWidth + 1 || left < -1) && !scrolls(one) && one.checkVisibility()
                && getComputedStyle(one).clipPath === "none")
              out.push(`${one.tagName}.${one.className} ${Math.round(left)}…${Math.round(right)}`);
          } };
          walk(document.body);
          if (document.documentElement.scrollWidth > innerWidth) out.push("the page scrolls sideways");
          return out;
        }"""
    )
    return found


def test_with_letters_twice_as_large_nothing_is_lost_or_lies_outside(tab: Tab) -> None:
    """WCAG 1.4.4 and 1.4.10: 200 % of the text at 640 px is what a browser's zoom makes of 320."""
    enlarge = "document.documentElement.style.fontSize = '200%'"
    tab.page.set_viewport_size({"width": 640, "height": 700})
    settled(tab, ANSWERED)
    tab.page.evaluate(enlarge)
    expect(tab.box).to_have_css("font-size", "40px")
    assert overflowing(tab.page) == []
    tab.block("rerank").click()
    expect(tab.working.locator(".panel")).to_be_visible()
    assert overflowing(tab.page) == []
    for part in ("notes", "slides"):
        tab.page.goto(f"{tab.url}lectures/l01-bread/{part}.html")
        tab.page.evaluate(enlarge)
        assert overflowing(tab.page) == [], part


def test_on_paper_stand_question_answer_and_passages_with_their_addresses_and_no_controls(tab: Tab) -> None:
    settled(tab, ANSWERED)
    tab.page.emulate_media(media="print")
    expect(tab.box).to_have_value(ANSWERED)
    expect(tab.box).to_be_visible()
    expect(tab.answer).to_contain_text("27 °C")
    expect(tab.passages.first).to_be_visible()
    expect(tab.passages.first.locator(".address")).to_be_visible()
    expect(tab.passages.first.locator(".address")).to_have_text(
        f"{tab.url}lectures/l01-bread/notes.html#yeast-and-temperature"
    )
    pressed = tab.page.locator("button:visible, select:visible, summary:visible, input:visible")
    assert [one.inner_text() for one in pressed.all() if one.evaluate("one => !one.closest('.block')")] == []
    expect(tab.readiness).to_be_hidden()
    # The working is the reader's to print: its blocks stay.
    expect(tab.working.get_by_role("heading", name="The working")).to_be_visible()


def storage(tab: Tab) -> None:
    tab.open().page.get_by_text("Kept on this device").click()
    expect(tab.page.locator("ob-storage")).to_contain_text("on this device alone")


def filters(tab: Tab) -> None:
    tab.open().page.get_by_role("button", name="Search a part of the course").click()
    expect(tab.page.get_by_role("group", name="Search a part of the course")).to_be_visible()


def conversation(tab: Tab) -> None:
    tab.open(ANSWERED).settled()
    expect(tab.page.locator("ob-earlier section")).to_be_attached()
    tab.ask("and what about cold dough?").settled()
    tab.page.locator("ob-earlier .question").first.click()
    expect(tab.page.locator("ob-searched-for")).to_be_visible()


def offline(tab: Tab) -> None:
    """Without a network, asked something that is here."""
    tab.open(ANSWERED).settled()
    tab.page.context.set_offline(True)
    tab.ask("How long should green tea steep?").settled()


def updated(tab: Tab) -> None:
    tab.open(ANSWERED).settled()
    tab.page.evaluate("document.querySelector('open-book-app').session.outdated()")
    expect(tab.page.get_by_text("The notes were updated")).to_be_visible()


def without_an_index(tab: Tab) -> None:
    tab.page.context.route("**/index/manifest.json", lambda route: route.fulfill(status=404))
    tab.page.goto(tab.url)
    expect(tab.problems).to_contain_text("404")


def framed(tab: Tab) -> None:
    tab.page.goto(f"{tab.url}embed.html?q=x")
    tab.page.get_by_label("Your question").fill("gliadin")
    expect(tab.passages.first).to_contain_text("gliadin")


def embedded(tab: Tab) -> None:
    body = (
        "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>Host</title><main>"
        f'<h1>Week 1</h1><script type="module" src="openbook.js"></script><open-book question="{ANSWERED}" working>'
        "</open-book></main>"
    )
    tab.page.context.route("**/host.html", lambda route: route.fulfill(content_type="text/html", body=body))
    tab.page.goto(f"{tab.url}host.html")
    expect(tab.answer).to_contain_text("27 °C", timeout=ENCODER_MS)


OPENED = [storage, filters, conversation, offline, updated, without_an_index, framed, embedded]


@pytest.mark.parametrize("state", OPENED, ids=lambda state: state.__name__)
def test_all_that_is_opened_or_embedded_passes_axe_and_fits(
    site: Path, serve: Serve, tab_at: TabAt, state: Callable[[Tab], None]
) -> None:
    tab = tab_at(serve(site))
    state(tab)
    assert serious(tab) == []
    for width in (320, 768):
        tab.page.set_viewport_size({"width": width, "height": 740})
        assert overflowing(tab.page) == [], width


def test_the_figures_of_an_evaluation_can_be_read_on_a_phone(shipped_site: Path, serve: Serve, tab_at: TabAt) -> None:
    tab = tab_at(serve(shipped_site))
    tab.page.set_viewport_size({"width": 360, "height": 740})
    tab.page.goto(f"{tab.url}evaluation/index.html")
    texts = tab.page.locator("figure text").evaluate_all(
        """all => all.map((one) => {
          const { height, left } = one.getBoundingClientRect();
          return [one.textContent, height, left >= one.closest("svg").getBoundingClientRect().left];
        })"""
    )
    assert texts
    assert [text for text, height, inside in texts if height < 10 or not inside] == []
    assert overflowing(tab.page) == []
    assert serious(tab) == []


SMALL = """() => {
  const small = [];
  const walk = (root) => { for (const one of root.querySelectorAll("*")) {
    if (one.shadowRoot) walk(one.shadowRoot);
    if (!one.matches("button, input, select, textarea, summary, a[href]") || !one.checkVisibility()) continue;
    const style = getComputedStyle(one);
    // A link inside a sentence is exempt; a radio is pressed by its label.
    if (one.matches("a") && style.display === "inline" || one.type === "radio" || one.matches(".skip")) continue;
    const { width, height } = one.getBoundingClientRect();
    if (width > 0 && (width < 23.5 || height < 23.5)) small.push(`${one.outerHTML.slice(0, 90)} ${width} x ${height}`);
  } };
  walk(document);
  return small;
}"""


def test_what_is_pressed_is_never_smaller_than_24_pixels_with_a_mouse_either(tab: Tab) -> None:
    """WCAG 2.5.8; with a finger it is 44, which another test holds."""
    conversation(tab)
    tab.page.get_by_text("Kept on this device").click()
    expect(tab.page.locator("ob-storage")).to_contain_text("on this device alone")
    for block in ("keyword", "embed", "rerank", "prompt"):
        tab.open(ANSWERED, working=block).settled()
        expect(tab.working.locator(".panel")).to_be_visible()
        assert tab.page.evaluate(SMALL) == [], block


def test_where_the_browser_chooses_the_colours_controls_and_states_can_still_be_told(tab: Tab) -> None:
    tab.page.emulate_media(forced_colors="active")
    settled(tab, ANSWERED)
    # A border is all that is left of a button whose colour is taken.
    for element in (tab.page.get_by_role("button", name="Ask", exact=True), tab.block("gate")):
        assert element.evaluate("one => parseFloat(getComputedStyle(one).borderTopWidth)") >= 1
    tab.block("embed").click()
    sign = tab.working.locator("ob-map path.lecture").first
    expect(sign).to_be_visible()
    assert sign.evaluate("one => getComputedStyle(one).fill") != tab.working.locator("ob-map figure").evaluate(
        "one => getComputedStyle(one).backgroundColor"
    )


def test_a_site_in_a_language_that_runs_from_right_to_left_has_its_pages_mirrored(
    copy_of_site: Path, serve: Serve, tab_at: TabAt
) -> None:
    for path in (copy_of_site / "lectures/l01-bread").glob("*.html"):
        html = path.read_text("utf-8")
        path.unlink()
        path.write_text(html.replace('<html lang="en" dir="ltr"', '<html lang="ar" dir="rtl"'), "utf-8")
    tab = tab_at(serve(copy_of_site))
    tab.page.set_viewport_size({"width": 1280, "height": 800})
    for part in ("notes", "slides"):
        tab.page.goto(f"{tab.url}lectures/l01-bread/{part}.html")
        contents, text = (tab.page.locator(name).bounding_box() for name in (".contents", ".leaf"))
        assert contents, part
        assert text, part
        assert contents["x"] > text["x"], "the contents stand where reading begins"
        assert overflowing(tab.page) == [], part


def test_with_reduced_motion_nothing_glides_scrolls_or_fades(tab: Tab, browser: Browser) -> None:
    tab.page.emulate_media(reduced_motion="reduce")
    settled(tab, ANSWERED)
    tab.block("gate").click()
    tab.page.evaluate("document.querySelector('open-book-app').focus()")
    durations = tab.page.evaluate(
        "document.getAnimations().map((one) => one.effect.getComputedTiming().activeDuration).filter((ms) => ms > 1)"
    )
    assert durations == []
