"""Nothing leaves the machine, and text of the notes is only ever text."""

from __future__ import annotations

from browser_tab import Tab
from playwright.sync_api import expect

from openbook.generation.offer import connect_sources
from openbook.settings import GenerationSettings


def test_no_request_goes_to_another_origin(tab: Tab) -> None:
    tab.open().ask("What would an attacker write?").settled()
    for stage in ("prompt", "index", "keyword"):
        tab.block(stage).click()
    tab.page.wait_for_timeout(500)
    assert len(tab.requests) > 10
    assert tab.foreign() == []


def test_markup_in_a_passage_is_shown_and_never_run(tab: Tab) -> None:
    tab.open().ask("What would an attacker write?").settled()
    passage = tab.passages.filter(has_text="What an attacker would write").first
    expect(passage).to_contain_text("<script>alert(1)</script>")
    assert passage.locator("img, script").count() == 0
    assert tab.page.title() != "owned"


def test_a_question_with_markup_is_shown_as_text(tab: Tab) -> None:
    question = "What does proof_dough do when the dough has doubled? <img src=x onerror=document.title='owned'>"
    tab.open().ask(question).settled()
    tab.block("prompt").click()
    expect(tab.working.locator("pre")).to_contain_text("onerror")
    assert tab.page.locator("open-book-app img").count() == 0
    assert tab.page.title() == f"{question} · A kitchen course"


def test_the_policy_is_strict_and_the_page_works_under_it(tab: Tab) -> None:
    tab.open().ask("How long should green tea steep?").settled()
    policy = tab.page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content") or ""
    directives = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";") if rule.strip()}
    assert directives["default-src"] == ["'none'"]
    assert directives["connect-src"] == ["'self'", *connect_sources(GenerationSettings())]
    assert not any(source in {"*", "https:", "http:"} for source in directives["connect-src"])
    assert set(directives["script-src"]) == {"'self'", "'wasm-unsafe-eval'"}
    assert directives["style-src"] == ["'self'"]
    assert directives["require-trusted-types-for"] == ["'script'"]
    refused = tab.page.evaluate("(() => { try { new Worker('x.js'); return false } catch { return true } })()")
    assert refused, "a plain address is no trusted script"
    tab.complaints.clear()
