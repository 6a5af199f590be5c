"""``<open-book>`` and ``embed.html`` on pages of somebody else."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser_tab import ENCODER_MS
from playwright.sync_api import BrowserContext, Page, expect

from openbook.pages.assets import client_folder

ANSWERED = "At which temperature does yeast work fastest?"

TOP = '<!doctype html><link rel="icon" href="data:,">'

HOSTILE = """
<style>
  html { font-size: 10px; }
  * { all: unset !important; }
  *, ::before, ::after { color: red !important; font: italic 40px fantasy !important; }
  p, button, textarea, svg, a { display: none !important; }
  :root { --ob-ink: red; --ob-space-4: 90px; }
</style>
"""


class Host:
    """A page of somebody else in a tab."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, url: str) -> Host:
        self.page.goto(url)
        return self

    def ask(self, question: str, number: int = 0) -> None:
        box = self.page.get_by_label("Your question").nth(number)
        box.fill(question)
        box.press("Enter")

    def answered(self, number: int = 0) -> None:
        answer = self.page.locator("open-book").nth(number).locator("ob-answer")
        expect(answer).to_contain_text("27 °C", timeout=ENCODER_MS)


@pytest.fixture
def host(context: BrowserContext) -> Host:
    return Host(context.new_page())


@pytest.fixture
def page_at(tmp_path: Path, copy_of_site: Path, serve: Callable[..., str]) -> Callable[..., str]:
    """``page_at(body)`` → the address of a page of that body, with the site below ``course/`` of the same host."""

    def make(body: str, head: str = "") -> str:
        folder = tmp_path / "host"
        folder.mkdir()
        copy_of_site.rename(folder / "course")
        (folder / "index.html").write_text(f"{TOP}<title>Host</title>{head}{body}", "utf-8")
        return serve(folder, "/some%20where/")

    return make


SCRIPT = '<script type="module" src="course/openbook.js"></script>'


def test_a_question_is_answered_on_a_page_of_the_same_host_and_the_citation_leads_into_the_site(
    page_at: Callable[..., str], host: Host
) -> None:
    host.open(page_at(f'{SCRIPT}<open-book src="course/"><a href="course/">Ask the notes</a></open-book>'))
    address = host.page.url
    host.ask(ANSWERED)
    host.answered()
    assert host.page.url == address
    assert host.page.title() == "Host"
    host.page.locator("open-book .cite").first.click()
    expect(host.page).to_have_url(
        re.compile(r"/some%20where/course/lectures/l01-bread/notes\.html#yeast-and-temperature")
    )
    expect(host.page.get_by_role("heading", name="Yeast and temperature")).to_be_visible()
    assert host.complaints == []


def test_it_is_answered_on_a_page_of_another_host_when_the_site_s_host_allows_it(
    site: Path, tmp_path: Path, serve: Callable[..., str], host: Host
) -> None:
    course = serve(site, "/course/", cors=True)
    (tmp_path / "index.html").write_text(
        f'{TOP}<script type="module" src="{course}openbook.js"></script><open-book compact></open-book>'
    )
    host.open(serve(tmp_path))
    host.ask(ANSWERED)
    host.answered()
    expect(host.page.locator("open-book ob-passage a").first).to_have_attribute("href", re.compile("^" + course))
    assert host.complaints == []


def test_without_permission_of_the_site_s_host_the_author_s_own_link_stays(
    site: Path, tmp_path: Path, serve: Callable[..., str], host: Host
) -> None:
    course = serve(site, "/course/")
    (tmp_path / "index.html").write_text(
        f'{TOP}<script type="module" src="{course}openbook.js"></script>'
        f'<open-book><a href="{course}">Ask the notes</a></open-book>'
    )
    host.open(serve(tmp_path))
    expect(host.page.get_by_role("link", name="Ask the notes")).to_be_visible()
    assert any("CORS" in complaint for complaint in host.complaints)


def test_a_hostile_style_sheet_does_not_reach_it_and_its_own_do_not_leave_it(
    page_at: Callable[..., str], host: Host
) -> None:
    host.open(page_at(f"<p id=p>x</p><h2 id=h>y</h2>{SCRIPT}<open-book></open-book>", HOSTILE))
    styled = "id => JSON.stringify(Object.fromEntries([...getComputedStyle(document.getElementById(id))].map(n =>"
    styled += " [n, getComputedStyle(document.getElementById(id)).getPropertyValue(n)])))"
    before = [host.page.evaluate(styled, name) for name in "ph"]
    names = set(host.page.evaluate("Object.getOwnPropertyNames(window)"))
    host.ask(ANSWERED)
    host.answered()
    host.page.keyboard.press("Escape")
    look = host.page.locator("open-book textarea").evaluate(
        "e => ({...Object.fromEntries(['color', 'fontSize', 'fontStyle', 'display', 'paddingLeft'].map("
        "n => [n, getComputedStyle(e)[n]]))})"
    )
    assert look == {
        "color": "rgb(33, 29, 24)",
        "fontSize": "20px",
        "fontStyle": "normal",
        "display": "block",
        "paddingLeft": "12px",
    }
    assert [host.page.evaluate(styled, name) for name in "ph"] == before
    assert (
        host.page.evaluate(
            "document.adoptedStyleSheets.length + document.querySelectorAll('link:not([rel=icon])').length"
        )
        == 0
    )
    added = set(host.page.evaluate("Object.getOwnPropertyNames(window)")) - names
    assert {name for name in added if not name.startswith(("lit", "reactiveElement"))} == set()
    assert host.complaints == []


