"""What late interaction gains over hybrid, and what counting a match's neighbours adds to that.

``python -m bench late_interaction_gain`` prints in a few minutes what the many tables of ``bench late_interaction``
have of the form that ships. The first run reads every passage and question with the encoder.
"""

from __future__ import annotations

import numpy as np

from bench.labelled import markdown
from bench.late_interaction import DEPTH, REFUSED, SETS, Measured, Scores, reciprocal
from openbook.evaluation.significance import auroc
from openbook.retrieval.late_interaction import NEIGHBOUR


def gain_rows(measured: Measured, without: Scores, counted: Scores) -> list[tuple[str, ...]]:
    """Both halves, and what each gains on the test half with the interval of the paired bootstrap."""
    hybrid = reciprocal(measured.candidates, measured.questions.relevant)[1::2]
    generator = np.random.default_rng(0)
    rows: list[tuple[str, ...]] = [(measured.set.name, "hybrid", *measured.cells(measured.candidates), "")]
    for name, scores in (("without neighbours", without), ("as it ships", counted)):
        order = measured.blended(scores)
        gain = reciprocal(order, measured.questions.relevant)[1::2] - hybrid
        means = gain[generator.integers(0, len(gain), (2000, len(gain)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        interval = f"{gain.mean():+.3f} ({low:+.3f} … {high:+.3f})"
        rows.append((measured.set.name, name, *measured.cells(order), interval))
    return rows


def gate_rows(measured: Measured, without: Scores, counted: Scores) -> list[tuple[str, ...]]:
    """The best score of each question against those of questions on other subjects, on the test halves."""
    off = measured.set.without_answer("queries.offtopic")
    rows = []
    for name, own, neighbour in (
        ("without neighbours, as it ships", without, 0.0),
        ("neighbours counted", counted, NEIGHBOUR),
    ):
        other = measured.scores(measured.shipped, questions=off, neighbour=neighbour)
        right = np.array([scores.max() for scores in own])[1::2]
        wrong = np.array([scores.max() for scores in other])[1::2]
        caught = np.mean(wrong < np.quantile(right, REFUSED))
        rows.append((name, f"{auroc(right, wrong):.4f}", f"{caught:.1%}"))
    return rows


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    gains, gates = [], []
    for name, every in SETS:
        measured = Measured(name, every)
        without = measured.scores(measured.shipped, neighbour=0)
        counted = measured.scores(measured.shipped)
        gains += gain_rows(measured, without, counted)
        if not gates:
            gates = gate_rows(measured, without, counted)
    return [
        (
            f"The first {DEPTH} of hybrid reordered (MRR@10 / nDCG@10)",
            markdown(("set", "ranking", "dev", "test", "gain in MRR@10, test (95 % interval)"), gains),
        ),
        (
            f"{SETS[0][0]}: the best MaxSim as a gate, test half",
            markdown(("MaxSim", "AUROC off-topic", "caught at 5 % refused"), gates),
        ),
    ]
