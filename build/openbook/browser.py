"""Which Chromium opens the built site, and with which flags.

``python -m openbook.browser`` prints its path and exits with 1 when there is none.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from openbook.errors import BrowserNotFoundError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")

FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # WebGPU on the CPU (SwiftShader) where there is no GPU; harmless where there is one.
    "--enable-unsafe-webgpu",
)
"""Flags for a headless Chromium that opens only a site on this machine. The sandbox is off because a container's
root cannot have it; the pages that are opened are the ones just built."""


def find_chromium() -> Path:
    """Look for a Chromium: ``OPENBOOK_CHROMIUM``, then Playwright's own, then the path.

    Raises:
        BrowserNotFoundError: there is none.
    """
    named = os.environ.get("OPENBOOK_CHROMIUM")
    if named:
        if Path(named).is_file():
            return Path(named)
        raise BrowserNotFoundError(f"OPENBOOK_CHROMIUM is {named!r}, which is not a file.")
    own = _playwright_chromium()
    if own is not None:
        return own
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    raise BrowserNotFoundError(
        "no Chromium was found.",
        hint="Install one (`playwright install chromium`, or your system's `chromium`), or set OPENBOOK_CHROMIUM.",
    )


def _playwright_chromium() -> Path | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{find_chromium()}\n")
    except BrowserNotFoundError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(1)
