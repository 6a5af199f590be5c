"""Exact search against approximate indexes at 100,000 vectors, made of the shipped course's own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from bench.labelled import markdown
from openbook.config import load_config
from openbook.evaluation.scale import compare
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import prepare
from openbook.progress import Reporter

ROOT = Path(__file__).resolve().parents[1]
AS_OF = date(2026, 12, 1)
VECTORS = 100_000


def run() -> list[tuple[str, str]]:
    """All tables: (heading, Markdown)."""
    course = prepare(load_config(ROOT), AS_OF, Reporter(), EmbeddingCache())
    report = compare(course.embedded.vectors, course.run.vectors, VECTORS)
    rows = [
        (r.method, r.setting, f"{r.recall:.3f}", f"{r.ms:.2f}", f"{r.build_seconds:.0f}", f"{r.bytes_per_vector:.0f}")
        for r in report.rows
    ]
    memory = [(row.method, row.formula, f"{row.megabytes:,.0f}") for row in report.memory]
    return [
        (
            f"{report.vectors:,} vectors made of {report.seeds}, {report.questions} questions, one thread; cosine of "
            f"the nearest {report.nearest_made:.2f}, among the real ones {report.nearest_real:.2f}",
            markdown(("method", "setting", "recall@10", "ms", "build s", "bytes a vector"), rows),
        ),
        ("A million vectors", markdown(("kept as", "bytes each", "MB"), memory)),
    ]
