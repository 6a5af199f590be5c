"""Pictures of the page in every state, to be looked at: ``python -m bench.screens OUT [NAME…]``.

Each state is brought about in a real browser and taken at 360, 768 and 1440 px, light and dark; the narrow one with a
finger for a pointer. ``OPENBOOK_SCREENS_SITE`` names a site of the shipped course that has been built already; names
of states leave out the others.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import click
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from bench.site import READY_MS, built_site
from openbook.browser import FLAGS, find_chromium
from openbook.pages.serve import serving

Scheme = Literal["light", "dark"]
WIDTHS = {"phone": (360,), "desk": (768, 1440)}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
QUESTION = "Why must the split keep all rows of one pump on the same side?"
THEN = ("and if the class shares have to stay alike too?", "Where do I put optimizer.zero_grad()?")
REFUSED = "Who won the football world cup in 1998?"
NEAR_MISS = "How does SMOTE create synthetic minority samples?"
NOTES = "lectures/l08-evaluating-on-groups-and-time/notes.html"
DECK = "lectures/l08-evaluating-on-groups-and-time/slides.html"
BLOCKS = ("keyword", "embed", "dense", "fuse", "rerank", "gate", "prompt", "answer", "generate", "check")
IN_SIGHT = ("cited", "arrived")
"""What is looked at is where the page stands."""
BUILD_BLOCKS = ("lectures", "chunks", "vectors", "index", "pages")

expect.set_options(timeout=20_000)


class Tab:
    """A page on the site, with what the states need to be brought about."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def open(self, question: str = "", working: str | None = None) -> Tab:
        """Open the page; with a question it is asked, and waited for."""
        given = {"q": question or None, "working": working}
        parameters = [f"{name}={quote(value)}" for name, value in given.items() if value is not None]
        self.page.goto("about:blank")
        self.page.goto(self.url + ("?" + "&".join(parameters) if parameters else ""))
        expect(self.page.locator("ob-readiness .ready, ob-problems section").first).to_be_visible()
        if question:
            self.settled()
        return self

    def ask(self, question: str) -> Tab:
        """Send a question and wait for what becomes of it."""
        box = self.page.locator("ob-ask-box textarea")
        box.fill(question)
        box.press("Enter")
        return self.settled()

    def settled(self) -> Tab:
        """Wait until the question has its answer, or a refusal, or an error."""
        self.page.wait_for_function(
            "() => { const view = document.querySelector('open-book-app').view;"
            " return view.mode === 'asked' && (view.trace || view.askError); }",
            timeout=READY_MS,
        )
        return self

    def routed(self, pattern: str, answer: Callable[[Route], None]) -> Tab:
        """Answer what matches in place of the host."""
        self.page.context.route(pattern, answer)
        return self

    def changed(self, path: str, change: Callable[[str], str]) -> Tab:
        """The same file of the site, changed on its way."""

        def answer(route: Route) -> None:
            found = route.fetch()
            route.fulfill(response=found, body=change(found.text()))

        return self.routed(f"{self.url}{path}", answer)

    def spoken(self, language: str, direction: str = "ltr") -> Tab:
        """As the site of a course in that language."""
        return self.routed(
            f"{self.url}?**",
            lambda route: route.fulfill(
                response=(found := route.fetch()),
                body=found.text().replace('<html lang="en" dir="ltr"', f'<html lang="{language}" dir="{direction}"'),
            ),
        )

    def hosted(self, body: str) -> Tab:
        """A page of somebody else round the site."""
        html = f"<!doctype html><title>Host</title><meta name=viewport content='width=device-width'>{body}"
        self.routed(f"{self.url}host.html", lambda route: route.fulfill(content_type="text/html", body=html))
        self.page.goto(f"{self.url}host.html")
        return self


def _working(block: str) -> Callable[[Tab], None]:
    def state(tab: Tab) -> None:
        tab.open(QUESTION, block)
        expect(tab.page.locator("ob-working .panel")).to_be_visible()
        tab.page.wait_for_timeout(400)

    return state


def _guided(step: int) -> Callable[[Tab], None]:
    def state(tab: Tab) -> None:
        tab.open()
        tab.page.locator("open-book-app .tour li button").nth(step).click()
        tab.settled()
        expect(tab.page.locator("ob-working .panel")).to_be_visible()

    return state


def _language(name: str) -> Callable[[Tab], object]:
    return lambda tab: tab.spoken(name).open(QUESTION, "gate")


