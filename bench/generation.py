"""What an answer by WebLLM takes: starting the model, reading a prompt, writing; with the tiny model of the tests.

``python -m bench generation``; needs Chromium and the client's modules. The GPU is played by the processor unless there
is one, and the model is a thousand times smaller than a useful one: the figures say what starting and the chain around
the model take, not what a reader's GPU does.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.harness import Driver, build_harness, messages, tea_course
from openbook.browser import FLAGS, find_chromium
from openbook.pages.serve import serving

SENTENCE = "Tea steeps for two minutes and turns bitter in hot water. "
WORDS = (20, 120, 220)
"""Of each of five passages."""


def run() -> list[tuple[str, str]]:
    """Two tables: (heading, Markdown)."""
    chromium = find_chromium()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = tea_course(Path(folder), build_harness(Path(folder) / "harness"))
        browser = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        with serving(site, "/") as url:
            context = browser.new_context()
            first = Driver(context.new_page(), url).open()
            (model,) = first.call("webllm")
            cold = first.call("load")["value"]
            rows = [_answer(first, words) for words in WORDS]
            again = Driver(context.new_page(), url).open()
            again.call("webllm")
            warm = again.call("load")["value"]
        browser.close()
    start = (
        "| | seconds |\n|---|---|\n"
        f"| first start, {model['bytes'] / 1e6:.1f} MB from this machine | {cold['ms'] / 1000:.1f} |\n"
        f"| again, from what the browser keeps | {warm['ms'] / 1000:.1f} |"
    )
    answers = "\n".join(
        [
            "| words a passage | prompt tokens | first token, s | prompt tokens/s | answer tokens/s |",
            "|---|---|---|---|---|",
            *rows,
        ]
    )
    return [("WebLLM: starting the tiny model", start), ("WebLLM: five passages and an answer", answers)]


def _answer(driver: Driver, words: int) -> str:
    text = (SENTENCE * (words // len(SENTENCE.split()) + 1)).strip()
    passages = [(f"Lecture {number}, Tea", " ".join(text.split()[:words])) for number in range(1, 6)]
    usage: dict[str, Any] = driver.call("ask", messages("How long?", *passages), {"maxTokens": 48})["value"]["usage"]
    return (
        f"| {words} | {usage['promptTokens']} | {usage['firstTokenMs'] / 1000:.1f} | "
        f"{usage['promptRate']:.0f} | {usage['answerRate']:.1f} |"
    )
