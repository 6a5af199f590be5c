"""An evaluation as rows of text: what the command prints and the bench writes down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from openbook.evaluation.gold import SPLITS
from openbook.evaluation.metrics import MEASURES
from openbook.evaluation.report import Evaluation, Interval, Rung

MEASURE_TITLES = {
    "hit_1": "hit@1",
    "hit_5": "hit@5",
    "mrr_10": "MRR@10",
    "ndcg_10": "nDCG@10",
    "recall_10": "recall@10",
    "recall_50": "recall@50",
}

LADDER_COLUMNS = ("ranking", *(f">{MEASURE_TITLES[name]}" for name in MEASURES), ">MRR@10, 95 %", ">ms", ">in the tab")
COMPARISON_COLUMNS = ("ranking", "against", ">MRR@10", ">95 %", ">better", ">worse", ">p", ">p, Holm")
"""A column whose name begins with ``>`` is set to the right."""


def ladder_rows(evaluation: Evaluation) -> Iterator[tuple[str, ...]]:
    """One row a rung; of a rung that was not measured, why."""
    for rung in evaluation.ladder:
        title = f"{rung.title} *" if rung.ships else rung.title
        if rung.missing:
            yield (f"{title}: not measured, {rung.missing}", *[""] * (len(LADDER_COLUMNS) - 1))
            continue
        yield (
            title,
            *(f"{rung.metrics[name]:.3f}" for name in MEASURES),
            interval(rung.intervals["mrr_10"]),
            "" if rung.ms is None else f"{rung.ms:,.1f}",
            size(rung),
        )


def comparison_rows(evaluation: Evaluation) -> Iterator[tuple[str, ...]]:
    """One row a pair of neighbours."""
    titles = {rung.name: rung.title for rung in evaluation.ladder}
    for one in evaluation.comparisons:
        yield (
            titles[one.rung],
            titles[one.against],
            f"{one.difference:+.3f}",
            interval(one.interval, "+.3f"),
            str(one.better),
            str(one.worse),
            f"{one.p:.4f}",
            f"{one.p_holm:.4f}",
        )


def kind_table(evaluation: Evaluation, measure: str = "mrr_10") -> tuple[list[str], list[list[str]]]:
    """One metric by kind of question: columns and rows; no rows when there is one kind."""
    measured = [rung for rung in evaluation.measured if rung.kinds]
    if not measured:
        return [], []
    columns = ["ranking", *(f">{kind.kind} ({kind.questions})" for kind in measured[0].kinds)]
    return columns, [[rung.title, *(f"{kind.metrics[measure]:.3f}" for kind in rung.kinds)] for rung in measured]


def question_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Ranks of every question by every rung: columns and rows."""
    rungs = evaluation.measured
    columns = ["question", "kind", "split", *(f">{rung.name}" for rung in rungs), "text"]
    rows = []
    for question in evaluation.questions:
        ranks = (question.ranks.get(rung.name) for rung in rungs)
        rows.append(
            [question.id, question.kind, question.split, *("–" if r is None else str(r) for r in ranks), question.text]
        )
    return columns, rows


def gate_rows(evaluation: Evaluation) -> Iterator[tuple[str, ...]]:
    """One row a half: what the gate does to it."""
    if evaluation.gate is None:
        return
    for name, half in (("dev", evaluation.gate.dev), ("test", evaluation.gate.test)):
        yield (
            name,
            f"{_share(half.refused)} of {half.answerable}",
            f"{_share(half.caught)} of {half.unanswerable}",
            ", ".join(f"{kind} {share:.0%}" for kind, share in half.caught_by_kind.items()),
            "" if half.auroc is None else f"{half.auroc:.3f}",
            "" if half.auroc_interval is None else interval(half.auroc_interval),
        )


DOWNSTREAM_COLUMNS = ("stage", "what is counted", ">dev", ">test")


def downstream_rows(evaluation: Evaluation, say: Callable[[str], str]) -> Iterator[tuple[str, ...]]:
    """One row a figure of the stages behind the ranking.

    Args:
        evaluation: what was measured.
        say: the words for ``evaluation.rewrite_found`` and the like.
    """
    for figure in evaluation.downstream:
        yield (
            figure.stage,
            say(f"evaluation.{figure.stage}_{figure.measure}"),
            *(f"{_share(figure.share(split))} ({len(figure.of(split))})" for split in SPLITS),
        )


GATE_COLUMNS = ("half", ">wrongly refused", ">caught", "caught by kind", ">AUROC", ">95 %")


def gate_lines(evaluation: Evaluation) -> Iterator[str]:
    """Sentences about the threshold."""
    gate = evaluation.gate
    if gate is None:
        yield "The gate was not measured: that takes questions with an answer and questions without."
        return
    score = "answerability" if gate.decided_by == "answerability" else "best cosine"
    yield f"Gate: {score} of at least {gate.threshold:.3f} ({gate.source})"
    if gate.leave_one_out is not None:
        left = gate.leave_one_out
        yield (
            f"  chosen again without each dev question in turn: {left.lowest:.3f} to {left.highest:.3f}, which refuses "
            f"{left.refused:.0%} and catches {left.caught:.0%} of the questions left out"
        )
    yield f"  {gate.near:.0%} of the dev half lie within 0.01 of it" + (
        ": a thin margin, which more questions would make firmer" if gate.thin else ""
    )


def size(rung: Rung) -> str:
    """Bytes that the tab needs: index and model."""
    if rung.index_bytes is None or rung.model_bytes is None:
        return ""
    index = f"{rung.index_bytes / 1e6:.1f}"
    return f"{index} + {rung.model_bytes / 1e6:.1f} MB" if rung.model_bytes else f"{index} MB"


def interval(found: Interval, form: str = ".3f") -> str:
    """Both ends."""
    return f"{found.low:{form}} … {found.high:{form}}"


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [
        "| " + " | ".join(column.lstrip(">") for column in columns) + " |",
        "|" + "|".join("---:" if column.startswith(">") else "---" for column in columns) + "|",
    ]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
