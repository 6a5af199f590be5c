"""What ``openbook sweep`` found, and where it is recorded for the site to show."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import msgspec

from openbook.errors import GoldError
from openbook.evaluation.report import Interval

SweepName = Literal["chunks", "context", "fusion", "rerank-depth", "tokenizer", "rounding", "models"]


class SweepRow(msgspec.Struct, frozen=True, kw_only=True):
    """One variant.

    Attributes:
        label: what was set.
        ships: whether it is what the course has.
        chunks: how many there were.
        metrics: by ranking and measure: ``metrics["hybrid"]["mrr_10"]``.
        intervals: of MRR@10, by ranking.
        bytes_per_chunk: of what is ranked with, where that is what varies.
    """

    label: str
    ships: bool
    chunks: int
    metrics: dict[str, dict[str, float]]
    intervals: dict[str, Interval]
    bytes_per_chunk: float | None = None


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A sweep.

    Attributes:
        name: of what varies.
        course: its title.
        as_of: day of the release gate.
        split: half of the questions.
        questions: how many have an answer.
        commit: that the course's repository is at; empty outside of one.
        command: that prints it.
    """

    name: str
    course: str
    as_of: str
    split: Literal["dev", "test", "all"]
    questions: int
    commit: str
    command: str
    rows: tuple[SweepRow, ...]

    @property
    def rankings(self) -> tuple[str, ...]:
        """That were measured, the last of them the furthest."""
        return tuple(self.rows[0].metrics)


def sweeps_folder(gold: Path) -> Path:
    """Where recorded sweeps lie, beside the gold set."""
    return gold.parent / "sweeps"


def record(found: Sweep, gold: Path) -> Path:
    """Write a sweep beside the gold set, for the site to show; returns the file."""
    path = sweeps_folder(gold) / f"{found.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    return path


def recorded_sweeps(gold: Path) -> tuple[Sweep, ...]:
    """The sweeps that were recorded beside a gold set, in the order of ``SweepName``.

    Raises:
        GoldError: a file is not one that ``openbook sweep --record`` wrote.
    """
    found = []
    for name in get_args(SweepName):
        path = sweeps_folder(gold) / f"{name}.json"
        if not path.is_file():
            continue
        try:
            found.append(msgspec.json.decode(path.read_bytes(), type=Sweep))
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise GoldError(
                f"is not a recorded sweep: {error}.",
                source=path,
                hint=f"Record it again: openbook sweep {name} --record.",
            ) from error
    return tuple(found)
