"""The ladder on labelled sets that nobody here wrote: ``openbook eval --corpus`` on each, both halves.

Choices were made on the dev halves, so what counts is the test half.
"""

from __future__ import annotations

from bench.labelled import data_folder
from openbook.evaluation.evaluate import evaluate_labelled
from openbook.evaluation.labelled import load_labelled
from openbook.evaluation.ladder import Which
from openbook.evaluation.report import Evaluation
from openbook.evaluation.tables import (
    COMPARISON_COLUMNS,
    GATE_COLUMNS,
    LADDER_COLUMNS,
    comparison_rows,
    gate_lines,
    gate_rows,
    ladder_rows,
    markdown,
)

SETS = ("xquad-en", "cranfield", "squad2-half-dev")


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    return [table for name in SETS for table in tables_of(name)]


def tables_of(name: str, split: Which = "test") -> list[tuple[str, str]]:
    """Of one set."""
    found = evaluate_labelled(load_labelled(data_folder() / name, split)).evaluation
    subject = found.subject
    size = f"{subject.passages:,} passages, {subject.truncated} of them cut, {found.answerable:,} questions"
    tables = [
        (f"{name}, {split} half ({size})", markdown(LADDER_COLUMNS, list(ladder_rows(found)))),
        (f"{name}: each ranking against the one before", markdown(COMPARISON_COLUMNS, list(comparison_rows(found)))),
    ]
    return tables + ([(f"{name}: the gate", _gate(found))] if found.gate is not None else [])


def _gate(found: Evaluation) -> str:
    return (
        "\n".join(line.strip() for line in gate_lines(found)) + "\n\n" + markdown(GATE_COLUMNS, list(gate_rows(found)))
    )
