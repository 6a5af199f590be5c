"""Engines and downloads in a real browser, without the page around them: ``web/harness`` on a page with its policy."""

from __future__ import annotations

import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from openbook.build import build_site
from openbook.config import load_config
from openbook.pages.policies import asking_policy
from openbook.retrieval.prompt import BEGIN, END, INSTRUCTION, PASSAGE, QUESTION, make_mark

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "tests" / "fixtures" / "webllm"
PAGE = """<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,"><title>Harness</title><script type="module" src="harness/harness.js"></script>
"""


def build_harness(out: Path) -> Path:
    """Build the client's modules with Vite, apart from the page."""
    command = ["npx", "vite", "build", "--config", "harness/vite.config.ts", "--outDir", str(out), "--logLevel", "warn"]
    subprocess.run(command, cwd=ROOT / "web", check=True, timeout=120)
    return out


def add_harness(site: Path, built: Path, policy: str) -> None:
    """Put the built harness and its page into a site."""
    shutil.copytree(built, site, dirs_exist_ok=True)
    (site / "harness.html").write_text(PAGE.format(policy=policy))


LECTURE = "# Tea\n\n## Green tea\n\nGreen tea steeps for two minutes. It turns bitter in hot water.\n"


TINY = '[generation]\nengines = ["webllm"]\n[generation.webllm]\nweights = "weights"\n'


def tea_course(folder: Path, harness: Path, settings: str = TINY, weights: Path = WEIGHTS) -> Path:
    """Build a course of one lecture and the built harness beside its page; its site.

    Args:
        folder: to build in.
        harness: from ``build_harness``.
        settings: of ``[generation]``; by default the tiny model for WebLLM.
        weights: file or folder that they call ``weights``.
    """
    course = folder / "course"
    (course / "lectures").mkdir(parents=True)
    (course / "lectures" / "tea.md").write_text(LECTURE)
    if weights.is_dir():
        shutil.copytree(weights, course / "weights")
    else:
        (course / "weights").symlink_to(weights)
    (course / "openbook.toml").write_text(f'[sources]\nroot = "lectures"\n{settings}')
    config = load_config(course)
    out = folder / "dist"
    build_site(config, out=out, as_of=date(2026, 12, 1))
    add_harness(out, harness, asking_policy(config.settings.generation))
    return out


def messages(question: str, *passages: tuple[str, str]) -> list[dict[str, str]]:
    """A prompt of (label, text) as the page makes it and sends it."""
    mark = make_mark([question, *(text for passage in passages for text in passage)])
    numbered = [
        PASSAGE.format(number=number, mark=mark, label=label, text=text)
        for number, (label, text) in enumerate(passages, 1)
    ]
    asked = QUESTION.format(question=question)
    parts = [asked, BEGIN.format(mark=mark), *numbered, END.format(mark=mark), asked]
    return [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": "\n\n".join(parts)}]


class Driver:
    """Calls ``window.harness`` in a page."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self) -> Driver:
        """Go to the harness's page."""
        self.page.goto(f"{self.url}harness.html")
        self.page.wait_for_function("() => 'harness' in globalThis")
        return self

    def call(self, name: str, *arguments: Any) -> Any:
        """What a function of the harness gives."""
        return self.page.evaluate("([name, given]) => globalThis.harness[name](...given)", [name, list(arguments)])

    def begin(self, name: str, *arguments: Any) -> None:
        """Call without waiting; ``result`` waits."""
        self.page.evaluate(
            "([name, given]) => { globalThis.pending = globalThis.harness[name](...given); }", [name, list(arguments)]
        )

    def result(self) -> Any:
        """What the call that was begun gives."""
        return self.page.evaluate("() => globalThis.pending")
