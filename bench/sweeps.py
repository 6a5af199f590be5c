"""Every sweep over the shipped course, on the dev half; recorded in gold/sweeps/, where the site shows them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from bench.labelled import markdown
from openbook.config import load_config
from openbook.evaluation.sweep_report import Sweep, SweepName, record
from openbook.evaluation.sweeps import sweep

ROOT = Path(__file__).resolve().parents[1]
AS_OF = date(2026, 12, 1)
NAMES: tuple[SweepName, ...] = ("chunks", "context", "fusion", "rerank-depth", "tokenizer", "rounding")


def table(found: Sweep) -> str:
    """A row a variant: chunks, and MRR@10 of each ranking with its interval."""
    rankings = list(found.rows[0].metrics)
    rows = [
        (
            f"**{row.label}**" if row.ships else row.label,
            row.chunks,
            *(
                f"{row.metrics[name]['mrr_10']:.3f} ({row.intervals[name].low:.2f}–{row.intervals[name].high:.2f})"
                for name in rankings
            ),
        )
        for row in found.rows
    ]
    return markdown((found.name, "chunks", *rankings), rows)


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    config = load_config(ROOT)
    tables = []
    for name in NAMES:
        found = sweep(config, name, as_of=AS_OF)
        record(found, config.gold_path)
        heading = f"{name}: MRR@10 on the dev half of the shipped course, the course's own in bold"
        tables.append((heading, table(found)))
    return tables
