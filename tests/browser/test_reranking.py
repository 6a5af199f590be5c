"""Reranking on the page: the switch, the cross-encoder that is loaded only when asked for, and the heat map."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from browser_tab import Tab, replace
from playwright.sync_api import Locator, expect

from openbook.build import build_site
from openbook.config import load_config
from openbook.index.pieces import question_pieces
from openbook.index.read import Index, load_index
from openbook.models.cross_encoder import CrossEncoder
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX
from openbook.retrieval.pipeline import ask
from tiny_cross_encoder import write_tiny_cross_encoder

COURSE = Path(__file__).parent / "course"
QUESTION = "At which temperature does yeast work fastest?"
SECONDS = 90_000


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small course's site, with a cross-encoder to be switched on. Not to be changed."""
    folder = tmp_path_factory.mktemp("offering")
    shutil.copytree(COURSE, folder / "course")
    write_tiny_cross_encoder(folder / "course" / "tiny")
    settings = folder / "course" / "openbook.toml"
    settings.write_text(
        settings.read_text("utf-8") + '\n[models.cross_encoder]\noffer = true\npath = "tiny"\n', encoding="utf-8"
    )
    build_site(load_config(folder / "course"), out=folder / "dist", as_of=date(2026, 12, 1))
    return folder / "dist"


@pytest.fixture
def tab(offering: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]) -> Iterator[Tab]:
    tab = tab_at(serve(offering))
    yield tab
    assert tab.complaints == []


def choice(tab: Tab, name: str) -> Locator:
    return tab.working.get_by_role("group", name="Rerank by").get_by_role("button", name=name)


def reranked(tab: Tab) -> dict[str, Any]:
    return next(stage for stage in tab.trace()["stages"] if stage["name"] == "rerank")


def settled_by(tab: Tab, mode: str) -> Tab:
    tab.page.wait_for_function(
        "mode => document.querySelector('open-book-app').view.trace?.stages"
        ".some(stage => stage.name === 'rerank' && stage.parameters.mode === mode)",
        arg=mode,
        timeout=SECONDS,
    )
    return tab


def fetched(tab: Tab, index: Index) -> list[str]:
    folder = index.manifest.cross_encoder.folder if index.manifest.cross_encoder else ""
    return [request.url for request in tab.requests if folder in request.url]


def test_the_size_is_shown_before_and_nothing_is_fetched_until_the_reader_chooses_it(tab: Tab, offering: Path) -> None:
    index = load_index(offering / "index")
    tab.open().ask(QUESTION).settled()
    tab.block("rerank").click()
    size = sum(entry.bytes for name, entry in index.manifest.files.items() if name.startswith("cross-encoder/"))
    expect(tab.working.locator(".panel")).to_contain_text(f"The cross-encoder is {size / 1e6:.1f} MB")
    expect(choice(tab, "Late interaction")).to_have_attribute("aria-pressed", "true")
    assert fetched(tab, index) == []
    choice(tab, "Cross-encoder").click()
    settled_by(tab, "cross-encoder")
    expect(tab.working.locator(".panel")).to_contain_text("The cross-encoder is loaded.")
    # The tokenizer is the encoder's, byte for byte, and was kept under its hash.
    assert {url.rpartition("/")[2] for url in fetched(tab, index)} == {"config.json", "model.onnx"}


def test_switching_asks_again_and_gives_the_order_and_the_scores_of_the_reference(tab: Tab, offering: Path) -> None:
    tab.open().ask(QUESTION).settled()
    before = [hit["id"] for hit in reranked(tab)["hits"]]
    tab.block("rerank").click()
    choice(tab, "Cross-encoder").click()
    settled_by(tab, "cross-encoder")
    found = reranked(tab)
    index = load_index(offering / "index")
    files = index.cross_encoder_files()
    assert files is not None
    encoder, model = Encoder(index.model_files()), CrossEncoder(files)
    reference = ask(
        index,
        QUESTION,
        lambda text: encoder.encode([text])[0],
        encoder.count_tokens,
        lambda: 0.0,
        lambda text: question_pieces(encoder, text),
        model.score,
        "cross-encoder",
    )
    expected = next(stage for stage in reference.stages if stage.__struct_config__.tag == "rerank")
    scored = [hit for hit in expected.hits if hit.cross_encoder is not None]
    assert len(scored) == min(12, len(expected.hits))
    assert [hit["id"] for hit in found["hits"]] == [hit.id for hit in expected.hits] != before
    for ours, theirs in zip(found["hits"], scored, strict=False):
        assert ours["cross_encoder"] == pytest.approx(theirs.cross_encoder, abs=1e-4)
    expect(tab.working.locator(".panel")).to_contain_text(f"{len(scored)} passages read in")
    first = tab.working.locator(".panel ol.ranked li").first
    expect(first).to_contain_text(f"was no. {found['hits'][0]['rank_before']}")


