"""Engines and downloads in a real browser, without the page around them: ``web/harness`` on a page with its policy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
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


class Driver:
    """Calls ``window.harness`` in a page."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self) -> Driver:
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
        return self.page.evaluate("() => globalThis.pending")
