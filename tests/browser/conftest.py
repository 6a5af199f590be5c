"""A small course, really built, served as a static host would, and opened in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import pytest
from bench.harness import build_harness
from browser_tab import Tab
from playwright.sync_api import BrowserContext, expect

from openbook.build import build_site
from openbook.config import load_config
from openbook.pages.serve import serving

AS_OF = date(2026, 12, 1)
COURSE = Path(__file__).parent / "course"

expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder opens a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small course's site. Not to be changed: take ``copy_of_site`` for that."""
    out = tmp_path_factory.mktemp("browser") / "dist"
    build_site(load_config(COURSE), out=out, as_of=AS_OF)
    return out


@pytest.fixture(scope="session")
def shipped_site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the course that ships."""
    out = tmp_path_factory.mktemp("shipped") / "dist"
    build_site(load_config(root), out=out, as_of=date(2026, 12, 5))
    return out


@pytest.fixture(scope="session")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's engines and downloads, built apart from the page."""
    return build_harness(tmp_path_factory.mktemp("harness") / "built")


@pytest.fixture
def copy_of_site(site: Path, tmp_path: Path) -> Path:
    """A copy whose files may be replaced (never written into: they are links to the originals)."""
    folder = tmp_path / "dist"
    shutil.copytree(site, folder, copy_function=os.link)
    return folder


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """``serve(folder, base_path, cors=…)`` → the site's address, as long as the test runs."""
    with ExitStack() as stack:
        yield lambda folder, base_path="/", cors=False: stack.enter_context(serving(folder, base_path, cors=cors))


@pytest.fixture
def tab_at(context: BrowserContext) -> Callable[[str], Tab]:
    """``tab_at(address)`` → a tab that has not been opened yet."""

    def make(url: str) -> Tab:
        tab = Tab(context.new_page(), url)
        context.on("request", lambda request: tab.requests.append(request))
        tab.page.on("console", lambda message: tab.complaints.append(message.text) if message.type == "error" else None)
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        return tab

    return make


@pytest.fixture
def tab(site: Path, serve: Callable[..., str], tab_at: Callable[[str], Tab]) -> Iterator[Tab]:
    """The small course in a tab. Anything that the browser complains of fails the test."""
    tab = tab_at(serve(site))
    yield tab
    assert tab.complaints == []
