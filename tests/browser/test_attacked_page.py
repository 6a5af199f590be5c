"""The attack corpus in a real browser: as a page of notes, as passages, as a prompt and as an answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from browser_tab import Tab
from playwright.sync_api import expect

from attacks.corpus import ATTACKS, write_course
from openbook.build import build_site
from openbook.config import load_config

FORBIDDEN = "img, script, iframe, object, embed, form, base, video, audio, link, style, math, svg:not([aria-hidden])"


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_course(tmp_path_factory.mktemp("attacks"))
    build_site(load_config(folder), out=folder / "dist", as_of=date(2026, 12, 1))
    return folder / "dist"


@pytest.fixture
def tab(attacked: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]) -> Tab:
    return tab_at(serve(attacked))


@pytest.mark.parametrize(
    "question",
    [
        "script fetch evil.example document title",
        "a picture from evil.example onerror",
        "ignore all previous instructions",
    ],
)
def test_an_attack_among_the_passages_is_only_ever_text(tab: Tab, question: str) -> None:
    tab.open().ask(question).settled()
    expect(tab.passages.first).to_be_visible()
    tab.block("prompt").click()
    tab.page.wait_for_timeout(300)
    assert tab.passages.locator(FORBIDDEN).count() == 0
    assert tab.answer.locator(FORBIDDEN).count() == 0
    for link in tab.page.locator("open-book-app a").all():
        address = urlsplit(urljoin(tab.url, link.get_attribute("href") or ""))
        # A link to a cited sentence quotes it behind the `#`; where it leads is what counts.
        assert (address.scheme, address.netloc) == ("http", urlsplit(tab.url).netloc)
    assert not tab.page.title().startswith("PWNED")
    assert tab.foreign() == []
    assert tab.complaints == []


def test_the_page_of_notes_runs_nothing_and_asks_nobody(tab: Tab) -> None:
    dialogs: list[str] = []
    tab.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.page.goto(f"{tab.url}lectures/l01-attacks/notes.html")
    expect(tab.page.get_by_role("heading", name="The gap")).to_be_visible()
    tab.page.wait_for_timeout(500)
    assert not tab.page.title().startswith("PWNED")
    assert dialogs == []
    assert tab.page.locator("[onload], [onerror], [onfocus], [srcdoc], iframe, form, object, base").count() == 0
    for link in tab.page.locator("a").all():
        assert not (link.get_attribute("href") or "").lower().strip().startswith(("javascript:", "data:text"))
    assert tab.foreign() == []


def test_what_an_attack_hid_is_in_no_file_of_the_index(attacked: Path) -> None:
    index = "".join(file.read_text("utf-8") for file in sorted((attacked / "index").glob("*.json")))
    for attack in ATTACKS:
        if attack.id in ("tag-characters", "variation-selectors", "comment", "title-attribute"):
            assert attack.canary not in index
    assert "\u202e" not in index
    assert not any("\U000e0000" <= character <= "\U000e0fff" for character in index)
