"""The site works under any path, at any width, and for readers of every kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_tab import Tab
from playwright.sync_api import Browser, BrowserContext, expect

ANSWERED = "At which temperature does yeast work fastest?"
REFUSED = "Who won the football world cup in 1998?"


def test_it_works_under_a_sub_path(site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]) -> None:
    tab = tab_at(serve(site, "/some%20where/course/")).open().ask(ANSWERED).settled()
    expect(tab.answer).to_contain_text("27 °C")
    tab.passages.first.get_by_role("link").click()
    expect(tab.page.get_by_role("heading", name="Yeast and temperature")).to_be_visible()
    assert tab.complaints == []


def settled(tab: Tab, question: str) -> None:
    tab.open(question).settled()
    expect(tab.working.get_by_role("heading", name="The working")).to_be_visible()


def empty(tab: Tab) -> None:
    expect(tab.open().working.get_by_role("heading", name="The working")).to_be_visible()


def typing(tab: Tab) -> None:
    tab.open().box.fill("gliadin")
    expect(tab.passages.first).to_contain_text("gliadin")


def no_results(tab: Tab) -> None:
    tab.open().box.fill("xyzzy")
    expect(tab.page.get_by_text("No passage holds any of these words")).to_be_visible()


def loading(tab: Tab) -> None:
    """The encoder is on its way, and will be."""
    tab.page.context.route("**/*.onnx", lambda route: None)
    tab.open(ANSWERED)
    expect(tab.answer).to_contain_text("The answer comes when")


def answered(tab: Tab) -> None:
    settled(tab, ANSWERED)


def refused(tab: Tab) -> None:
    settled(tab, REFUSED)
    expect(tab.answer).to_contain_text("Not in the notes")


def unjudged(tab: Tab) -> None:
    tab.page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    settled(tab, ANSWERED)
    expect(tab.answer).to_contain_text("Found by keyword only")


def failed(tab: Tab) -> None:
    tab.page.context.route("**/passages-*.json", lambda route: route.fulfill(status=200, body="x"))
    settled(tab, ANSWERED)
    expect(tab.answer).to_contain_text("could not be answered")


def closed(tab: Tab) -> None:
    tab.open(ANSWERED, working=None).settled()
    expect(tab.working.get_by_role("button", name="Show the working")).to_be_visible()


def models(tab: Tab) -> None:
    """The models on offer, before one is chosen."""
    tab.open(ANSWERED).settled()
    tab.page.get_by_role("button", name="Write an answer with a language model").click()
    expect(tab.page.locator("ob-engine-choice input[type=radio]").first).to_be_visible()


STATES: list[Callable[[Tab], None]] = [
    empty,
    typing,
    no_results,
    loading,
    answered,
    refused,
    unjudged,
    failed,
    closed,
    models,
]


def fits(tab: Tab, width: int) -> bool:
    tab.page.set_viewport_size({"width": width, "height": 740})
    return bool(tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def serious(tab: Tab) -> list[str]:
    """What axe finds in both schemes, but for trifles."""
    found = []
    for scheme in ("light", "dark"):
        tab.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        results = Axe().run(tab.page)
        found += [
            f"{scheme}: {violation['id']}: {[node['html'][:200] for node in violation['nodes']]}"
            for violation in results.response["violations"]
            if violation["impact"] in {"serious", "critical", "moderate"}
        ]
    return found


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_state_passes_axe_in_both_schemes_and_fits_a_small_phone(tab: Tab, state: Callable[[Tab], None]) -> None:
    state(tab)
    assert serious(tab) == []
    # 320 is a page of 1280 at 400 %.
    assert [width for width in (320, 360, 768) if not fits(tab, width)] == []


def test_every_block_passes_axe_in_both_schemes_and_fits_a_small_phone(tab: Tab) -> None:
    answered(tab)
    blocks = tab.working.locator(".block button")
    for place in range(blocks.count()):
        blocks.nth(place).click()
        expect(tab.working.locator(".panel")).to_be_visible()
        name = blocks.nth(place).inner_text()
        tab.page.set_viewport_size({"width": 1280, "height": 900})
        assert serious(tab) == [], name
        assert [width for width in (320, 768) if not fits(tab, width)] == [], name


PRESSED = """() => {
    const small = [];
    const deep = (x, y) => {
        let found = document.elementFromPoint(x, y);
        while (found?.shadowRoot) {
            const inner = found.shadowRoot.elementFromPoint(x, y);
            if (!inner || inner === found) break;
            found = inner;
        }
        return found;
    };
    const walk = (root) => {
        for (const one of root.querySelectorAll("*")) {
            if (one.shadowRoot) walk(one.shadowRoot);
            if (!one.matches("button, input, select, textarea, summary, a.cite") || !one.checkVisibility()) continue;
            if (one.type === "radio") continue; // its label is pressed
            one.scrollIntoView({ block: "center", inline: "center" });
            const { left, top, width, height } = one.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            // 44 px, or room around it that is its own; half a pixel is rounding.
            const reach = 21.5;
            const tall = height >= 43.5 || [y - reach, y + reach].every((at) => one.contains(deep(x, at)));
            const wide = width >= 43.5 || [x - reach, x + reach].every((at) => one.contains(deep(at, y)));
            if (!tall || !wide) small.push(`${one.outerHTML.slice(0, 120)} ${width} x ${height}`);
        }
    };
    walk(document);
    return small;
}"""


def test_a_finger_meets_what_it_presses(site: Path, serve: Callable[..., str], browser: Browser) -> None:
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    tab = Tab(context.new_page(), serve(site))
    assert tab.page.evaluate("matchMedia('(pointer: coarse)').matches")
    settled(tab, ANSWERED)
    expect(tab.answer.locator(".cite").first).to_be_visible()
    small = tab.page.evaluate(PRESSED)
    context.close()
    assert not small, "\n".join(small)


def test_typing_is_never_held_up(tab: Tab) -> None:
    """Tasks of over 50 ms on the page's own thread, while the encoder loads in the worker and every key searches."""
    tab.open().box.focus()
    tab.page.evaluate(
        "() => { window.long = 0; new PerformanceObserver((list) => { window.long += list.getEntries().length; })"
        ".observe({ type: 'longtask' }); }"
    )
    question = "why does a dough have to rest before it is baked"
    tab.box.press_sequentially(question)
    expect(tab.passages.first).to_be_visible()
    # A busy machine stretches some of them; a page that works on every key would have one for each.
    assert tab.page.evaluate("window.long") <= len(question) // 4


def test_axe_finds_nothing_serious_when_files_are_broken(tab: Tab, context: BrowserContext) -> None:
    context.route("**/vectors-*.bin", lambda route: route.fulfill(status=200, body="x"))
    context.route("**/*.onnx", lambda route: route.fulfill(status=200, content_type="text/html", body="x"))
    tab.open(ANSWERED).settled()
    tab.readiness.get_by_text("Search by meaning is not available").click()
    expect(tab.problems).to_be_visible()
    results = Axe().run(tab.page)
    assert [violation["id"] for violation in results.response["violations"] if violation["impact"] != "minor"] == []


def test_nothing_moves_for_those_who_asked_for_that(tab: Tab) -> None:
    tab.page.emulate_media(reduced_motion="reduce")
    tab.open().ask(ANSWERED)
    running = tab.page.evaluate(
        "document.getAnimations().filter(a => a.effect?.getTiming().iterations === Infinity).length"
    )
    assert running == 0
    tab.settled()
