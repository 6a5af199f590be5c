"""``openbook eval``: what retrieval does on a gold set, or on any labelled set."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from openbook.commands.console import (
    as_json,
    as_of_option,
    course_argument,
    err,
    out,
    print_json,
    print_table,
    print_warnings,
    reporting,
)

if TYPE_CHECKING:
    from openbook.config import Config
    from openbook.evaluation.course_report import Extra
    from openbook.evaluation.evaluate import Evaluated
    from openbook.evaluation.floors import Verdict
    from openbook.evaluation.ladder import Which
    from openbook.evaluation.report import Evaluation
    from openbook.progress import Reporter

_MOST_MISSED = 10
_MOST_WORSE = 20


@click.command("eval")
@course_argument
@click.option("--validate", is_flag=True, help="Only check the gold set: schema, ids, and that every anchor exists.")
@click.option("--corpus", type=click.Path(path_type=Path), help="Measure a labelled set instead, laid out as BEIR's.")
@click.option("--split", type=click.Choice(["dev", "test", "all"]), help="Which half. Default: all, or the set's test.")
@click.option("--check", is_flag=True, help="Compare with gold/floors.toml; exit with 1 when a figure fell below.")
@click.option("--record", is_flag=True, help="Write gold/floors.toml.")
@click.option("--questions", is_flag=True, help="Print the rank of every question by every ranking.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write the report as one page.")
@click.option("--colbert", is_flag=False, flag_value="lightonai/answerai-colbert-small-v1", metavar="[MODEL]",
              help="Add ColBERT as a rung, by PyLate; the model's name or folder.")  # fmt: skip
@as_of_option
@as_json
def evaluate(
    path: Path,
    validate: bool,
    corpus: Path | None,
    split: Which | None,
    check: bool,
    record: bool,
    questions: bool,
    html: Path | None,
    colbert: str | None,
    as_of: date | None,
    json: bool,
) -> None:
    """Measure retrieval on the gold set of COURSE, from plain BM25 to late interaction over everything.

    Says of each way to rank how good it is and what it costs, whether it is better than the one before, what the gate
    refuses, and which questions nothing answers. `--check` is for continuous integration.
    """
    from openbook.config import load_config

    if validate:
        _validate(load_config(path), as_of, json)
        return
    if corpus is not None and (check or record):
        raise click.UsageError("--check and --record are of a course, not of a labelled set.")
    if (check or record) and split not in (None, "all"):
        raise click.UsageError("--check and --record take both halves.")
    extras = _extras(colbert)
    with reporting(json) as reporter:
        if corpus is not None:
            found = _labelled(load_config(path), corpus, split, extras, reporter)
        else:
            found = _course(load_config(path), split or "all", as_of, check, extras, reporter)
    evaluation = found.evaluation
    print_warnings(found.warnings)
    if html is not None:
        from openbook.pages.evaluation import write_report

        write_report(evaluation, html)
        err.print(f"written to {html}", markup=False)
    if record:
        from openbook.evaluation.floors import floors_path
        from openbook.evaluation.floors import record as write

        target = floors_path(load_config(path).gold_path)
        write(evaluation, target)
        err.print(f"floors written to {target}", markup=False)
    verdict = _compare(load_config(path), evaluation) if check else None
    if json:
        print_json({"evaluation": evaluation, "verdict": verdict} if check else evaluation)
    elif check and verdict is not None:
        _print_verdict(evaluation, verdict)
    else:
        _print(evaluation, questions)
    if verdict is not None and not verdict.ok:
        sys.exit(1)


def _validate(config: Config, as_of: date | None, json: bool) -> None:
    from openbook.evaluation.validation import validate_gold

    found = validate_gold(config, as_of)
    counts = Counter((question.kind, question.split) for question in found)
    if json:
        print_json({"questions": len(found), "kinds": {f"{k} {s}": n for (k, s), n in sorted(counts.items())}})
        return
    kinds = dict.fromkeys(question.kind for question in found)
    print_table([(kind, counts[kind, "dev"], counts[kind, "test"]) for kind in kinds], "kind", ">dev", ">test")
    out.print(f"{len(found)} questions, all valid", markup=False)


def _extras(colbert: str | None) -> list[Extra]:
    if colbert is None:
        return []
    from openbook.evaluation.colbert import colbert_rung

    return [colbert_rung(colbert)]


def _labelled(
    config: Config, folder: Path, split: Which | None, extras: Sequence[Extra], reporter: Reporter
) -> Evaluated:
    from openbook.evaluation.evaluate import evaluate_labelled
    from openbook.evaluation.labelled import load_labelled

    return evaluate_labelled(
        load_labelled(folder, split),
        settings=config.settings,
        root=config.root,
        extras=extras,
        command=f"openbook eval --corpus {folder.resolve().name}" + (f" --split {split}" if split else ""),
        day=config.today().isoformat(),
        reporter=reporter,
    )


def _course(
    config: Config, split: Which, as_of: date | None, check: bool, extras: Sequence[Extra], reporter: Reporter
) -> Evaluated:
    from openbook.evaluation.evaluate import evaluate_course
    from openbook.evaluation.floors import floors_path, load_floors

    floors = load_floors(floors_path(config.gold_path)) if check else None
    # Another day has other lectures, among which a section is harder or easier to find.
    day = as_of or (floors.as_of if floors else config.today())
    return evaluate_course(
        config,
        as_of=day,
        split=split,
        only=floors.ranks if floors else None,
        timed=not check,
        extras=extras,
        command=f"openbook eval --as-of {day}" + ("" if split == "all" else f" --split {split}"),
        reporter=reporter,
    )


def _compare(config: Config, evaluation: Evaluation) -> Verdict:
    from openbook.evaluation.floors import check, floors_path, load_floors

    path = floors_path(config.gold_path)
    return check(evaluation, load_floors(path), path)


def _print(evaluation: Evaluation, questions: bool) -> None:
    from openbook.evaluation.tables import (
        COMPARISON_COLUMNS,
        DOWNSTREAM_COLUMNS,
        GATE_COLUMNS,
        LADDER_COLUMNS,
        comparison_rows,
        downstream_rows,
        gate_lines,
        gate_rows,
        kind_table,
        ladder_rows,
        question_table,
    )
    from openbook.pages.words import Words

    subject = evaluation.subject
    half = {"all": "both halves", "dev": "the dev half", "test": "the test half"}[evaluation.split]
    out.print(
        f"{subject.title}: {subject.passages} passages; {half}: {evaluation.answerable} questions with an answer, "
        f"{evaluation.unanswerable} without",
        markup=False,
    )
    out.print()
    print_table(list(ladder_rows(evaluation)), *LADDER_COLUMNS)
    out.print(
        "* what the tab does. ms: median of Python on this machine, embedding included. In the tab: index + model."
    )
    out.print()
    print_table(list(comparison_rows(evaluation)), *COMPARISON_COLUMNS)
    columns, rows = kind_table(evaluation)
    if rows:
        out.print("\nMRR@10 by kind of question")
        print_table(rows, *columns)
    out.print()
    for line in gate_lines(evaluation):
        out.print(line, markup=False)
    if evaluation.gate is not None:
        print_table(list(gate_rows(evaluation)), *GATE_COLUMNS)
    if evaluation.downstream:
        out.print("\nAfter the ranking")
        print_table(list(downstream_rows(evaluation, Words())), *DOWNSTREAM_COLUMNS)
    if evaluation.agreement is not None:
        out.print(f"int8 vectors find {evaluation.agreement:.2%} of the ten best of float32", markup=False)
    missed = evaluation.missed
    out.print(f"\n{len(missed)} questions have nothing relevant among the first ten, whatever ranks", markup=False)
    for question in missed[:_MOST_MISSED]:
        out.print(f"  {question.id}  {question.text}", markup=False)
    if len(missed) > _MOST_MISSED:
        out.print(f"  and {len(missed) - _MOST_MISSED} more (--questions, --json or --html shows them)", markup=False)
    if questions:
        out.print()
        columns, rows = question_table(evaluation)
        print_table(rows, *columns)


def _print_verdict(evaluation: Evaluation, verdict: Verdict) -> None:
    for rung in verdict.unmeasured:
        missing = next((one.missing for one in evaluation.ladder if one.name == rung), "there is no such ranking")
        message = f"{rung} has floors but was not measured: {missing}. Record them again where it is not meant to be."
        err.print(message, markup=False)
    if verdict.ok:
        out.print(
            f"{evaluation.answerable} questions: no figure is below its floor; of {verdict.ranks} recorded ranks "
            f"{verdict.changed} are different",
            markup=False,
        )
        return
    out.print(f"{len(verdict.falls)} figures are below their floors:")
    for fall in verdict.falls:
        out.print(f"  {fall}", markup=False)
    out.print(f"{len(verdict.worse)} ranks got worse, {verdict.better} better:")
    for one in verdict.worse[:_MOST_WORSE]:
        out.print(f"  {one}", markup=False)
    if len(verdict.worse) > _MOST_WORSE:
        out.print(f"  and {len(verdict.worse) - _MOST_WORSE} more (--json shows them)", markup=False)
    if verdict.lost:
        out.print(f"{len(verdict.lost)} labels were right and are not now:")
    for lost in verdict.lost[:_MOST_WORSE]:
        out.print(f"  {lost}", markup=False)
    if len(verdict.lost) > _MOST_WORSE:
        out.print(f"  and {len(verdict.lost) - _MOST_WORSE} more (--json shows them)", markup=False)
