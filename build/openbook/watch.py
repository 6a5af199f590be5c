"""Builds a course again whenever one of its files changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from typing import Final

from watchfiles import Change, DefaultFilter, watch

from openbook.build import build_site
from openbook.build_report import BuildReport
from openbook.config import Config
from openbook.errors import OpenbookError
from openbook.models.embeddings import EmbeddingCache
from openbook.progress import Reporter

POLL_MS: Final = 250
"""How often it is looked whether the watch is to end; changes come at once."""

DEBOUNCE_MS: Final = 400
"""Changes within so long of each other are one: an editor that saves all its files."""


class _Sources(DefaultFilter):
    """Everything of a course but what is built of it, and what editors, version control and caches leave behind."""

    def __init__(self, out: Path) -> None:
        super().__init__()
        self._out = out.resolve()

    def __call__(self, change: Change, path: str) -> bool:
        """Whether a change is one of the course."""
        place = Path(path)
        if place.is_relative_to(self._out) or not super().__call__(change, path):
            return False
        # A build writes into a folder beside its destination first, named after it.
        parts = place.relative_to(self._out.parent).parts if place.is_relative_to(self._out.parent) else ()
        return not (parts and parts[0].startswith(f".{self._out.name}-"))


def watch_site(
    load: Callable[[], Config],
    out: Path,
    *,
    as_of: date | None = None,
    cache: EmbeddingCache | None = None,
    reporting: Callable[[], AbstractContextManager[Reporter]],
    told: Callable[[BuildReport | OpenbookError], object],
    stop: threading.Event | None = None,
) -> None:
    """Build, and build again after every change, until ``stop`` is set or the user interrupts.

    A build that fails is told and leaves the site of the last one that did not; the next change tries again. Texts that
    did not change keep their vectors. After the first build the evaluation page keeps its figures where they would have
    to be measured anew, and says so.

    Args:
        load: reads the settings, which may change too.
        out: folder of the site.
        as_of: day of the release gate; default: the day of each build.
        cache: of embeddings; default: the user's.
        reporting: gives a reporter for one build.
        told: given the report of each build, or why there is none.
        stop: ends the watch.
    """
    config = load()
    built = False

    def build() -> None:
        nonlocal config, built
        try:
            config = load()
            with reporting() as reporter:
                # The ladder takes longer than all the rest of a rebuild, and its page says whose figures it shows.
                report = build_site(config, out=out, as_of=as_of, reporter=reporter, cache=cache, ladder=not built)
        except OpenbookError as error:
            told(error)
            return
        built = True
        # Outside of the above: what goes wrong in showing the site, such as a port in use, ends the watch.
        told(report)

    folders = {config.root.resolve(), config.sources_root.resolve()}
    # Watching begins before the first build, which so misses nothing that is saved while it runs.
    rounds = watch(
        *folders,
        watch_filter=_Sources(out),
        stop_event=stop,
        raise_interrupt=False,
        yield_on_timeout=True,
        rust_timeout=POLL_MS,
        debounce=DEBOUNCE_MS,
    )
    for number, changes in enumerate(rounds):
        if number == 0 or changes:
            build()
