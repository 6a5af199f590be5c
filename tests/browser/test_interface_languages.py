"""The page speaks the course's language, or the one that its reader chose."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_tab import Tab
from playwright.sync_api import expect

ENGLISH = Path(__file__).parents[2] / "web" / "src" / "page" / "strings" / "en.ts"
QUESTION = "At which temperature does yeast work fastest?"
WORDS = {
    "de": {
        "welcome": "Fragen an die Unterlagen",
        "answer": "Antwort",
        "passages": "Textstellen",
        "working": "Der Rechenweg",
        "refused": "Nicht in den Unterlagen",
        "number": "0,",
    },
    "es": {
        "welcome": "Pregunte a los apuntes",
        "answer": "Respuesta",
        "passages": "Fragmentos",
        "working": "El desarrollo",
        "refused": "No está en los apuntes",
        "number": "0,",
    },
    "zh": {
        "welcome": "向讲义提问",
        "answer": "回答",
        "passages": "段落",
        "working": "计算过程",
        "refused": "讲义中没有",
        "number": "0.",
    },
}
TEXT = """() => {
  const texts = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    if (["STYLE", "PRE"].includes(node.tagName)) return; // a prompt is as the model reads it
    for (const name of ["aria-label", "placeholder", "title"]) texts.push(node.getAttribute?.(name) ?? "");
    for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) walk(child);
  };
  walk(document.querySelector("open-book-app"));
  return texts.join("\\n").replace(/\\s+/g, " ");
}"""


def english_sentences() -> list[str]:
    """What the page would say in English: every text of two words or more that nothing is put into."""
    return [
        text for text in re.findall(r'"((?:[^"\\]|\\.){8,})"', ENGLISH.read_text("utf-8")) if re.search(r"\w \w", text)
    ]


def speaking(site: Path, language: str) -> Path:
    """The site as a course in that language has it: its index page says so."""
    page = site / "index.html"
    html = page.read_text("utf-8")
    page.unlink()  # a link to the file of the course in English
    page.write_text(html.replace('<html lang="en"', f'<html lang="{language}"'), "utf-8")
    return site


@pytest.mark.parametrize("language", WORDS)
def test_a_course_in_another_language_is_asked_in_that_language(
    language: str, copy_of_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    words = WORDS[language]
    tab = tab_at(serve(speaking(copy_of_site, language)))
    page = tab.page
    page.goto(f"{tab.url}?working=")
    expect(page.get_by_role("heading", name=words["welcome"])).to_be_visible()
    expect(page.get_by_role("heading", name=words["working"])).to_be_visible()
    said = [page.evaluate(TEXT)]
    box = page.locator("ob-ask-box textarea")
    for question in ("Who won the football world cup in 1998?", QUESTION):
        box.fill(question)
        box.press("Enter")
        tab.settled()
        said.append(page.evaluate(TEXT))
    assert words["refused"] in said[1]
    expect(tab.answer.get_by_role("heading", name=words["answer"], exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name=words["passages"], exact=True)).to_be_visible()
    expect(tab.answer).to_contain_text("27 °C")
    for block in tab.working.locator(".block button").all():
        block.click()
        expect(tab.working.locator("#panel")).to_be_visible()
        said.append(page.evaluate(TEXT))
    assert words["number"] in said[-1] + said[5]
    left = [text for text in english_sentences() if any(text in each for each in said)]
    assert left == []
    assert page.locator("open-book-app").get_attribute("lang") == language
    assert tab.complaints == []


def test_a_reader_chooses_another_language_and_the_question_stays(tab: Tab) -> None:
    tab.open(QUESTION).settled()
    menu = tab.page.get_by_label("Language of this page")
    assert menu.input_value() == "en"
    menu.select_option("de")
    expect(tab.page.get_by_role("heading", name="Der Rechenweg")).to_be_visible()
    tab.settled()
    expect(tab.page.locator("ob-ask-box textarea")).to_have_value(QUESTION)
    expect(tab.answer.get_by_role("heading", name="Antwort", exact=True)).to_be_visible()
    # The course's own words are marked as what they are.
    assert tab.answer.locator(".quote").first.get_attribute("lang") == "en"
    tab.page.get_by_label("Sprache dieser Seite").select_option("en")
    expect(tab.page.get_by_role("heading", name="The working")).to_be_visible()


def test_a_language_that_cannot_be_fetched_leaves_english(
    copy_of_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    for file in (copy_of_site / "assets").glob("de-*.js"):
        file.unlink()
    tab = tab_at(serve(speaking(copy_of_site, "de"))).open()
    expect(tab.page.get_by_role("heading", name="Ask the notes")).to_be_visible()


def test_a_course_in_english_fetches_no_other_language(tab: Tab) -> None:
    tab.open(QUESTION).settled()
    assert not [request.url for request in tab.requests if re.search(r"/(de|es|zh)-[\w-]+\.js$", request.url)]


def test_a_course_written_from_right_to_left_keeps_its_direction_inside_an_english_page(
    copy_of_site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]
) -> None:
    page = copy_of_site / "index.html"
    html = page.read_text("utf-8")
    page.unlink()
    page.write_text(html.replace('<html lang="en" dir="ltr"', '<html lang="ar" dir="rtl"'), "utf-8")
    tab = tab_at(serve(copy_of_site)).open(QUESTION).settled()
    direction = "element => getComputedStyle(element).direction"
    assert tab.answer.locator("h2").evaluate(direction) == "ltr"
    assert tab.answer.locator(".quote").first.evaluate(direction) == "rtl"
    assert tab.passages.first.locator("h3").evaluate(direction) == "rtl"
