"""The shipped course: every Python block of every lecture runs, and prints what the text says it prints."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LECTURES = sorted((ROOT / "lectures").glob("l*/notes.md"))
MODULES = {"scikit-learn": "sklearn"}

# Runs the blocks in one namespace, as a reader does who types them in from top to bottom, and marks where each ends.
RUNNER = """
import sys
namespace = {"__name__": "__main__"}
for number, block in enumerate(sys.stdin.read().split("\\x00")):
    exec(compile(block, f"block {number + 1}", "exec"), namespace)
    print("\\x00", end="", flush=True)
"""

FENCE = re.compile(
    r"^(?P<fence>`{3,}|~{3,}) *(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=fence)`* *$", re.MULTILINE | re.DOTALL
)


def front_matter(text: str) -> dict[str, object]:
    loaded = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(loaded, dict)
    return loaded


def blocks_and_outputs(text: str) -> list[tuple[str, str | None]]:
    """Each ``python`` block with the ``text`` block that directly follows it, or None."""
    found: list[tuple[str, str | None]] = []
    end = -1
    for match in FENCE.finditer(text):
        if match["info"].strip() == "python":
            found.append((match["body"], None))
        elif match["info"].strip() == "text" and found and not text[end : match.start()].strip():
            found[-1] = (found[-1][0], match["body"])
        end = match.end()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("notes", LECTURES, ids=lambda notes: notes.parent.name)
def test_every_block_runs_and_prints_what_the_text_shows(notes: Path, tmp_path: Path) -> None:
    text = notes.read_text("utf-8")
    packages = front_matter(text).get("packages") or []
    assert isinstance(packages, list)
    missing = [name for name in packages if importlib.util.find_spec(MODULES.get(name, name)) is None]
    if missing:
        pytest.skip(f"{notes.parent.name} needs {', '.join(missing)}")
    pairs = blocks_and_outputs(text)
    if not pairs:
        pytest.skip("no Python block")
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUNNER],
        input="\x00".join(block for block, _ in pairs),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        env={**os.environ, "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "HOME": str(tmp_path)},
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    printed = run.stdout.split("\x00")
    for (block, shown), output in zip(pairs, printed, strict=False):
        if shown is not None and output.strip():
            assert words(shown) == words(output), f"after\n{block}\nthe text shows\n{shown}\nbut it prints\n{output}"


def words(text: str) -> list[str]:
    """What is compared: a number to three significant digits, since the last ones depend on the machine's libraries."""
    return [re.sub(r"-?\d+\.\d+(?:e[+-]?\d+)?", lambda n: f"{float(n[0]):.2g}", word) for word in text.split()]


@pytest.mark.parametrize("notes", LECTURES, ids=lambda notes: notes.parent.name)
def test_front_matter_says_what_the_catalogue_needs(notes: Path) -> None:
    matter = front_matter(notes.read_text("utf-8"))
    assert {"title", "lecture", "week", "release", "tags"} <= matter.keys()
    assert notes.parent.name.startswith(f"l{matter['lecture']:02d}-")
    assert matter["week"] == (matter["lecture"] + 1) // 2
    assert (notes.parent / "slides.md").is_file()
