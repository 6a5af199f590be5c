"""Every figure of the documents: ``python -m bench`` measures all, ``python -m bench site rebuild`` some.

Prints each table, and writes them to ``bench/RESULTS.md``: the document that others cite figures from.
"""

from __future__ import annotations

import importlib
import platform
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

MODULES = (
    "site",
    "lighthouse",
    "rebuild",
    "languages",
    "encoding",
    "late_interaction",
    "late_interaction_gain",
    "late_interaction_limits",
    "course_ranking",
    "answerability",
    "sweeps",
    "scale",
    "tab_scale",
    "notebook",
    "citations",
    "answers",
    "conversation",
    "attacks",
    "generation",
    "grammar",
    "ladder",
    "corpus_size",
)
RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
HEAD = """# Figures

Printed by `make bench` (`python -m bench`); each part names the module that measured it and the day. The machine had
two shared cores and no GPU, and other work ran beside: trust ratios and sizes, not milliseconds.
"""


def main(names: list[str]) -> None:
    """Measure and write, each part when it is there."""
    for name in names or MODULES:
        tables = importlib.import_module(f"bench.{name}").run()
        day = datetime.now(UTC).date().isoformat()
        stamp = f"`python -m bench {name}`, {day}, {platform.system()} {platform.machine()}, Python "
        body = "\n\n".join(f"### {heading}\n\n{table}" for heading, table in tables)
        part = f"\n## {name}\n\n{stamp}{platform.python_version()}\n\n{body}\n"
        print(part, flush=True)
        pattern = re.compile(rf"\n## {name}\n.*?(?=\n## |\Z)", re.DOTALL)
        text = RESULTS.read_text("utf-8") if RESULTS.is_file() else HEAD
        text = pattern.sub(lambda _, part=part: part, text) if pattern.search(text) else text + part  # type: ignore[misc]
        RESULTS.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