def _typing(tab: Tab) -> None:
    tab.open().page.locator("ob-ask-box textarea").press_sequentially("shuffled split leak")
    expect(tab.page.locator("ob-passage .text").first).to_be_visible()


def _loading(tab: Tab) -> None:
    tab.routed("**/*.onnx", lambda route: None).page.goto(f"{tab.url}?q={quote(QUESTION)}")
    expect(tab.page.locator("ob-passage .text").first).to_be_visible()


def _opening(tab: Tab) -> None:
    tab.routed("**/manifest.json", lambda route: None).page.goto(tab.url)
    expect(tab.page.locator("ob-readiness")).to_be_visible()


def _cited(tab: Tab) -> None:
    tab.open(QUESTION).page.locator("ob-answer .cite").first.focus()


def _whole(tab: Tab) -> None:
    tab.open(QUESTION).page.locator("ob-passage [aria-expanded]").first.click()


def _none(tab: Tab) -> None:
    tab.open().page.locator("ob-ask-box textarea").fill("xyzzy")
    expect(tab.page.locator("ob-passages .none")).to_be_visible()


def _unjudged(tab: Tab) -> None:
    tab.routed("**/*.onnx", lambda route: route.fulfill(status=200, content_type="text/html", body="x")).open(QUESTION)
    tab.page.locator("ob-readiness summary").click()


def _failed(tab: Tab) -> None:
    tab.routed("**/passages-*.json", lambda route: route.fulfill(status=404)).open(QUESTION)


def _no_index(tab: Tab) -> None:
    tab.routed("**/index/manifest.json", lambda route: route.fulfill(status=404)).open()


def _old_page(tab: Tab) -> None:
    def other(text: str) -> str:
        manifest = json.loads(text)
        files = manifest["files"].items()
        manifest["files"] = {name: file for name, file in files if "/worker-" not in file["path"]}
        return json.dumps(manifest)

    tab.changed("index/manifest.json", other).open()


def _saves_data(tab: Tab) -> None:
    tab.page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    tab.open(QUESTION)


def _updated(tab: Tab) -> None:
    def other(text: str) -> str:
        manifest = json.loads(text)
        manifest["files"]["site"]["sha256"] = "0" * 64
        return json.dumps(manifest)

    tab.open(QUESTION).changed("index/manifest.json", other)
    tab.page.wait_for_timeout(4000)
    tab.page.evaluate("dispatchEvent(new Event('online'))")
    expect(tab.page.get_by_text("The notes were updated")).to_be_visible()


def _filtered(tab: Tab) -> None:
    tab.page.goto(f"{tab.url}?q={quote(REFUSED)}&lecture=l08-evaluating-on-groups-and-time")
    tab.settled()


def _talked(tab: Tab) -> None:
    tab.open(QUESTION)
    expect(tab.page.locator("ob-earlier section")).to_be_attached()
    for question in THEN:
        tab.ask(question)
    tab.page.locator("ob-earlier .question").first.click()


def _followed(tab: Tab) -> None:
    tab.open(QUESTION)
    expect(tab.page.locator("ob-earlier section")).to_be_attached()
    tab.ask(THEN[0])


def _storage(tab: Tab) -> None:
    tab.open(QUESTION).page.wait_for_timeout(4000)
    tab.page.locator("open-book-app .device summary").click()
    expect(tab.page.locator("ob-storage")).to_be_visible()
    tab.page.wait_for_timeout(500)


def _models(tab: Tab) -> None:
    tab.open(QUESTION).page.locator("ob-generation button").first.click()
    expect(tab.page.locator("ob-engine-choice input[type=radio]").first).to_be_visible()


def _read(path: str, fragment: str) -> Callable[[Tab], None]:
    def state(tab: Tab) -> None:
        tab.page.goto(f"{tab.url}{path}{fragment}")
        tab.page.wait_for_timeout(400)

    return state


def _arrived(tab: Tab) -> None:
    tab.open(QUESTION).page.locator("ob-answer .cite").first.click()
    tab.page.wait_for_timeout(600)


def _zoomed(tab: Tab) -> None:
    tab.page.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '200%')"
    )
    tab.open(QUESTION, "")


def _embedded(tab: Tab) -> None:
    tab.hosted(
        "<body style='max-width:46rem;margin:2rem auto;padding:0 1rem;font-family:sans-serif'>"
        "<h1>Week 8</h1><p>Read the notes, then ask them.</p>"
        f'<script type="module" src="openbook.js"></script><open-book question="{QUESTION}"></open-book>'
    )
    expect(tab.page.locator("ob-answer .quote").first).to_be_visible(timeout=READY_MS)