def test_the_choice_stays_for_the_next_question_and_off_leaves_the_fused_order(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    tab.block("rerank").click()
    choice(tab, "Off").click()
    settled_by(tab, "off")
    expect(tab.working.locator(".panel")).to_contain_text("Nothing is reranked")
    tab.ask("How hot should the water be for green tea?")
    settled_by(tab, "off")
    stage = reranked(tab)
    assert [hit["rank"] for hit in stage["hits"]] == [hit["rank_before"] for hit in stage["hits"]]
    choice(tab, "Late interaction").click()
    settled_by(tab, "late-interaction")
    assert reranked(tab)["hits"][0]["late_interaction"] is not None


def test_a_damaged_cross_encoder_is_told_and_late_interaction_takes_its_place(
    offering: Path, tmp_path: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    import os

    site = tmp_path / "dist"
    shutil.copytree(offering, site, copy_function=os.link)
    entry = load_index(offering / "index").manifest.files[f"cross-encoder/{ONNX}"]
    content = bytearray((site / entry.path).read_bytes())
    content[1000] ^= 1
    replace(site, entry.path, bytes(content))
    tab = tab_at(serve(site)).open().ask(QUESTION).settled()
    tab.block("rerank").click()
    choice(tab, "Cross-encoder").click()
    expect(tab.working.locator(".panel p[aria-live]")).not_to_contain_text("loaded once", timeout=SECONDS)
    settled_by(tab, "late-interaction")
    expect(tab.working.locator(".panel p[aria-live]")).to_contain_text("not the file")


def cells(tab: Tab) -> dict[str, Any]:
    """The heat map as it is drawn."""
    return tab.working.locator("ob-heat-map").evaluate(
        """map => {
          const root = map.shadowRoot;
          return {
            rows: [...root.querySelectorAll('.rows span')].map((one) => one.textContent),
            columns: [...root.querySelectorAll('svg text')].map((one) => one.textContent),
            met: [...root.querySelectorAll('svg text.met')].length,
            dots: [...root.querySelectorAll('circle')].map((one) => Number(one.getAttribute('cx'))),
            labels: [...root.querySelectorAll('svg text')].map((one) => one.transform.baseVal[0].matrix.e),
            shades: [...root.querySelectorAll('rect[fill-opacity]')].length,
          };
        }"""
    )


def test_the_heat_map_has_a_row_for_each_piece_and_a_dot_where_it_met_its_nearest(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    tab.block("rerank").click()
    expect(tab.working.locator("ob-heat-map circle").first).to_be_visible(timeout=SECONDS)
    drawn = cells(tab)
    comparison = tab.page.evaluate(
        "(() => { const c = document.querySelector('open-book-app').view.comparison;"
        " return { question: c.question, passage: c.passage, places: [...c.places], matches: [...c.matches] }; })()"
    )
    assert [row.lstrip("·") for row in drawn["rows"]] == [piece.removeprefix("##") for piece in comparison["question"]]
    assert "yeast" in drawn["rows"]
    assert len(drawn["columns"]) == len(comparison["passage"])
    # Each row's dot stands in the column of the piece that it met.
    for dot, place in zip(drawn["dots"], comparison["places"], strict=True):
        assert drawn["labels"][place] - 7 < dot < drawn["labels"][place] + 7
    width = len(comparison["passage"])
    for row, place in enumerate(comparison["places"]):
        matches = comparison["matches"][row * width : (row + 1) * width]
        assert place == matches.index(max(matches))
    assert drawn["met"] == len(set(comparison["places"]))
    assert 0 < drawn["shades"] < width * len(drawn["rows"])
    yeast = comparison["question"].index("yeast")
    assert comparison["passage"][comparison["places"][yeast]] == "yeast"


def test_on_a_phone_the_map_scrolls_in_itself_and_the_page_does_not(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 360, "height": 740})
    tab.open().ask(QUESTION).settled()
    tab.block("rerank").click()
    expect(tab.working.locator("ob-heat-map circle").first).to_be_visible(timeout=SECONDS)
    page = tab.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert page[0] == page[1]
    inner = tab.working.locator("ob-heat-map .scroll").evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert inner[0] > inner[1]
    # It can be reached and moved without a mouse.
    scroll = tab.working.locator("ob-heat-map .scroll")
    scroll.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.wait_for_function("box => box.scrollLeft > 0", arg=scroll.element_handle())


def test_another_passage_can_be_compared(tab: Tab) -> None:
    tab.open().ask(QUESTION).settled()
    tab.block("rerank").click()
    expect(tab.working.locator("ob-heat-map circle").first).to_be_visible(timeout=SECONDS)
    second = reranked(tab)["hits"][1]["ordinal"]
    tab.working.locator("ob-heat-map .choices button").nth(1).click()
    tab.page.wait_for_function(
        "ordinal => document.querySelector('open-book-app').view.comparison.ordinal === ordinal", arg=second
    )