def test_its_colours_follow_the_page_and_what_the_page_s_author_set(page_at: Callable[..., str], host: Host) -> None:
    style = (
        "<style>open-book { color-scheme: dark; --open-book-accent: rgb(200, 0, 100); --open-book-size: 20px }</style>"
    )
    host.open(page_at(f"{SCRIPT}<open-book></open-book>", style))
    send = host.page.get_by_role("button", name="Ask", exact=True)
    expect(send).to_have_css("background-color", "rgb(200, 0, 100)")
    expect(send).to_have_css("min-inline-size", "55px")
    expect(host.page.locator("ob-embedded-box")).to_have_css("color", "rgb(236, 231, 222)")


def test_two_on_a_page_share_a_worker_and_an_encoder(
    page_at: Callable[..., str], host: Host, context: BrowserContext
) -> None:
    fetched: list[str] = []
    context.on("request", lambda request: fetched.append(request.url))
    host.open(page_at(f'{SCRIPT}<open-book question="{ANSWERED}" compact></open-book><hr><open-book></open-book>'))
    host.answered(0)
    host.ask("How warm does yeast like it best?", 1)
    host.answered(1)
    expect(host.page.locator("open-book").nth(0).locator("textarea")).to_have_value(ANSWERED)
    assert len(host.page.workers) == 1
    assert len([url for url in fetched if url.endswith(".onnx")]) == 1
    assert host.complaints == []


def test_keys_of_the_page_round_it_are_the_page_s(page_at: Callable[..., str], host: Host) -> None:
    keys = "<script>pressed = []; addEventListener('keydown', e => pressed.push(e.key));</script>"
    host.open(page_at(f"{keys}{SCRIPT}<open-book></open-book>"))
    box = host.page.get_by_label("Your question")
    expect(box).to_be_visible()
    host.page.keyboard.press("/")
    assert host.page.evaluate("document.activeElement.tagName") == "BODY"
    box.press_sequentially("a b")
    assert host.page.evaluate("pressed") == ["/"]


def test_the_working_is_shown_where_it_is_asked_for(page_at: Callable[..., str], host: Host) -> None:
    host.open(page_at(f'{SCRIPT}<open-book working question="{ANSWERED}"></open-book>'))
    host.answered()
    host.page.locator("ob-working .block.keyword button").click()
    expect(host.page.locator("ob-working .panel")).to_contain_text("BM25")
    link = host.page.get_by_role("link", name="Open in A kitchen course")
    expect(link).to_have_attribute("href", re.compile(r"/course/index\.html#q=At\+which"))
    assert host.complaints == []


def test_one_lecture_alone_is_searched_until_the_reader_wants_all(page_at: Callable[..., str], host: Host) -> None:
    host.open(page_at(f'{SCRIPT}<open-book lecture="l03-tea"></open-book>'))
    box = host.page.get_by_label("Your question")
    box.fill("minutes")
    places = host.page.locator("ob-passages .group")
    expect(places.first).to_contain_text("Lecture 3")
    assert {"Lecture 3" in text for text in places.all_inner_texts()} == {True}
    box.fill("gliadin")
    host.page.get_by_role("button", name="Search the whole course").click()
    expect(places.first).to_contain_text("Lecture 1")
    assert host.complaints == []


def test_a_frame_tells_its_height_and_takes_parameters(page_at: Callable[..., str], host: Host) -> None:
    listen = """<script>
      heights = [];
      addEventListener("message", (event) => { if (event.data?.type === "open-book:height") {
        heights.push(event.data.height);
        document.querySelector("iframe").style.height = event.data.height + "px";
      } });
    </script>"""
    host.open(
        page_at(f'{listen}<iframe src="course/embed.html?compact&scheme=dark&accent=%23c80064" width="600"></iframe>')
    )
    frame = host.page.frame_locator("iframe")
    box = frame.get_by_label("Your question")
    expect(frame.get_by_text("Keyword search is ready")).to_be_visible()
    expect(frame.get_by_role("button", name="Ask", exact=True)).to_have_css("background-color", "rgb(200, 0, 100)")
    expect(frame.locator("html")).to_have_css("color-scheme", "dark")
    idle = host.page.evaluate("heights.at(-1)")
    assert 80 < idle < 300
    box.fill(ANSWERED)
    box.press("Enter")
    expect(frame.locator("ob-answer")).to_contain_text("27 °C", timeout=ENCODER_MS)
    expect(frame.locator("ob-passage").first).to_be_visible()
    host.page.wait_for_function("() => heights.at(-1) > 600")
    host.page.wait_for_function(
        "() => { const w = frames[0]; return w.document.scrollingElement.scrollHeight <= w.innerHeight; }"
    )
    frame.get_by_role("button", name="Clear").click()
    host.page.wait_for_function("idle => Math.abs(heights.at(-1) - idle) < 40", arg=idle)
    with host.page.context.expect_page() as opened:
        box.fill("gliadin")
        frame.locator("ob-passage h3 a").first.click()
    expect(opened.value.get_by_role("heading", name="Why dough has to rest")).to_be_visible()
    assert host.complaints == []


