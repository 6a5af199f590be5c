"""What one tab does at 1,200, 20,000 and 100,000 chunks: the real page and client over indexes of that size.

The chunks are made of the shipped course's: each has sentences of several real ones, under the heading of one, and a
vector made as ``openbook scale`` makes them. Without token vectors: at this size nobody could download them.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import statistics
import tempfile
from datetime import date
from pathlib import Path

import msgspec
import numpy as np
from playwright.sync_api import Page, sync_playwright

from bench.labelled import markdown
from bench.site import FIRST_QUESTION, MEANING, READY_MS, transferred
from openbook.browser import FLAGS, find_chromium
from openbook.build import build_site
from openbook.chunking import Chunk
from openbook.config import Config, load_config
from openbook.evaluation.course import provisional_threshold
from openbook.evaluation.scale import make_vectors
from openbook.index.manifest import CourseInfo
from openbook.index.read import read_manifest
from openbook.index.write import PROBE_TEXTS, in_index_order, write_index
from openbook.models.embeddings import EmbeddingCache
from openbook.pages.serve import serving
from openbook.prepare import Prepared, prepare
from openbook.progress import Reporter

ROOT = Path(__file__).resolve().parents[1]
AS_OF = date(2026, 12, 1)
SIZES = (1_200, 20_000, 100_000)
ASKED = 21


def make_chunks(real: list[Chunk], count: int) -> list[Chunk]:
    """``count`` chunks of shuffled sentences, in the order of the index."""
    rng = random.Random(0)
    pool = [sentence for chunk in real for sentence in re.split(r"(?<=[.?!])\s+", chunk.text)]
    made = []
    for number in range(count):
        model = real[number % len(real)]
        text = " ".join(rng.sample(pool, 8))
        made.append(
            msgspec.structs.replace(
                model,
                id=f"{model.lecture}/{model.kind}#{model.anchor}-{number}",
                anchor=f"{model.anchor}-{number}",
                url=f"{model.url.partition('#')[0]}#{model.anchor}-{number}",
                text=text,
                words=len(text.split()),
                part=1,
                parts=1,
                hash=f"{number:016x}",
                verbatim=(),
            )
        )
    return in_index_order(made)


def write(config: Config, course: Prepared, page: Path, out: Path, count: int) -> None:
    """The page of the shipped course over an index of ``count`` chunks."""
    shutil.copytree(page, out, ignore=shutil.ignore_patterns("index", "models"), dirs_exist_ok=True)
    retrieval = config.settings.retrieval
    chunks = make_chunks(course.chunks, count)
    # A gate that lets every question through, so that every stage is timed.
    gate = provisional_threshold(chunks, course.encoder.files, late_interaction=False)
    manifest = read_manifest(page / "index")
    write_index(
        out,
        chunks=chunks,
        vectors=make_vectors(course.embedded.vectors, count, np.random.default_rng(0)),
        lectures=course.catalogue.lectures,
        documents=len(course.documents),
        course=CourseInfo(title=config.title, language="en"),
        model=course.encoder.files,
        retrieval=msgspec.structs.replace(retrieval, rerank=msgspec.structs.replace(retrieval.rerank, mode="off")),
        gate=msgspec.structs.replace(gate, cosine=-1.0),
        probes=course.encoder.encode(PROBE_TEXTS),
        as_of=AS_OF.isoformat(),
        built_at=manifest.built_at,
        extra_files={name: entry.path for name, entry in manifest.files.items() if entry.path.startswith("assets/")},
    )


def renderer_megabytes(page: Page) -> float:
    """Resident memory of the tab's process, worker included, 10⁶ bytes (Linux)."""
    session = page.context.browser.new_browser_cdp_session()  # type: ignore[union-attr]
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    largest = 0
    for process in processes:
        if process["type"] == "renderer":
            status = Path(f"/proc/{process['id']}/status").read_text()
            found = re.search(r"VmRSS:\s+(\d+) kB", status)
            largest = max(largest, int(found[1]) if found else 0)
    return largest * 1024 / 1e6


def measure(url: str, questions: list[str]) -> dict[str, float]:
    """Bytes before the first result, medians of the stages in ms, and memory."""
    chromium = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page()
        responses: list = []
        page.context.on("response", lambda response: responses.append(response))
        page.goto(url)
        page.locator("ob-readiness").get_by_text("Keyword search is ready").wait_for(timeout=READY_MS)
        page.get_by_label("Your question").press_sequentially(FIRST_QUESTION)
        page.locator("ob-passage").first.wait_for(timeout=READY_MS)
        sent = sum(n for path, n in transferred(list(responses)).items() if not any(part in path for part in MEANING))
        times: dict[str, list[float]] = {}
        for number, question in enumerate(questions):
            text = page.evaluate("async (question) => JSON.stringify(await openbook.ask(question))", question)
            for stage in json.loads(text)["stages"]:
                if number and stage["state"] == "done":
                    times.setdefault(stage["name"], []).append(stage["ms"])
        memory = renderer_megabytes(page)
        browser.close()
    return {"sent": sent, "memory": memory} | {name: statistics.median(found) for name, found in times.items()}


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    config = load_config(ROOT)
    course = prepare(config, AS_OF, Reporter(), EmbeddingCache())
    questions = [q.text for q in course.run.questions][:: len(course.run.questions) // ASKED][:ASKED]
    rows = []
    with tempfile.TemporaryDirectory(prefix="openbook-bench-") as name:
        page = Path(name) / "page"
        build_site(config, out=page, as_of=AS_OF)
        for count in SIZES:
            out = Path(name) / str(count)
            write(config, course, page, out, count)
            index = sum(len(gzip.compress(file.read_bytes(), 6)) for file in (out / "index").iterdir())
            with serving(out) as url:
                found = measure(url, questions)
            rows.append(
                (
                    f"{count:,}",
                    f"{index / 1e6:.1f}",
                    f"{found['sent'] / 1e3:,.0f}",
                    *(f"{found[stage]:.1f}" for stage in ("keyword", "embed", "dense", "fuse", "prompt")),
                    f"{found['memory']:,.0f}",
                )
            )
            shutil.rmtree(out)
    head = ("chunks", "index MB, gzip", "kB before the first result", "keyword", "embed", "dense", "fuse", "prompt")
    return [
        (
            f"One tab over larger courses: median ms of {len(questions) - 1} questions, and MB of the tab's process",
            markdown((*head, "MB"), rows),
        )
    ]
