"""``openbook scale``: where exact search stops being enough."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from openbook.commands.console import as_json, as_of_option, course_argument, out, print_json, print_table, reporting


@click.command()
@course_argument
@click.option(
    "--vectors",
    type=click.IntRange(min=1_000),
    default=100_000,
    show_default=True,
    help="How many to make of the course's own, and search.",
)
@click.option("--seed", default=0, show_default=True, help="Of the made vectors.")
@as_of_option
@as_json
def scale(path: Path, vectors: int, seed: int, as_of: date | None, json: bool) -> None:
    """Compare exact search with approximate indexes, on many vectors made of those of COURSE.

    Needs the extra: pip install 'openbook[scale]'. 100,000 vectors take some minutes.
    """
    from openbook.config import load_config
    from openbook.evaluation.scale import compare
    from openbook.models.embeddings import EmbeddingCache
    from openbook.prepare import prepare

    config = load_config(path)
    with reporting(json) as reporter:
        course = prepare(config, as_of or config.today(), reporter, EmbeddingCache())
        with reporter.stage("scale") as advance:
            report = compare(course.embedded.vectors, course.run.vectors, vectors, seed=seed, advance=advance)
    if json:
        print_json(report)
        return
    print_table(
        [
            (
                row.method,
                row.setting,
                f"{row.recall:.3f}",
                f"{row.ms:.2f}",
                f"{row.build_seconds:.1f}",
                f"{row.bytes_per_vector:.0f}",
            )
            for row in report.rows
        ],
        "method", "setting", ">recall@10", ">ms", ">build s", ">bytes",
    )  # fmt: skip
    out.print()
    print_table(
        [(row.method, row.formula, f"{row.megabytes:,.0f}") for row in report.memory],
        "a million vectors", "bytes each", ">MB",
    )  # fmt: skip
    out.print(
        f"\n{report.vectors:,} vectors of {report.dims} dimensions, made of {report.seeds}; {report.questions} "
        f"questions; cosine of the nearest {report.nearest_made:.2f}, among the real ones {report.nearest_real:.2f}",
        markup=False,
    )
