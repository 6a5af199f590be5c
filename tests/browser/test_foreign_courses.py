"""A course in a language that the encoder does not know says so, and is still answered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from browser_tab import Tab
from playwright.sync_api import expect

from openbook.build import build_site
from openbook.config import load_config

NOTES = "# 茶\n\n## 绿茶\n\n绿茶用七十五度的水泡两分钟。泡得太久会变苦。\n\n## 红茶\n\n红茶用九十五度的水泡四分钟。\n"


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    course = tmp_path_factory.mktemp("zh")
    (course / "lectures").mkdir()
    (course / "lectures/l01.md").write_text(NOTES, encoding="utf-8")
    (course / "openbook.toml").write_text(
        '[course]\ntitle = "茶"\nlanguage = "zh-CN"\n[sources]\nroot = "lectures"\n', encoding="utf-8"
    )
    build_site(load_config(course), out=course / "dist", as_of=date(2026, 12, 1))
    return course / "dist"


def test_a_course_in_chinese_says_which_search_to_trust_and_quotes_an_answer(
    chinese: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    tab = tab_at(serve(chinese))
    tab.page.goto(tab.url)
    notice = tab.readiness.locator(".foreign")
    expect(notice).to_have_text("语义检索只懂英语；请以关键词检索为准。")
    box = tab.page.locator("ob-ask-box textarea")
    box.fill("绿茶泡几分钟？")
    box.press("Enter")
    tab.settled()
    expect(tab.answer).to_contain_text("绿茶用七十五度的水泡两分钟。")
    gate = next(stage for stage in tab.trace()["stages"] if stage["name"] == "gate")
    assert gate["open"] is True
    assert gate["parameters"]["source"] == "language"
    assert tab.complaints == []


def test_a_course_in_english_has_no_such_notice(tab: Tab) -> None:
    tab.open()
    expect(tab.readiness.locator(".foreign")).to_have_count(0)
