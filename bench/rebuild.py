"""A first build, one with nothing changed, and two after a section changed, with a cache of their own.

``python -m bench.rebuild`` prints the seconds of each, how many texts went through the model, and whether the
evaluation page was measured.
"""

from __future__ import annotations

import shutil
import tempfile
from datetime import date
from pathlib import Path

from bench.labelled import markdown
from openbook.build import build_site
from openbook.build_report import BuildReport
from openbook.config import load_config
from openbook.models.embeddings import EmbeddingCache

ROOT = Path(__file__).resolve().parents[1]
EDITED = "lectures/l08-evaluating-on-groups-and-time/notes.md"


def run() -> list[tuple[str, str]]:
    """One table: (heading, Markdown)."""
    with tempfile.TemporaryDirectory(prefix="openbook-bench-") as name:
        course = Path(name) / "course"
        course.mkdir()
        for part in ("lectures", "gold"):
            shutil.copytree(ROOT / part, course / part)
        shutil.copyfile(ROOT / "openbook.toml", course / "openbook.toml")
        cache = EmbeddingCache(Path(name) / "cache.sqlite3")

        def build(*, ladder: bool = True) -> BuildReport:
            out = Path(name) / "dist"
            return build_site(load_config(course), out=out, as_of=date(2026, 12, 1), cache=cache, ladder=ladder)

        reports = {"from nothing": build(), "nothing changed": build()}
        notes = course / EDITED
        text = notes.read_text("utf-8")
        marker = "## A test set imitates the day of use\n"
        if marker not in text:
            raise SystemExit(f"{EDITED} has no section {marker.strip()!r} any more: name another in this file")
        notes.write_text(text.replace(marker, f"{marker}\nA sentence that was not there before.\n"), "utf-8")
        reports["one section changed, under --watch"] = build(ladder=False)
        notes.write_text(text.replace(marker, f"{marker}\nAnother sentence, not there before either.\n"), "utf-8")
        reports["one section changed"] = build()
    rows = [
        (
            name,
            report.embedded,
            report.evaluation,
            f"{report.seconds['vectors']:.1f}",
            f"{report.seconds['measure']:.1f}",
            f"{sum(report.seconds.values()):.1f}",
        )
        for name, report in reports.items()
    ]
    heading = f"Builds of the shipped course, {reports['from nothing'].chunks} chunks"
    return [
        (
            heading,
            markdown(("build", "texts embedded", "evaluation page", "s for vectors", "s to measure", "s in all"), rows),
        )
    ]


if __name__ == "__main__":
    for heading, table in run():
        print(f"\n### {heading}\n\n{table}", flush=True)
