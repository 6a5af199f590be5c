"""What commands share: the two consoles, ``--json``, tables, warnings, and options that several take.

Standard output carries what a command was asked for: a table for a person, or with ``--json`` one JSON value.
Everything else (progress, warnings, errors) goes to standard error.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from openbook.errors import BuildWarning, OpenbookError
from openbook.progress import ConsoleReporter, Reporter

# Into a file or a pipe there is no width to fit, and a table must not break its cells.
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 200)
err = Console(stderr=True, highlight=False, soft_wrap=True)

F = TypeVar("F", bound=Callable[..., Any])


class Day(click.ParamType[date]):
    """A date as YYYY-MM-DD."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Parse the argument."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a date. Write it as 2026-12-01.", param, ctx)


def as_json(command: F) -> F:
    """Give a command ``--json``; the group sees to it that errors are JSON then too."""
    return click.option("--json", "json", is_flag=True, help="Print one JSON value on standard output.")(command)


def print_json(value: Any) -> None:
    """Write ``value`` as indented JSON on standard output."""
    encoded = msgspec.json.encode(value, enc_hook=str)
    sys.stdout.write(msgspec.json.format(encoded, indent=2).decode() + "\n")


def failed(
    error: str, message: str, source: str | None = None, line: int | None = None, hint: str | None = None
) -> dict[str, str | int | None]:
    """What ``--json`` gives of a command that failed."""
    return {"error": error, "message": message, "source": source, "line": line, "hint": hint}


def print_error(error: OpenbookError) -> None:
    """Say on standard error what went wrong, where, and what to do."""
    err.print(f"[bold red]error[/] [dim]({type(error).__name__})[/]", end=" ")
    err.print(str(error), markup=False)


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the block as an exception, so that what was written half is taken away, as Ctrl-C does."""

    def stop(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def print_table(rows: Sequence[Sequence[object]], *columns: str) -> None:
    """Print rows under bold column names; a column whose name begins with ``>`` is set to the right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    out.print(table)


def print_warnings(warnings: Sequence[BuildWarning], limit: int = 20) -> None:
    """Print warnings on standard error, the first ``limit`` in full and the rest counted by kind."""
    for warning in warnings[:limit]:
        err.print("[yellow]warning[/]", end=" ")
        err.print(str(warning), markup=False)
    rest: dict[str, int] = {}
    for warning in warnings[limit:]:
        rest[warning.kind] = rest.get(warning.kind, 0) + 1
    for kind, count in sorted(rest.items()):
        err.print(f"[yellow]warning[/] and {count} more of kind {kind} (--all-warnings shows them)")


@contextmanager
def reporting(quiet: bool) -> Iterator[Reporter]:
    """A progress bar on standard error, unless nobody looks."""
    if quiet or not err.is_terminal:
        yield Reporter()
        return
    with ConsoleReporter(err) as reporter:
        yield reporter


course_argument = click.argument("path", type=click.Path(path_type=Path), default=".", metavar="[COURSE]")
as_of_option = click.option(
    "--as-of", type=Day(), help="The day to build for; later lectures stay out. Default: today in the course's zone."
)
port_range = click.IntRange(0, 65535)
dist_argument = click.argument("dist", type=click.Path(path_type=Path), default="dist")
