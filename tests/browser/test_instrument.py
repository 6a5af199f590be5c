"""The working as an instrument: two depths, drawings of each stage, knobs, cost, and a guided first visit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from browser_tab import Tab, replace
from playwright.sync_api import expect

from openbook.build import build_site
from openbook.config import load_config

QUESTION = "At which temperature does yeast work fastest?"
LONG = "How long should tea steep and dough rest, and at which temperature?"


def order(tab: Tab) -> list[str]:
    return tab.working.locator("ob-keyword li[data-ordinal] .title a").all_inner_texts()


def turn(tab: Tab, knob: str, value: float) -> None:
    """Set a knob as a drag would."""
    tab.working.locator(f"input[name={knob}]").evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def test_the_working_is_closed_at_first_and_stays_as_it_was_left(tab: Tab) -> None:
    tab.open(working=None)
    show = tab.working.get_by_role("button", name="Show the working")
    expect(show).to_have_attribute("aria-expanded", "false")
    expect(tab.working.locator(".block")).to_have_count(0)
    show.click()
    expect(tab.block("gate")).to_be_visible()
    expect(tab.working.get_by_role("button", name="Hide the working")).to_be_focused()
    tab.open(working=None)
    expect(tab.block("gate")).to_be_visible()
    tab.working.get_by_role("button", name="Hide the working").click()
    expect(tab.working.get_by_role("button", name="Show the working")).to_be_focused()
    tab.open(working=None)
    expect(tab.working.get_by_role("button", name="Show the working")).to_be_visible()


def test_a_link_opens_the_block_that_it_names(tab: Tab) -> None:
    tab.open(QUESTION, working="gate").settled()
    expect(tab.working.locator(".panel")).to_contain_text("Margin")
    tab.block("keyword").click()
    assert "working=keyword" in tab.page.evaluate("location.hash")
    assert tab.page.evaluate("location.search") == ""


def test_the_blocks_are_a_diagram_on_a_wide_screen_and_a_list_on_a_narrow_one(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 1440, "height": 900})
    tab.open()
    expect(tab.block("gate")).to_be_visible()

    def corner(name: str) -> tuple[float, float]:
        box = tab.block(name).bounding_box()
        assert box
        return box["x"], box["y"]

    flow = ["keyword", "fuse", "rerank", "gate", "prompt", "answer"]
    across = [corner(name)[0] for name in flow]
    assert across == sorted(set(across)), "from left to right"
    assert corner("embed")[1] > corner("keyword")[1], "two searches above each other"
    assert corner("embed")[0] == corner("keyword")[0]
    tab.page.set_viewport_size({"width": 360, "height": 740})
    down = [corner(name)[1] for name in ["keyword", "embed", "dense", *flow[1:]]]
    assert down == sorted(set(down)), "from top to bottom"
    assert len({corner(name)[0] for name in flow}) == 1


def test_the_map_draws_every_passage_and_five_lines(tab: Tab) -> None:
    tab.open(QUESTION, working="embed").settled()
    figure = tab.working.locator("ob-map figure svg")
    expect(figure.locator("line.join")).to_have_count(5)
    chunks = tab.page.evaluate("document.querySelector('open-book-app').view.index.manifest.counts.chunks")
    drawn = figure.locator("path.lecture").evaluate_all("paths => paths.map(p => p.getAttribute('d')).join('')")
    assert len(re.findall("M", drawn)) == chunks
    dense = next(stage for stage in tab.trace()["stages"] if stage["name"] == "dense")
    heading = "o => document.querySelector('open-book-app').view.index.catalogue.chunk(o).path.at(-1)"
    first = tab.page.evaluate(heading, dense["hits"][0]["ordinal"])
    nearest = tab.working.locator("ob-map .nearest a").first
    expect(nearest).to_have_text(first)
    nearest.focus()
    expect(figure.locator(".halo")).to_have_count(1)
    expect(tab.working.locator("ob-map .seen")).to_contain_text(first)


def test_the_map_comes_nearer_by_button_key_wheel_and_fingers_and_goes_back(tab: Tab) -> None:
    tab.open(QUESTION, working="embed").settled()
    drawing = tab.working.locator("ob-map figure svg")
    lines = drawing.locator("line.join")
    expect(lines).to_have_count(5)

    def spread() -> float:
        """Between the question and what it is joined to, as it is drawn."""
        apart: float = lines.evaluate_all(
            "all => all.reduce((sum, one) => sum + Math.hypot(one.x2.baseVal.value - one.x1.baseVal.value,"
            " one.y2.baseVal.value - one.y1.baseVal.value), 0)"
        )
        return apart

    before = spread()
    whole = tab.working.get_by_role("button", name="All", exact=True)
    expect(whole).to_be_disabled()
    tab.working.get_by_role("button", name="Nearer").click()
    assert spread() == pytest.approx(1.6 * before)
    whole.click()
    assert spread() == pytest.approx(before)
    view = tab.working.locator("ob-map .view")
    view.focus()
    tab.page.keyboard.press("+")
    tab.page.keyboard.press("+")
    assert spread() == pytest.approx(1.6**2 * before)
    at = lines.first.get_attribute("x1")
    tab.page.keyboard.press("ArrowLeft")
    assert spread() == pytest.approx(1.6**2 * before)
    assert lines.first.get_attribute("x1") != at
    tab.page.keyboard.press("0")
    assert spread() == pytest.approx(before)
    drawing.hover()
    scrolled = "scrollY"
    top = tab.page.evaluate(scrolled)
    tab.page.keyboard.down("Control")
    tab.page.mouse.wheel(0, -200)
    tab.page.keyboard.up("Control")
    expect(whole).to_be_enabled()
    assert spread() == pytest.approx(2.718 * before, rel=0.01)
    assert tab.page.evaluate(scrolled) == top
    whole.click()
    # Two fingers that move apart; a browser's own touches are not to be had here, but what they dispatch is.
    drawing.evaluate(
        """svg => {
          const box = svg.getBoundingClientRect();
          const send = (type, id, x, y) => svg.dispatchEvent(new PointerEvent(type, { pointerId: id, bubbles: true,
            buttons: 1, pointerType: "touch", clientX: box.left + x, clientY: box.top + y }));
          svg.setPointerCapture = () => {};
          send("pointerdown", 5, 100, 100); send("pointerdown", 6, 200, 100);
          send("pointermove", 6, 300, 100); send("pointerup", 5, 100, 100); send("pointerup", 6, 300, 100);
        }"""
    )
    expect(whole).to_be_enabled()
    assert spread() == pytest.approx(2 * before, rel=0.01)


def test_a_knob_reorders_the_keyword_hits_and_reset_brings_the_courses_order_back(tab: Tab) -> None:
    tab.open(LONG, working="keyword").settled()
    expect(tab.working.locator("ob-keyword li[data-ordinal]").first).to_be_visible()
    before = order(tab)
    expect(tab.working.locator(".whose")).to_contain_text("the course's settings")
    turn(tab, "b", 0)
    turn(tab, "k1", 0)
    expect(tab.working.locator(".whose")).to_contain_text("your settings")
    assert order(tab) != before
    assert tab.trace()["stages"][0]["parameters"]["b"] == 0.75, "the trace is the course's"
    tab.working.get_by_role("button", name="Reset to the course's").click()
    expect(tab.working.locator(".whose")).to_contain_text("the course's settings")
    assert order(tab) == before


def test_a_cosine_shows_how_far_eight_bits_can_have_moved_it(tab: Tab) -> None:
    tab.open(QUESTION, working="dense").settled()
    panel = tab.working.locator(".panel")
    expect(panel.locator(".whisker").first).to_be_attached()
    bounds = [float(text.strip("± ")) for text in panel.locator(".score .where").all_inner_texts()]
    assert bounds
    assert all(0 < bound < 0.03 for bound in bounds)
    expect(panel.locator(".spread rect.bin").first).to_be_attached()


def test_fusion_and_reranking_are_joined_to_the_ranks_they_came_from(tab: Tab) -> None:
    tab.open(QUESTION, working="fuse").settled()
    fuse = next(stage for stage in tab.trace()["stages"] if stage["name"] == "fuse")
    top = fuse["hits"][:10]
    joined = sum(hit["keyword_rank"] is not None for hit in top) + sum(hit["dense_rank"] is not None for hit in top)
    expect(tab.working.locator(".slope path")).to_have_count(joined)
    tab.block("rerank").click()
    expect(tab.working.locator(".slope path").first).to_be_attached()


def test_the_cost_adds_up_and_nobody_else_was_asked(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    cost = tab.working.locator(".cost")
    shown = [float(ms) for ms in cost.locator("[data-ms]").evaluate_all("all => all.map(one => one.dataset.ms)")]
    took = [stage["ms"] for stage in tab.trace()["stages"] if stage["state"] == "done"]
    assert sorted(shown) == sorted(took)
    widths = cost.locator(".times i").evaluate_all("all => all.map(one => Number(one.style.flexGrow))")
    assert sum(widths) == pytest.approx(sum(took), abs=0.01)
    expect(cost.locator(".foreign")).to_have_text("0")
    assert tab.foreign() == []
    # The encoder's files came for this question: the bytes that the browser counted are there.
    expect(cost).to_contain_text(re.compile(r"Fetched for this question\s*[\d.]+\sMB in \d+ requests"))


def test_a_course_without_a_gold_set_offers_its_headings(tab: Tab) -> None:
    tab.open()
    suggested = tab.page.locator("open-book-app .contents button")
    expect(suggested.first).to_be_visible()
    heading = suggested.first.inner_text()
    suggested.first.click()
    expect(tab.passages.first).to_contain_text(heading)


@pytest.fixture(scope="module")
def guided_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small course with a gold set."""
    out = tmp_path_factory.mktemp("guided") / "dist"
    build_site(load_config(Path(__file__).parents[1] / "verify" / "course"), out=out, as_of=date(2026, 12, 1))
    return out


