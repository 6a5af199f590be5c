"""``openbook sweep``: vary one thing and measure."""

from __future__ import annotations

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
    reporting,
)

if TYPE_CHECKING:
    from openbook.evaluation.ladder import Which
    from openbook.evaluation.sweep_report import SweepName

NAMES = ("chunks", "context", "fusion", "rerank-depth", "tokenizer", "rounding", "models")


@click.command()
@click.argument("name", type=click.Choice(NAMES))
@course_argument
@click.option(
    "--model",
    "models",
    multiple=True,
    help="On the hub (needs the extra `export`), or an exported folder; may repeat.",
)
@click.option("--split", type=click.Choice(["dev", "test", "all"]), default="dev", show_default=True)
@click.option("--record", is_flag=True, help="Write it to gold/sweeps/; the site's evaluation page shows it.")
@as_of_option
@as_json
def sweep(
    name: SweepName,
    path: Path,
    models: tuple[str, ...],
    split: Which,
    record: bool,
    as_of: date | None,
    json: bool,
) -> None:
    """Vary one thing of COURSE, leave the rest, and measure on its gold set.

    Chunk size and overlap, the heading path, the k of rank fusion, how many are reranked, the tokenizer, the rounding
    of vectors, or the model. Choose on dev, report on test.
    """
    from openbook.config import load_config
    from openbook.evaluation.sweep_report import record as write
    from openbook.evaluation.sweeps import sweep as run

    if (name == "models") != bool(models):
        raise click.UsageError("give --model, once or more, to sweep over models, and to no other sweep.")
    config = load_config(path)
    with reporting(json) as reporter:
        found = run(config, name, models=models, as_of=as_of, split=split, reporter=reporter)
    if record:
        err.print(f"written to {write(found, config.gold_path)}", markup=False)
    if json:
        print_json(found)
        return
    rankings = found.rankings
    sized = found.rows[0].bytes_per_chunk is not None
    print_table(
        [
            (
                f"{row.label}{' *' if row.ships else ''}",
                row.chunks,
                *([f"{row.bytes_per_chunk:.0f}"] if sized else []),
                *(
                    cell
                    for ranking in rankings
                    for cell in (
                        f"{row.metrics[ranking]['mrr_10']:.3f}",
                        f"{row.intervals[ranking].low:.3f}-{row.intervals[ranking].high:.3f}",
                        f"{row.metrics[ranking]['recall_10']:.3f}",
                    )
                ),
            )
            for row in found.rows
        ],
        found.name, ">chunks", *([">bytes each"] if sized else []),
        *(column for ranking in rankings for column in (f">{ranking}", ">95 %", ">recall@10")),
    )  # fmt: skip
    out.print(f"\n* as the course has it. MRR@10 of {found.questions} questions of the {split} half.", markup=False)
