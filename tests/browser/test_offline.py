"""What was read once is there without a network; a newer version is told of, and not mixed with the open one."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from browser_tab import ENCODER_MS, Tab, replace
from playwright.sync_api import Locator, Page, expect

from openbook.build import build_site
from openbook.config import load_config
from openbook.pages.serve import Server

TabAt = Callable[[str], Tab]


class Cuttable(Server):
    """A server that ends the connections it has, which a browser would otherwise go on using."""

    def __init__(self, folder: Path, *, port: int, base_path: str) -> None:
        self._open: list[socket.socket] = []
        super().__init__(folder, port=port, base_path=base_path)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.append(connection)
        return connection, address

    def cut(self) -> None:
        self.shutdown()
        self.server_close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class Host:
    """A host that can go away."""

    def __init__(self, folder: Path, base_path: str = "/") -> None:
        self._server: Cuttable | None = Cuttable(folder, port=0, base_path=base_path)
        self.url = self._server.url
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def down(self) -> None:
        if self._server:
            self._server.cut()
        self._server = None


@pytest.fixture
def host() -> Iterator[Callable[..., Host]]:
    with ExitStack() as stack:

        def make(folder: Path, base_path: str = "/") -> Host:
            made = Host(folder, base_path)
            stack.callback(made.down)
            return made

        yield make


KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys())
    found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return found;
}"""


def kept(page: Page) -> dict[str, list[str]]:
    """Paths of what the browser keeps, by cache."""
    found: dict[str, list[str]] = page.evaluate(KEPT)
    return found


def until(page: Page, expression: str) -> None:
    """Wait until this is true; it may be a promise, which ``wait_for_function`` takes for true at once."""
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"never came true: {expression}; kept is {kept(page)}")


def is_kept(page: Page, address: str) -> None:
    """Wait until this address is kept with the site."""
    until(
        page,
        """async () => {
          for (const name of await caches.keys())
            if (name.startsWith("openbook site") && await (await caches.open(name)).match(ADDRESS)) return true;
          return false; }""".replace("ADDRESS", json.dumps(address)),
    )


def start_is_kept(tab: Tab) -> None:
    """Wait until the pair of page and manifest is kept, which comes when all that was used is."""
    is_kept(tab.page, f"{tab.url}index/manifest.json")


def files(folder: Path) -> dict[str, dict[str, str]]:
    manifest = json.loads((folder / "index/manifest.json").read_bytes())
    found: dict[str, dict[str, str]] = manifest["files"]
    return found


def test_the_second_visit_works_without_a_network_for_all_that_was_used(
    site: Path, host: Callable[..., Host], tab_at: TabAt
) -> None:
    served = host(site, "/courses/bread/")
    tab = tab_at(served.url).open().ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Quoted word for word")
    notes = f"{served.url}lectures/l01-bread/notes.html"
    start_is_kept(tab)
    is_kept(tab.page, f"{served.url}{files(site)['passages-0']['path']}")
    tab.page.goto(notes)
    is_kept(tab.page, notes)
    served.down()
    tab.page.goto("about:blank")
    again = tab_at(served.url).open().ask("Why does dough have to rest?")
    expect(again.answer).to_contain_text("Quoted word for word", timeout=ENCODER_MS)
    expect(again.passages.first).to_contain_text("Why dough has to rest")
    again.page.goto(notes)
    expect(again.page.get_by_role("heading", name="Why dough has to rest")).to_be_visible()


def test_models_are_kept_once(site: Path, host: Callable[..., Host], tab_at: TabAt) -> None:
    tab = tab_at(host(site).url).open().ask("Why does dough have to rest?").settled()
    start_is_kept(tab)
    again = tab_at(tab.url).open().ask("gliadin").settled()
    expect(again.readiness).to_contain_text("Search by meaning is ready", timeout=ENCODER_MS)
    caches = kept(again.page)
    assert set(caches) == {"openbook /", "openbook site /"}
    assert not [path for path in caches["openbook site /"] if path.startswith("/models/") or path.endswith(".wasm")]


def test_two_courses_of_one_host_keep_their_files_apart(
    site: Path, host: Callable[..., Host], tab_at: TabAt, tmp_path: Path
) -> None:
    """One of them lies in a folder of the other, so that both see its requests."""
    outer = tmp_path / "outer"
    shutil.copytree(site, outer)
    shutil.copytree(site, outer / "inner")
    served = host(outer)
    first = tab_at(served.url).open()
    start_is_kept(first)
    second = tab_at(f"{served.url}inner/").open().ask("gliadin").settled()
    start_is_kept(second)
    third = tab_at(f"{served.url}inner/").open().ask("gliadin").settled()
    caches = kept(third.page)
    assert not [path for path in caches["openbook site /"] if path.startswith("/inner/")]
    assert caches["openbook site /inner/"]
    assert all(path.startswith("/inner/") for path in caches["openbook site /inner/"])