def test_a_deck_of_the_course_s_own_ends_with_the_page_that_answers(
    site: Path, serve: Callable[..., str], host: Host
) -> None:
    host.open(serve(site) + "lectures/l01-bread/slides.html")
    frame = host.page.locator("iframe.book")
    frame.scroll_into_view_if_needed()
    inside = frame.content_frame
    inside.get_by_label("Your question").fill("gliadin")
    expect(inside.locator("ob-passage").first).to_contain_text("Why dough has to rest")
    host.page.wait_for_function("() => document.querySelector('iframe.book').clientHeight > 300")
    inside.get_by_role("link", name="Why dough has to rest").click()
    expect(host.page).to_have_url(re.compile(r"/lectures/l01-bread/notes\.html#why-dough-has-to-rest"))
    assert host.complaints == []


# The snippets of the document, as they stand there.

DOCUMENT = (Path(__file__).parents[2] / "docs/embedding.md").read_text("utf-8")


def snippet(language: str, beginning: str) -> str:
    """The block of that language that begins so."""
    blocks = re.findall(rf"^(`{{3,4}}){language}\n(.*?)^\1$", DOCUMENT, re.MULTILINE | re.DOTALL)
    (found,) = (text for _, text in blocks if text.startswith(beginning))
    return found


def test_the_document_s_component_and_its_styles_work(page_at: Callable[..., str], host: Host) -> None:
    style = snippet("css", "open-book {")
    host.open(page_at(snippet("html", "<script type"), f"<style>:root {{ color-scheme: light }} {style}</style>"))
    host.page.get_by_label("Your question").fill("gliadin")
    expect(host.page.locator("ob-passage").first).to_contain_text("Why dough has to rest")
    expect(host.page.get_by_role("button", name="Ask", exact=True)).to_have_css("background-color", "rgb(122, 31, 61)")
    expect(host.page.locator("ob-embedded-box")).to_have_css("border-radius", "0px")
    assert host.complaints == []


def test_the_document_s_frame_grows_with_what_is_in_it(page_at: Callable[..., str], host: Host) -> None:
    host.open(page_at(snippet("html", "<iframe")))
    frame = host.page.frame_locator("iframe")
    frame.get_by_label("Your question").fill("gliadin")
    expect(frame.locator("ob-passage").first).to_be_visible()
    host.page.wait_for_function("() => document.querySelector('iframe').clientHeight > 300")
    assert host.complaints == []


def test_the_document_s_slide_works_and_every_property_of_the_document_is_one(
    page_at: Callable[..., str], host: Host
) -> None:
    host.open(page_at(snippet("html", "<section>")))
    box = host.page.get_by_label("Your question")
    expect(box).to_have_css("font-size", "27.5px")
    tokens = host.page.evaluate(
        "customElements.get('ob-embedded-box').elementStyles.map(sheet => sheet.cssText).join(' ')"
    )
    named = set(re.findall(r"--open-book-[\w-]+", DOCUMENT))
    used = set(re.findall(r"--open-book-[\w-]+", tokens)) | {"--open-book-size"}
    assert named - used == set()
    assert used - named == {"--open-book-accent-strong"}
    assert host.complaints == []


def test_what_a_page_loads_for_it_stays_below_40_kB_before_the_worker() -> None:
    folder = client_folder()
    seen: set[str] = set()

    def load(name: str, *, lazily: bool = False) -> None:
        if name in seen:
            return
        seen.add(name)
        code = (folder / name).read_text("utf-8")
        here = Path(name).parent
        imported = re.findall(r"""(?:from|import)\s*["'](\./[^"']+\.js)["']""", code)
        if lazily:
            imported += re.findall(r"""import\(["'`](\./assets/box-[^"'`]+\.js)["'`]\)""", code)
        for other in imported:
            load((here / other).as_posix())

    load("openbook.js", lazily=True)
    assert any(name.startswith("assets/box-") for name in seen)
    sizes = {name: len(gzip.compress((folder / name).read_bytes(), 9)) for name in seen}
    assert sum(sizes.values()) < 40_000, sizes
