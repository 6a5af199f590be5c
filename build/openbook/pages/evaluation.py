"""An evaluation as a page: the report of ``openbook eval --html``, and what the site's own page is filled with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from openbook.evaluation.figures import curve_figure, ladder_figure, strip_figure, sweep_figure
from openbook.evaluation.report import Evaluation
from openbook.evaluation.sweep_report import Sweep
from openbook.evaluation.tables import (
    COMPARISON_COLUMNS,
    DOWNSTREAM_COLUMNS,
    GATE_COLUMNS,
    LADDER_COLUMNS,
    comparison_rows,
    downstream_rows,
    gate_rows,
    interval,
    kind_table,
    ladder_rows,
    question_table,
)
from openbook.pages.assets import site_folder
from openbook.pages.words import Words

_STYLES = ("tokens.css", "base.css", "evaluation.css")
_MS = ">ms"
_DIGITS = 12
"""Of a hash, for a person to compare."""


def page_context(
    evaluation: Evaluation, sweeps: Sequence[Sweep] = (), say: Words | None = None, now: str | None = None
) -> dict[str, Any]:
    """What ``evaluation-body.html.j2`` is filled with. The figures escape what they hold; all else is text.

    Args:
        evaluation: what was measured.
        sweeps: beside it.
        say: the page's words; English without.
        now: hash of the site's passages where these figures are of an earlier build.
    """
    say = say or Words()
    timed = any(rung.ms is not None for rung in evaluation.ladder)
    columns = list(LADDER_COLUMNS)
    kept = [place for place, column in enumerate(columns) if timed or column != _MS]
    rows = [
        # What a rung that was not measured lacks is said across the row.
        [rung.title, say("evaluation.not_measured", why=rung.missing)]
        if rung.missing
        else [row[place] for place in kept]
        for rung, row in zip(evaluation.ladder, ladder_rows(evaluation), strict=True)
    ]
    kind_columns, kind_rows = kind_table(evaluation)
    question_columns, question_rows = question_table(evaluation)
    gate = evaluation.gate
    return {
        "say": say,
        # The figures have their words drawn into them.
        "english": Markup("") if say.language == "en" else Markup(' lang="en" dir="ltr"'),
        "e": evaluation,
        "timed": timed,
        "now": None if now is None else now[:_DIGITS],
        "was": evaluation.subject.corpus[:_DIGITS],
        "ladder_columns": [columns[place] for place in kept],
        "ladder_rows": rows,
        "shipping": [place for place, rung in enumerate(evaluation.ladder) if rung.ships],
        "comparison_columns": COMPARISON_COLUMNS,
        "comparison_rows": list(comparison_rows(evaluation)),
        "kind_columns": kind_columns,
        "kind_rows": kind_rows,
        "gate_columns": GATE_COLUMNS,
        "gate_rows": list(gate_rows(evaluation)),
        "gate_lines": list(_gate_lines(evaluation, say)),
        "downstream_columns": DOWNSTREAM_COLUMNS,
        "downstream_rows": list(downstream_rows(evaluation, say)),
        "question_columns": question_columns,
        "question_rows": question_rows,
        "ladder_figure": Markup(ladder_figure(evaluation)),  # noqa: S704
        "curve_figure": Markup(curve_figure(gate)) if gate else "",  # noqa: S704
        "sweeps": [
            {
                "sweep": sweep,
                "columns": [sweep.name, ">chunks", *(f">{ranking}" for ranking in sweep.rankings)],
                "rows": list(_sweep_rows(sweep)),
                "shipping": [place for place, row in enumerate(sweep.rows) if row.ships],
                "figure": Markup(sweep_figure(sweep)),  # noqa: S704
            }
            for sweep in sweeps
        ],
        "strip_figure": Markup(strip_figure(gate)) if gate else "",  # noqa: S704
    }


def _gate_lines(evaluation: Evaluation, say: Words) -> Iterator[str]:
    gate = evaluation.gate
    if gate is None:
        return
    key = "evaluation.gate_answerability" if gate.decided_by == "answerability" else "evaluation.gate_cosine"
    yield say(key, threshold=f"{gate.threshold:.3f}", source=gate.source)
    if (left := gate.leave_one_out) is not None:
        yield say(
            "evaluation.gate_left_out",
            low=f"{left.lowest:.3f}",
            high=f"{left.highest:.3f}",
            refused=f"{left.refused:.0%}",
            caught=f"{left.caught:.0%}",
        )
    yield say("evaluation.gate_thin" if gate.thin else "evaluation.gate_near", near=f"{gate.near:.0%}")


def _sweep_rows(sweep: Sweep) -> Iterator[list[str]]:
    for row in sweep.rows:
        cells = (
            f"{row.metrics[name]['mrr_10']:.3f} ({interval(row.intervals[name], '.2f')})" for name in sweep.rankings
        )
        yield [row.label, str(row.chunks), *cells]


def render_report(evaluation: Evaluation) -> str:
    """One page that needs no other file."""
    folder = site_folder()
    templates = Environment(
        loader=FileSystemLoader(folder / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    styles = "\n".join((folder / "styles" / name).read_text("utf-8") for name in _STYLES)
    return templates.get_template("evaluation-report.html.j2").render(
        styles=Markup(styles),  # noqa: S704
        **page_context(evaluation),
    )


def write_report(evaluation: Evaluation, path: Path) -> None:
    """Write that page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render_report(evaluation), "utf-8", newline="\n")