def test_a_question_of_the_guide_opens_the_stage_that_it_is_there_for(
    guided_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    tab = tab_at(serve(guided_site)).open(working=None)
    offered = tab.page.evaluate("document.querySelector('open-book-app').view.index.manifest.examples")
    assert offered
    steps = tab.page.locator("open-book-app .tour button")
    expect(steps).to_have_count(len(offered))
    steps.first.click()
    for number, example in enumerate(offered):
        tab.settled()
        assert tab.trace()["question"] == example["question"]
        expect(tab.block(example["stage"])).to_have_attribute("aria-expanded", "true")
        expect(tab.working.locator(".panel")).to_be_visible()
        guide = tab.page.locator("open-book-app .guide")
        expect(guide).to_contain_text(f"{number + 1} of {len(offered)}")
        gate = next(stage for stage in tab.trace()["stages"] if stage["name"] == "gate")
        assert gate["open"] == (example["kind"] != "not-in-the-notes")
        if number + 1 < len(offered):
            guide.get_by_role("button", name="Next question").click()
    assert tab.complaints == []


def test_a_follow_up_of_the_guide_is_asked_after_its_first_question_and_written_out(
    copy_of_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    manifest = json.loads((copy_of_site / "index/manifest.json").read_bytes())
    then = "and what about cold dough?"
    manifest["examples"] = [{"question": QUESTION, "kind": "follow-up", "stage": "keyword", "follow_up": then}]
    replace(copy_of_site, "index/manifest.json", json.dumps(manifest).encode())
    tab = tab_at(serve(copy_of_site)).open(working=None)
    offered = tab.page.locator("open-book-app .tour button")
    expect(offered).to_contain_text("A follow-up")
    offered.click()
    tab.settled()
    guide = tab.page.locator("open-book-app .guide")
    expect(guide).to_contain_text("the next one leans on it")
    guide.get_by_role("button", name=f"Then ask: “{then}”").click()
    tab.settled()
    expect(tab.box).to_have_value(then)
    expect(guide).to_be_focused()
    expect(guide).to_contain_text("written out with words of the one before")
    expect(tab.page.locator("ob-searched-for").get_by_role("listitem").first).to_contain_text("temperature yeast")
    expect(tab.block("keyword")).to_have_attribute("aria-expanded", "true")
    expect(tab.working.locator(".panel")).to_contain_text("temperature")
    expect(guide.get_by_role("button", name="Look at Keyword")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_the_page_does_not_jump_while_it_loads_and_answers(tab: Tab, width: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.page.add_init_script(
        "window.shifts = 0; new PerformanceObserver(list => { for (const one of list.getEntries())"
        " if (!one.hadRecentInput) window.shifts += one.value; }).observe({ type: 'layout-shift', buffered: true });"
    )
    tab.open(QUESTION, working=None).settled()
    tab.page.wait_for_timeout(500)
    assert tab.page.evaluate("window.shifts") <= 0.1
