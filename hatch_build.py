"""Puts the built client into the wheel, so that who installs openbook needs no Node.

A wheel made from a checkout in which ``make client`` has run takes what is there; otherwise the client is built now.
An editable install is for developing, where ``make client`` does it.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds ``web/`` with Vite unless it has been built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by Hatch before it collects the files."""
        if version == "editable":
            return
        root = Path(self.root)
        if (root / "build/openbook/pages/client/.vite/manifest.json").is_file():
            return
        npm = shutil.which("npm")
        if npm is None:
            message = "The client is not built and npm was not found: install Node.js 20 or newer, or use a wheel."
            raise RuntimeError(message)
        for command in ([npm, "ci", "--no-audit", "--no-fund"], [npm, "run", "build"]):
            subprocess.run(command, cwd=root / "web", check=True)