def test_a_page_that_is_open_says_that_the_notes_were_updated_and_goes_on_with_its_own(
    copy_of_site: Path, host: Callable[..., Host], tab_at: TabAt
) -> None:
    served = host(copy_of_site)
    tab = tab_at(served.url).open()
    start_is_kept(tab)
    manifest = json.loads((copy_of_site / "index/manifest.json").read_bytes())
    manifest["files"]["site"]["sha256"] = "0" * 64
    replace(copy_of_site, "index/manifest.json", json.dumps(manifest).encode())
    notice = tab.page.get_by_text("The notes were updated")
    expect(notice).to_have_count(0)
    tab.page.evaluate("dispatchEvent(new Event('online'))")
    expect(notice).to_be_visible()
    tab.ask("Why does dough have to rest?").settled()
    expect(tab.answer).to_contain_text("Quoted word for word")


def test_the_site_can_be_installed_as_an_app(site: Path, host: Callable[..., Host], tab_at: TabAt) -> None:
    tab = tab_at(host(site, "/some/path/").url).open()
    start_is_kept(tab)
    devtools = tab.page.context.new_cdp_session(tab.page)
    found = devtools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{tab.url}manifest.webmanifest"
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A test's browser profile is a private one, in which nothing can be installed; nothing else may be wrong.
    assert [error["errorId"] for error in errors] in ([], ["in-incognito"])
    assert tab.complaints == []


def test_a_course_that_is_not_to_be_kept_leaves_no_service_worker_and_takes_an_earlier_one_away(
    site: Path, host: Callable[..., Host], tab_at: TabAt, tmp_path: Path
) -> None:
    folder = tmp_path / "dist"
    shutil.copytree(site, folder)
    served = host(folder)
    start_is_kept(tab_at(served.url).open())
    course = tmp_path / "course"
    shutil.copytree(Path(__file__).parent / "course", course)
    with (course / "openbook.toml").open("a") as settings:
        settings.write("\n[site]\noffline = false\n")
    build_site(load_config(course), out=folder)
    assert not (folder / "service-worker.js").exists()
    assert not (folder / "manifest.webmanifest").exists()
    tab = tab_at(served.url).open()
    until(
        tab.page,
        "async () => !(await caches.has('openbook site /')) && !(await navigator.serviceWorker.getRegistration())",
    )


def storage(tab: Tab) -> Locator:
    """The storage panel, opened."""
    tab.page.get_by_text("Kept on this device").click()
    return tab.page.locator("ob-storage")


def test_a_course_that_was_kept_whole_answers_what_was_never_asked_and_shows_pages_never_seen(
    site: Path, host: Callable[..., Host], tab_at: TabAt
) -> None:
    served = host(site)
    tab = tab_at(served.url).open()
    tab.box.focus()
    expect(tab.readiness).to_contain_text("Search by meaning is ready", timeout=ENCODER_MS)
    panel = storage(tab)
    panel.get_by_role("button", name="Keep the whole course for offline use").click()
    expect(panel).to_contain_text("The whole course is kept")
    served.down()
    again = tab_at(served.url).open().ask("How long should tea steep?").settled()
    expect(again.passages.first).to_contain_text("How long tea should steep")
    again.page.goto(f"{served.url}lectures/l01-bread/slides.html")
    expect(again.page.locator(".leaf")).to_contain_text("Bread")
    again.page.goto(f"{served.url}lectures/l02-coffee/notes.html")
    expect(again.page.locator(".leaf")).to_contain_text("coffee")


def test_the_reader_sees_what_is_kept_and_deletes_it(site: Path, host: Callable[..., Host], tab_at: TabAt) -> None:
    tab = tab_at(host(site).url).open().ask("Why does dough have to rest?").settled()
    start_is_kept(tab)
    panel = storage(tab)
    rows = panel.get_by_role("listitem")
    expect(rows.filter(has_text="Search by meaning")).to_contain_text("37.7 MB")
    expect(rows.filter(has_text="Pages and index")).to_contain_text("kB")
    expect(rows.filter(has_text="Your questions and their answers")).to_have_count(1)
    expect(panel).to_contain_text("that it may have")
    panel.get_by_role("button", name="Delete: Search by meaning").click()
    expect(rows.filter(has_text="Search by meaning")).to_have_count(0)
    assert not [path for path in kept(tab.page).get("openbook /", []) if "/sha256/" in path]
    panel.get_by_role("button", name="Delete all of it").click()
    expect(rows).to_have_count(0)
    assert not kept(tab.page).get("openbook site /")
