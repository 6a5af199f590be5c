"""The page as its reader sees it, for the tests of this folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from playwright.sync_api import Error, Locator, Page, Request, expect

# The encoder is 37 MB from this machine's disk and then compiled: a busy machine takes its time.
ENCODER_MS = 90_000


@dataclass
class Tab:
    """The page as its reader sees it, and everything it asked the network for."""

    page: Page
    url: str
    requests: list[Request] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, question: str = "", working: str | None = "") -> Tab:
        """Open the page, with a question in its address when one is given.

        ``working`` names the block that is open; "" for none of them, None for a reader who never opened the working.
        """
        parameters = {"q": question or None, "working": working}
        given = [f"{name}={quote(value)}" for name, value in parameters.items() if value is not None]
        self.page.goto(self.url + ("?" + "&".join(given) if given else ""))
        expect(self.readiness).to_contain_text("Keyword search is ready")
        return self

    def ask(self, question: str) -> Tab:
        """Type a question and press Enter."""
        self.box.fill(question)
        self.box.press("Enter")
        return self

    def settled(self) -> Tab:
        """Wait until the question has its answer, or a refusal, or an error."""
        self.page.wait_for_function(
            "() => { const view = document.querySelector('open-book-app').view;"
            " return view.mode === 'asked' && (view.trace || view.askError); }",
            timeout=ENCODER_MS,
        )
        return self

    @property
    def box(self) -> Locator:
        return self.page.get_by_label("Your question")

    @property
    def readiness(self) -> Locator:
        return self.page.locator("ob-readiness")

    @property
    def answer(self) -> Locator:
        return self.page.locator("ob-answer")

    @property
    def passages(self) -> Locator:
        return self.page.locator("ob-passage")

    @property
    def problems(self) -> Locator:
        return self.page.locator("ob-problems")

    @property
    def working(self) -> Locator:
        return self.page.locator("ob-working")

    def block(self, name: str) -> Locator:
        """The button of a block of the working, by the class that its stage gives it."""
        return self.working.locator(f".block.{name} button")

    def trace(self) -> dict[str, Any]:
        """What the page knows of the question."""
        trace: dict[str, Any] = self.page.evaluate("document.querySelector('open-book-app').view.trace")
        return trace

    def foreign(self) -> list[str]:
        """Addresses of other origins that were asked for."""
        own = urlsplit(self.url).netloc
        return [request.url for request in self.requests if urlsplit(request.url).netloc not in {own, ""}]


def replace(folder: Path, path: str, content: bytes) -> None:
    """Put other bytes in the place of a file, without touching the file it is a link to."""
    target = folder / path
    target.unlink()
    target.write_bytes(content)


def transferred(requests: list[Request]) -> dict[str, int]:
    """Bytes of each answered request as they came over the network, headers included."""
    sizes: dict[str, int] = {}
    for request in requests:
        try:
            found = request.sizes()
        except Error:  # it was still running, or was stopped
            continue
        sizes[request.url] = found["responseBodySize"] + found["responseHeadersSize"]
    return sizes