def _embedded_idle(tab: Tab) -> None:
    tab.hosted(
        "<body style='max-width:46rem;margin:2rem auto;padding:0 1rem;font-family:sans-serif'>"
        '<h1>Week 8</h1><script type="module" src="openbook.js"></script><open-book></open-book>'
    )
    expect(tab.page.locator("ob-readiness .ready").first).to_be_visible()


def _framed(tab: Tab) -> None:
    tab.page.goto(f"{tab.url}embed.html")
    expect(tab.page.locator("ob-readiness .ready").first).to_be_visible()


def _printed(tab: Tab) -> None:
    tab.open(QUESTION, "gate").page.emulate_media(media="print")


STATES: dict[str, Callable[[Tab], object]] = {
    "opening": _opening,
    "empty": lambda tab: tab.open(),
    "typing": _typing,
    "loading": _loading,
    "answered": lambda tab: tab.open(QUESTION),
    "cited": _cited,
    "whole": _whole,
    "refused": lambda tab: tab.open(REFUSED),
    "near-miss": lambda tab: tab.open(NEAR_MISS),
    "none": _none,
    "unjudged": _unjudged,
    "failed": _failed,
    "no-index": _no_index,
    "old-page": _old_page,
    "saves-data": _saves_data,
    "updated": _updated,
    "filtered": _filtered,
    "followed": _followed,
    "talked": _talked,
    "storage": _storage,
    "models": _models,
    "working-idle": lambda tab: tab.open("", ""),
    "working": lambda tab: tab.open(QUESTION, ""),
    **{f"working-{name}": _working(name) for name in BLOCKS},
    **{f"build-{name}": _working(f"build-{name}") for name in BUILD_BLOCKS},
    **{f"guide-{step + 1}": _guided(step) for step in range(5)},
    "arrived": _arrived,
    "notes": _read(NOTES, ""),
    "deck": _read(DECK, ""),
    "lectures": _read("lectures/index.html", ""),
    "evaluation": _read("evaluation/index.html", ""),
    "print": _printed,
    "zoomed": _zoomed,
    "right-to-left": lambda tab: tab.spoken("ar", "rtl").open(QUESTION, ""),
    "embedded": _embedded,
    "embedded-idle": _embedded_idle,
    "framed": _framed,
    **{f"language-{name}": _language(name) for name in ("de", "es", "zh")},
}


@contextmanager
def _context(browser: Browser, device: str) -> Iterator[BrowserContext]:
    phone = device == "phone"
    context = browser.new_context(
        viewport={"width": WIDTHS[device][-1], "height": 800}, has_touch=phone, is_mobile=phone
    )
    yield context
    context.close()


def take(out: Path, url: str, names: list[str]) -> Iterator[Path]:
    """Bring about each state on both devices and write its pictures."""
    out.mkdir(parents=True, exist_ok=True)
    chromium = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name in names:
            for device, widths in WIDTHS.items():
                with _context(browser, device) as context:
                    tab = Tab(context.new_page(), url)
                    STATES[name](tab)
                    yield from _pictures(tab.page, out, name, widths)
        browser.close()


def _pictures(page: Page, out: Path, name: str, widths: tuple[int, ...]) -> Iterator[Path]:
    for width in widths:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(150)
            path = out / f"{name}-{width}-{scheme}.png"
            if name in IN_SIGHT:
                page.screenshot(path=path)
            else:
                path.write_bytes(_all_of(page))
            yield path


def _all_of(page: Page) -> bytes:
    """All of the page as its device shows it; Playwright's own picture of a whole page is taken with a mouse."""
    height = page.evaluate("document.documentElement.scrollHeight")
    width = page.evaluate("innerWidth")
    devtools = page.context.new_cdp_session(page)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    taken = devtools.send("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    devtools.detach()
    return b64decode(taken["data"])


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.argument("names", nargs=-1, type=click.Choice(list(STATES)))
def main(out: Path, names: tuple[str, ...]) -> None:
    """Write pictures of the page into OUT: of every state, or of those NAMED."""
    given = os.environ.get("OPENBOOK_SCREENS_SITE")
    with nullcontext(Path(given)) if given else built_site() as site, serving(site) as url:
        for path in take(out, url, list(names) or list(STATES)):
            print(path, flush=True)


if __name__ == "__main__":
    main()
