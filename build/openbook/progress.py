"""What a long command shows while it runs, and how long each stage took.

Library code takes a ``Reporter`` and never prints. ``Reporter`` itself is silent and only keeps the times;
``ConsoleReporter`` draws a bar on standard error, so that ``--json`` on standard output stays clean.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Advance = Callable[[int, int], None]
"""``advance(done, total)``: how much of a stage is done, in items of the stage's own kind."""


class Reporter:
    """Keeps the seconds of each stage, in the order in which they began.

    Attributes:
        seconds: stage name to wall-clock seconds; a stage that runs twice is added up.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[Advance]:
        """Time a stage and hand out the function that tells how far it is."""
        self.seconds.setdefault(name, 0.0)
        started = time.perf_counter()
        try:
            yield self._begin(name)
        finally:
            self.seconds[name] += time.perf_counter() - started
            self._end(name)

    def _begin(self, name: str) -> Advance:
        def silent(done: int, total: int) -> None:
            """Nothing to draw on."""

        return silent

    def _end(self, name: str) -> None:
        """Nothing to clear."""


class ConsoleReporter(Reporter):
    """Draws one bar a stage on a console, and clears it when the command ends."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._progress = Progress(
            TextColumn("{task.description:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._tasks: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def _begin(self, name: str) -> Advance:
        task = self._progress.add_task(name, total=None)
        self._tasks[name] = task

        def advance(done: int, total: int) -> None:
            self._progress.update(task, completed=done, total=total)

        return advance

    def _end(self, name: str) -> None:
        self._progress.remove_task(self._tasks.pop(name))  # type: ignore[arg-type]
