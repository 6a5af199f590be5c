"""Passages read as notes do: tables are drawn, formulas set, lists kept in lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from browser_tab import Tab
from playwright.sync_api import expect

from openbook.build import build_site
from openbook.config import load_config

NOTES = r"""# Bootstrap

## How often a row is left out

A bootstrap sample leaves out a given row with probability $(1-1/n)^n \approx e^{-1}$, so a third is unseen.

$$
R^2 = 1 - \frac{a}{b}
$$

## Which splitter for which data

| Splitter | Use it for |
|---|---|
| GroupKFold | rows that belong together |
| TimeSeriesSplit | rows in `time \| order` |

What else a splitter needs:

- a seed that is written down
- a reason
"""


@pytest.fixture(scope="module")
def notes_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("passages")
    (root / "lectures/l01-bootstrap").mkdir(parents=True)
    (root / "lectures/l01-bootstrap/notes.md").write_text(NOTES, encoding="utf-8")
    (root / "openbook.toml").write_text('[course]\ntitle = "Samples"\n[sources]\nroot = "lectures"\n')
    out = root / "dist"
    build_site(load_config(root), out=out, as_of=date(2026, 12, 1))
    return out


@pytest.fixture
def notes_tab(notes_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]) -> Tab:
    return tab_at(serve(notes_site)).open()


def test_a_formula_is_set_and_not_shown_as_tex(notes_tab: Tab) -> None:
    notes_tab.box.fill("bootstrap sample probability")
    passage = notes_tab.passages.first
    expect(passage.locator("p math")).to_have_count(1)
    expect(passage.locator("math[display=block] mfrac")).to_have_count(1)
    expect(passage).not_to_contain_text("approx")
    assert passage.locator("p math").evaluate("math => math.namespaceURI").endswith("MathML")
    assert passage.locator("p math msup").first.bounding_box()
    notes_tab.ask("How often is a row left out of a bootstrap sample?").settled()
    expect(notes_tab.answer.locator("p .sentence math")).to_have_count(1)
    expect(notes_tab.answer).not_to_contain_text("approx")
    assert notes_tab.complaints == []


def test_formulas_that_cannot_be_had_leave_the_tex_and_say_so(
    notes_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    tab = tab_at(serve(notes_site))
    tab.page.route("**/formulas-*.json", lambda route: route.fulfill(status=200, body="{}"))
    tab.open().box.fill("bootstrap sample probability")
    expect(tab.passages.first).to_contain_text(r"(1-1/n)^n \approx e^{-1}")
    expect(tab.problems).to_contain_text("formulas-")


def test_a_table_is_a_table_and_a_list_keeps_its_lines(notes_tab: Tab) -> None:
    notes_tab.box.fill("splitter")
    passage = notes_tab.passages.first
    expect(passage.get_by_role("columnheader")).to_have_text(["Splitter", "Use it for"])
    expect(passage.get_by_role("row").nth(1).get_by_role("cell")).to_have_text(
        ["GroupKFold", "rows that belong together"]
    )
    expect(passage.locator("th mark").first).to_have_text("Splitter")
    expect(passage).to_contain_text("• a seed that is written down")
    heights = passage.locator(".text").last.evaluate(
        "p => [p.getBoundingClientRect().height, getComputedStyle(p).lineHeight]"
    )
    assert heights[0] > 2.5 * float(heights[1].removesuffix("px"))
