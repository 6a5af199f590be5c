"""What an answer by a language model takes: starting it, reading a prompt, writing.

``python -m bench generation``; needs Chromium and the client's modules. WebLLM runs the tiny model of the tests; the
GPU is played by the processor unless there is one, and that model is a thousand times smaller than a useful one: the
figures say what starting and the chain around the model take, not what a reader's GPU does. wllama runs
SmolLM2-135M-Instruct (Q4_1) on one thread, and llama.cpp's own server the same weights at an address, where the
packages that bring them are installed (``models_here.py``).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.harness import TINY, WEIGHTS, Driver, build_harness, messages, tea_course
from bench.models_here import llama_server, smollm
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
    return [*_webllm(), *_wllama(), *_address(), *_built_in()]


def _wllama() -> list[tuple[str, str]]:
    """None without the weights."""
    weights = smollm()
    if weights is None:
        return []
    settings = '[generation]\nengines = ["wllama"]\n[generation.wllama]\nmodel = "weights"\n'
    with _driver(settings, weights) as driver:
        (model,) = driver.call("wllama")
        started = driver.call("load")["value"]["ms"]
        rows = [_answer(driver, words, passages, 16) for words, passages in ((20, 1), (20, 5))]
    heading = (
        f"wllama: SmolLM2-135M Q4_1 ({model['bytes'] / 1e6:.0f} MB) on one thread, "
        f"first start {started / 1000:.1f} s, 16 tokens of answer"
    )
    return [(heading, "\n".join([*HEAD, *rows]))]


def _address() -> list[tuple[str, str]]:
    """The same weights in llama.cpp itself, at an address of this computer; none without the package."""
    weights = smollm()
    with llama_server(weights, 2048) as api:
        if api is None or weights is None:
            return []
        with _driver('[generation]\nengines = ["address"]\n', weights) as driver:
            driver.call("address", api)
            driver.call("load")
            rows = [_answer(driver, words, passages, 16) for words, passages in ((20, 1), (20, 5), (120, 5))]
    return [("An address: SmolLM2-135M Q4_1 in llama.cpp's server on one thread, 16 tokens", "\n".join([*HEAD, *rows]))]


def _built_in() -> list[tuple[str, str]]:
    with _driver('[generation]\nengines = ["built-in"]\n', WEIGHTS) as driver:
        state = driver.page.evaluate("() => globalThis.LanguageModel?.availability() ?? 'no such interface'")
        version = driver.page.context.browser.version if driver.page.context.browser else ""
    return [("The browser's own model", f"| browser | it says |\n|---|---|\n| Chromium {version} | {state} |")]


@contextmanager
def _driver(settings: str, weights: Path) -> Iterator[Driver]:
    """A tab with the engines of a small course."""
    chromium = find_chromium()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site = tea_course(Path(name), build_harness(Path(name) / "harness"), settings, weights)
        browser = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        with serving(site, "/") as url:
            page = browser.new_context().new_page()
            page.set_default_timeout(0)
            yield Driver(page, url).open()
        browser.close()


def _webllm() -> list[tuple[str, str]]:
    with _driver(TINY, WEIGHTS) as first:
        (model,) = first.call("webllm")
        cold = first.call("load")["value"]
        rows = [_answer(first, words) for words in WORDS]
        again = Driver(first.page.context.new_page(), first.url).open()
        again.call("webllm")
        warm = again.call("load")["value"]
    start = (
        "| | seconds |\n|---|---|\n"
        f"| first start, {model['bytes'] / 1e6:.1f} MB from this machine | {cold['ms'] / 1000:.1f} |\n"
        f"| again, from what the browser keeps | {warm['ms'] / 1000:.1f} |"
    )
    answers = "\n".join([*HEAD, *rows])
    return [("WebLLM: starting the tiny model", start), ("WebLLM: five passages and an answer", answers)]


def _answer(driver: Driver, words: int, count: int = 5, tokens: int = 48) -> str:
    text = (SENTENCE * (words // len(SENTENCE.split()) + 1)).strip()
    passages = [(f"Lecture {number}, Tea", " ".join(text.split()[:words])) for number in range(1, count + 1)]
    asked = driver.call("ask", messages("How long?", *passages), {"maxTokens": tokens})["value"]
    usage: dict[str, Any] = asked["usage"]
    return (
        f"| {count} × {words} | {usage['promptTokens']} | {usage['firstTokenMs'] / 1000:.1f} | "
        f"{_rate(usage['promptRate'])} | {_rate(usage['answerRate'])} |"
    )


def _rate(rate: float | None) -> str:
    """In tokens a second; an address does not say everything."""
    return "–" if rate is None else f"{rate:.1f}"
