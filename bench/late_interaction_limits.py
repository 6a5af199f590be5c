"""Where late interaction helps less: short questions, and whether long passages win by being long.

``python -m bench late_interaction_limits`` prints two tables of docs/late-interaction.md.
"""

from __future__ import annotations

import numpy as np

from bench.labelled import markdown
from bench.late_interaction import SETS, Measured, reciprocal

LENGTHS = ((1, 8), (9, 12), (13, 16), (17, 1000))


def by_question(measured: Measured) -> list[tuple[object, ...]]:
    """MRR@10 of hybrid and reranked by the number of a question's pieces, both halves together."""
    pieces = np.diff(measured.questions.readings.starts)
    hybrid = reciprocal(measured.candidates, measured.questions.relevant)
    reranked = reciprocal(measured.blended(measured.scores(measured.shipped)), measured.questions.relevant)
    rows: list[tuple[object, ...]] = []
    for low, high in LENGTHS:
        of = (pieces >= low) & (pieces <= high)
        if of.sum() >= 20:
            name = f"{low}–{high}" if high < 1000 else f"{low} and more"
            rows.append(
                (measured.set.name, name, int(of.sum()), f"{hybrid[of].mean():.3f}", f"{reranked[of].mean():.3f}")
            )
    return rows


def by_passage(measured: Measured) -> tuple[object, ...]:
    """How the scores of candidates that are not relevant go with their length."""
    lengths = np.diff(measured.set.passages.starts)
    pairs: list[float] = []
    for scores, candidates, grades in zip(
        measured.scores(measured.shipped), measured.candidates, measured.questions.relevant, strict=True
    ):
        wrong = [i for i, one in enumerate(candidates[: len(scores)]) if one not in grades]
        own = lengths[[candidates[i] for i in wrong]]
        if len(wrong) > 2 and own.std() > 0:
            pairs.append(float(np.corrcoef(own, scores[wrong])[0, 1]))
    return measured.set.name, f"{lengths.mean():.0f}", f"{np.mean(pairs):+.2f}"


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    questions, passages = [], []
    for name, every in SETS:
        measured = Measured(name, every)
        questions += by_question(measured)
        passages.append(by_passage(measured))
    return [
        (
            "By the number of a question's word pieces (MRR@10, both halves)",
            markdown(("set", "pieces", "questions", "hybrid", "reranked"), questions),
        ),
        (
            "Length of a passage that is not relevant and its MaxSim: mean correlation over the questions",
            markdown(("set", "pieces a passage", "correlation"), passages),
        ),
    ]
