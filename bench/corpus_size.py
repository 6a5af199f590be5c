"""How long a large labelled set takes: 10,000 docstrings of what is installed here, each asked for by its first line.

The text is real and needs no download: a passage is a docstring without its first line, titled with its module
and that line is a question. So it is a known-item search among near-duplicates (a library says many things twice):
good for time and memory; no published figure belongs to it.

Run with an embedding cache of its own, once cold and once warm.
"""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.labelled import markdown

PASSAGES, QUESTIONS = 10_000, 500
LEAST_WORDS = 20


def run() -> list[tuple[str, str]]:
    """Two tables: (heading, Markdown)."""
    with tempfile.TemporaryDirectory(prefix="openbook-bench-") as name:
        folder = Path(name) / "docstrings"
        folder.mkdir()
        words = _write(folder)
        cold, seconds_cold, megabytes = _evaluate(folder, Path(name))
        _, seconds_warm, _ = _evaluate(folder, Path(name))
    rows = [("empty", f"{seconds_cold:,.0f}", f"{megabytes:,.0f}"), ("full", f"{seconds_warm:,.0f}", "")]
    ladder = [
        (rung["title"], f"{rung['metrics']['mrr_10']:.3f}", f"{rung['metrics']['ndcg_10']:.3f}")
        for rung in cold["ladder"]
        if rung["metrics"]
    ]
    heading = f"`openbook eval --corpus` over {PASSAGES:,} passages (median {words:.0f} words), {QUESTIONS} questions"
    return [
        (heading, markdown(("embedding cache", "s in all", "greatest memory, MB"), rows)),
        ("Known-item search among docstrings", markdown(("ranking", "MRR@10", "nDCG@10"), ladder)),
    ]


def _write(folder: Path) -> float:
    """Write the set; the median of words a passage."""
    found = dict(_docstrings())
    items = sorted(found.items())
    random.Random(0).shuffle(items)
    items = items[:PASSAGES]
    if len(items) < PASSAGES:
        raise SystemExit(f"only {len(items):,} docstrings of {LEAST_WORDS} words are installed")
    with (
        (folder / "corpus.jsonl").open("w") as corpus,
        (folder / "queries.jsonl").open("w") as queries,
        (folder / "qrels.tsv").open("w") as labels,
    ):
        for number, (text, (title, first)) in enumerate(items):
            corpus.write(json.dumps({"_id": f"d{number}", "title": title, "text": text}) + "\n")
            if number < QUESTIONS:
                queries.write(json.dumps({"_id": f"q{number}", "text": first}) + "\n")
                labels.write(f"q{number}\td{number}\t1\n")
    return float(np.median([len(text.split()) for text, _ in items]))


def _docstrings() -> Iterator[tuple[str, tuple[str, str]]]:
    """(text, (module, first line)) of each docstring below the packages that are installed; equal texts come again."""
    root = Path(np.__file__).parents[1]
    for file in sorted(root.rglob("*.py")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                first, _, rest = (ast.get_docstring(node) or "").partition("\n")
                if len(rest.split()) >= LEAST_WORDS and len(first.split()) > 2:
                    yield rest.strip(), (".".join(file.relative_to(root).with_suffix("").parts), first)


def _evaluate(folder: Path, home: Path) -> tuple[dict, float, float]:
    """The document, seconds, and the greatest resident memory in MB."""
    command = [sys.executable, "-m", "openbook", "eval", "--corpus", str(folder), "--json"]
    environment = {**os.environ, "OPENBOOK_CACHE": str(home / "cache")}
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        out = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return json.loads(out), time.perf_counter() - begun, usage.ru_maxrss / 1024
