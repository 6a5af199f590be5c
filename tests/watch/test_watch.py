"""The site follows its sources while an author writes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from openbook.build_report import BuildReport
from openbook.config import load_config
from openbook.errors import OpenbookError
from openbook.models.embeddings import EmbeddingCache
from openbook.pages.live import FOLDER, Live
from openbook.pages.serve import serving
from openbook.progress import Reporter
from openbook.watch import watch_site

AS_OF = date(2026, 12, 1)
NOTES = (
    "# Bread\n\nFlour and water.\n\n## Dough\n\nIt has to rest for an hour.\n\n## Oven\n\nSteam keeps the crust soft.\n"
)


@dataclass
class Watched:
    """A course that is watched: what its builds said, and where its site is."""

    course: Path
    out: Path
    live: Live
    results: queue.Queue[BuildReport | OpenbookError]

    def next(self) -> BuildReport | OpenbookError:
        return self.results.get(timeout=120)

    def built(self) -> BuildReport:
        result = self.next()
        assert isinstance(result, BuildReport), result
        return result

    def holds(self, text: str) -> bool:
        """Whether any file of the site has these words."""
        return any(text.encode() in path.read_bytes() for path in self.out.rglob("*") if path.is_file())


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    course = tmp_path / "course"
    (course / "lectures").mkdir(parents=True)
    (course / "openbook.toml").write_text('[course]\ntitle = "Kitchen"\n[sources]\nroot = "lectures"\n')
    (course / "lectures/l01.md").write_text(NOTES)
    (course / "lectures/l02.md").write_text("# Tea\n\nThe rare word quixotic stands here.\n")
    out, live, stop = course / "dist", Live(), threading.Event()
    results: queue.Queue[BuildReport | OpenbookError] = queue.Queue()

    def told(result: BuildReport | OpenbookError) -> None:
        live.built()
        results.put(result)

    thread = threading.Thread(
        target=watch_site,
        args=(lambda: load_config(course), out),
        kwargs={
            "as_of": AS_OF,
            "cache": EmbeddingCache(tmp_path / "cache"),
            "reporting": lambda: nullcontext(Reporter()),
            "told": told,
            "stop": stop,
        },
    )
    thread.start()
    yield Watched(course, out, live, results)
    stop.set()
    thread.join(timeout=60)
    assert not thread.is_alive()


def test_an_edit_of_one_section_embeds_that_section_alone(watched: Watched) -> None:
    first = watched.built()
    assert first.embedded > 1
    (watched.course / "lectures/l01.md").write_text(NOTES.replace("an hour", "two hours"))
    second = watched.built()
    assert second.embedded == 1
    assert second.chunks == first.chunks
    assert watched.holds("two hours")


def test_a_removed_file_leaves_nothing_behind(watched: Watched) -> None:
    watched.built()
    assert watched.holds("quixotic")
    assert (watched.out / "lectures/l02/notes.html").is_file()
    (watched.course / "lectures/l02.md").unlink()
    watched.built()
    assert not watched.holds("quixotic")
    assert not (watched.out / "lectures/l02").exists()


def test_a_mistake_is_told_and_leaves_the_site_as_it_was(watched: Watched) -> None:
    watched.built()
    (watched.course / "openbook.toml").write_text("[course\n")
    assert isinstance(watched.next(), OpenbookError)
    assert watched.holds("quixotic")
    (watched.course / "openbook.toml").write_text('[course]\ntitle = "Bakery"\n[sources]\nroot = "lectures"\n')
    assert watched.built().course == "Bakery"


@pytest.mark.browser
def test_an_open_page_loads_itself_again_and_its_policy_has_nothing_to_complain_of(
    watched: Watched, page: Page
) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    watched.built()
    with ExitStack() as stack:
        url = stack.enter_context(serving(watched.out, "/course/", live=watched.live))
        page.goto(f"{url}lectures/l01/notes.html")
        expect(page.get_by_text("It has to rest for an hour.")).to_be_visible()
        (watched.course / "lectures/l01.md").write_text(NOTES.replace("an hour", "two hours"))
        watched.built()
        expect(page.get_by_text("It has to rest for two hours.")).to_be_visible()
        page.goto(f"{url}index.html")
        expect(page.get_by_text("Keyword search is ready")).to_be_visible()
        page.evaluate("document.body.dataset.before = 'yes'")
        watched.live.built()
        expect(page.locator("body[data-before]")).to_have_count(0)
        page.goto("about:blank")
    assert complaints == []


def test_a_site_that_is_not_watched_has_no_script_for_it(watched: Watched) -> None:
    watched.built()
    assert not watched.holds(FOLDER)
