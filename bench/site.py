"""The shipped course's site, built, served with gzip as a host would, and used in a real browser.

``python -m bench.site`` prints the index's bytes a chunk, the bytes before the first keyword results, and the
milliseconds of each stage in the tab.
"""

from __future__ import annotations

import gzip
import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Response, sync_playwright

from bench.labelled import markdown
from openbook.browser import FLAGS, find_chromium
from openbook.build import build_site
from openbook.config import load_config
from openbook.evaluation.gold import load_gold
from openbook.index.read import read_manifest
from openbook.pages.serve import serving

ROOT = Path(__file__).resolve().parents[1]
AS_OF = date(2026, 12, 1)
FIRST_QUESTION = "why does a shuffled split leak"
ASKED = 40
READY_MS = 120_000
MEANING = ("/models/", ".wasm", "/assets/transformers", "/index/vectors", "/index/token-vectors")


@contextmanager
def built_site() -> Iterator[Path]:
    """The shipped course's site, in a folder that goes away."""
    with tempfile.TemporaryDirectory(prefix="openbook-bench-") as name:
        out = Path(name) / "dist"
        build_site(load_config(ROOT), out=out, as_of=AS_OF)
        yield out


@contextmanager
def opened(url: str) -> Iterator[tuple[Page, list[Response]]]:
    """A fresh browser on a page, with every response it got."""
    chromium = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page()
        responses: list[Response] = []
        page.context.on("response", lambda response: responses.append(response))
        page.goto(url)
        yield page, responses
        browser.close()


def index_sizes(dist: Path) -> tuple[int, dict[str, int]]:
    """Chunks, and bytes of the index's files as gzip leaves them, by what they hold."""
    manifest = read_manifest(dist / "index")
    sizes: dict[str, int] = {"manifest": len(gzip.compress((dist / "index/manifest.json").read_bytes(), 9))}
    for name, entry in manifest.files.items():
        if entry.path.startswith("index/"):
            part = name.split("-")[0]
            sizes[part] = sizes.get(part, 0) + len(gzip.compress((dist / entry.path).read_bytes(), 9))
    return manifest.counts.chunks, sizes


def transferred(responses: list[Response]) -> dict[str, int]:
    """Bytes of the bodies that were sent, by path."""
    sizes: dict[str, int] = {}
    for response in responses:
        path = urlsplit(response.url).path
        sizes[path] = sizes.get(path, 0) + response.request.sizes()["responseBodySize"]
    return sizes


def first_results(url: str) -> tuple[int, int, float]:
    """Bytes and requests before the first keyword results are shown, and milliseconds from the last key to them.

    Search by meaning begins to load when the box is first used; what belongs to it (``MEANING``) is left out, since
    keyword results do not wait for it.
    """
    with opened(url) as (page, responses):
        page.locator("ob-readiness").get_by_text("Keyword search is ready").wait_for()
        box = page.get_by_label("Your question")
        box.press_sequentially(FIRST_QUESTION[:-1])
        page.evaluate("() => { window.began = performance.now(); }")
        box.press_sequentially(FIRST_QUESTION[-1])
        page.locator("ob-passage").first.wait_for()
        waited = float(page.evaluate("() => performance.now() - window.began"))
        sizes = {
            path: size
            for path, size in transferred(list(responses)).items()
            if not any(part in path for part in MEANING)
        }
    return sum(sizes.values()), len(sizes), waited


def stage_times(url: str, questions: list[str]) -> dict[str, list[float]]:
    """Milliseconds of each stage in the tab, a list for each; the first question, which loads, is left out."""
    times: dict[str, list[float]] = {}
    with opened(url) as (page, _):
        for number, question in enumerate(questions):
            page.get_by_label("Your question").fill(question)
            page.get_by_label("Your question").press("Enter")
            page.wait_for_function(
                "(question) => { const view = document.querySelector('open-book-app').view;"
                " return view.trace && view.trace.question === question; }",
                arg=question,
                timeout=READY_MS,
            )
            trace = json.loads(
                page.evaluate("() => JSON.stringify(document.querySelector('open-book-app').view.trace)")
            )
            if number:
                for stage in trace["stages"]:
                    if stage["state"] == "done":
                        times.setdefault(stage["name"], []).append(stage["ms"])
    return times


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    questions = [q.text for q in load_gold(ROOT / "gold/questions.toml") if q.follows is None][:: 263 // ASKED]
    with built_site() as dist, serving(dist) as url:
        chunks, sizes = index_sizes(dist)
        total = sum(sizes.values())
        size_rows = [(name, f"{size:,}", f"{size / chunks:.0f}") for name, size in sizes.items()]
        wanted = total - sizes["passages"]
        size_rows.append(("all but the passages", f"{wanted:,}", f"{wanted / chunks:.0f}"))
        size_rows.append(("all", f"{total:,}", f"{total / chunks:.0f}"))
        sent, requests, waited = first_results(url)
        times = stage_times(url, questions)
    first = [(f"{sent:,}", requests, f"{waited:.0f}")]
    stages = [
        (name, f"{statistics.median(found):.1f}", f"{sorted(found)[int(0.95 * (len(found) - 1))]:.1f}", len(found))
        for name, found in times.items()
    ]
    return [
        (f"Index of the shipped course, {chunks} chunks, gzip", markdown(("part", "bytes", "a chunk"), size_rows)),
        (
            "Before the first keyword results, files of search by meaning left out",
            markdown(("bytes sent", "requests", "ms from the last key"), first),
        ),
        (
            f"Stages in the tab, ms, {len(questions) - 1} questions of the gold set",
            markdown(("stage", "median", "95 %", "questions"), stages),
        ),
    ]


if __name__ == "__main__":
    for heading, table in run():
        print(f"\n### {heading}\n\n{table}", flush=True)
