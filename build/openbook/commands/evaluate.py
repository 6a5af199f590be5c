"""``openbook eval``: what retrieval does on a gold set."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import click

from openbook.commands.console import as_json, as_of_option, course_argument, out, print_json, print_table, reporting


@click.command("eval")
@course_argument
@click.option("--validate", is_flag=True, help="Only check the gold set: schema, ids, and that every anchor exists.")
@as_of_option
@as_json
def evaluate(path: Path, validate: bool, as_of: date | None, json: bool) -> None:
    """Measure retrieval on the gold set of COURSE."""
    from openbook.build import evaluate_course, validate_gold
    from openbook.config import load_config

    config = load_config(path)
    if validate:
        questions = validate_gold(config, as_of)
        counts = Counter((question.kind, question.split) for question in questions)
        if json:
            print_json({"questions": len(questions), "kinds": {f"{k} {s}": n for (k, s), n in sorted(counts.items())}})
            return
        kinds = dict.fromkeys(question.kind for question in questions)
        print_table([(kind, counts[kind, "dev"], counts[kind, "test"]) for kind in kinds], "kind", ">dev", ">test")
        out.print(f"{len(questions)} questions, all valid", markup=False)
        return
    with reporting(json) as reporter:
        report = evaluate_course(config, as_of=as_of, reporter=reporter)
    if json:
        print_json(report)
        return
    for line in report.summary():
        out.print(line, markup=False)
