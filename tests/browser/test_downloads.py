"""Large files in a real browser, from a host that does everything wrong: kept, gone on with, or refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.harness import Driver, add_harness
from fault_server import CONTENT, CUT, SIZE, FaultServer, faults
from playwright.sync_api import BrowserContext

from openbook.pages.serve import serving

SHA256 = hashlib.sha256(CONTENT).hexdigest()
PATIENCE = {"stallMs": 500, "tries": 2, "waitMs": 1, "part": 400_000}


@pytest.fixture(scope="module")
def host() -> Iterator[FaultServer]:
    with faults() as server:
        yield server


@pytest.fixture(scope="module")
def address(host: FaultServer, harness: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    site = tmp_path_factory.mktemp("downloads") / "site"
    policy = (
        f"default-src 'none'; script-src 'self'; connect-src 'self' {host.url.rstrip('/')}; worker-src 'self';"
        " img-src data:"
    )
    add_harness(site, harness, policy)
    with serving(site, "/a/") as url:
        yield url


@pytest.fixture
def driver(context: BrowserContext, address: str) -> Driver:
    return Driver(context.new_page(), address).open()


def listed(host: FaultServer, name: str) -> dict[str, Any]:
    return {"path": name, "from": host.url, "bytes": SIZE, "sha256": SHA256}


def fetch(driver: Driver, file: dict[str, Any], stop_at: int | None = None) -> Any:
    return driver.call("download", file, {"keep": True}, PATIENCE, *([] if stop_at is None else [stop_at]))


def test_a_file_is_fetched_once_and_read_from_the_cache_in_the_next_tab(
    driver: Driver, context: BrowserContext, host: FaultServer, address: str
) -> None:
    file = listed(host, "good.bin")
    assert fetch(driver, file) == {"value": SIZE}
    again = Driver(context.new_page(), address).open()
    assert again.call("has", file)
    assert fetch(again, file) == {"value": SIZE}
    assert host.starts("good.bin") == [0]
    assert driver.call("stored") == [{"key": SHA256, "bytes": SIZE, "complete": True}]


@pytest.mark.parametrize("name", ["cut-once.bin", "stalls-once.bin"])
def test_what_breaks_off_goes_on_where_it_stopped(driver: Driver, host: FaultServer, name: str) -> None:
    assert fetch(driver, listed(host, name)) == {"value": SIZE}
    first, second = host.starts(name)
    assert first == 0
    assert 0 < second <= CUT


def test_a_host_without_ranges_sends_it_whole_again(driver: Driver, host: FaultServer) -> None:
    assert fetch(driver, listed(host, "whole-only.bin")) == {"value": SIZE}
    assert len(host.starts("whole-only.bin")) == 2


def test_a_cancelled_download_goes_on_in_the_next_visit(
    driver: Driver, context: BrowserContext, host: FaultServer, address: str
) -> None:
    file = listed(host, "cancelled.bin")
    assert fetch(driver, file, stop_at=CUT) == {"error": "abort"}
    driver.page.close()
    again = Driver(context.new_page(), address).open()
    kept = SIZE - again.call("room", [file])["needed"]
    assert kept >= CUT
    assert fetch(again, file) == {"value": SIZE}
    assert host.starts("cancelled.bin") == [0, kept] or kept == SIZE


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("wrong-byte.bin", "wrong-hash"),
        ("page.bin", "html-instead"),
        ("longer.bin", "wrong-size"),
        ("short.bin", "wrong-size"),
        ("lies.bin", "wrong-size"),
        ("missing.bin", "http-status"),
    ],
)
def test_another_file_is_refused_and_never_kept(driver: Driver, host: FaultServer, name: str, kind: str) -> None:
    error = fetch(driver, listed(host, name))["error"]
    assert (error["kind"], error["file"]) == (kind, name)
    assert not driver.call("has", listed(host, name))
    assert not any(one["complete"] for one in driver.call("stored"))


def test_two_tabs_that_want_one_file_fetch_it_once(
    driver: Driver, context: BrowserContext, host: FaultServer, address: str
) -> None:
    other = Driver(context.new_page(), address).open()
    file = listed(host, "two-tabs.bin")
    for tab in (driver, other):
        tab.begin("download", file, {"keep": True}, PATIENCE)
    assert [tab.result() for tab in (driver, other)] == [{"value": SIZE}] * 2
    assert host.starts("two-tabs.bin") == [0]


def test_what_the_cache_has_lost_or_changed_is_fetched_again(driver: Driver, host: FaultServer) -> None:
    file = listed(host, "damaged.bin")
    fetch(driver, file)
    driver.page.evaluate(
        """async () => {
            for (const name of await caches.keys()) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) {
                    if (request.url.endsWith("/2")) await cache.put(request, new Response("x"));
                }
            }
        }"""
    )
    assert fetch(driver, file) == {"value": SIZE}
    assert len(host.starts("damaged.bin")) == 2


def test_a_host_that_the_page_s_policy_does_not_name_cannot_be_reached(driver: Driver) -> None:
    with faults() as other:
        error = fetch(driver, listed(other, "good.bin"))["error"]
        assert error["kind"] == "offline"
        assert other.asked == []
