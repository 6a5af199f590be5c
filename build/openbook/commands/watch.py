"""``openbook build --watch``: build again on every change, and show it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from openbook.commands.console import err, failed, out, print_error, print_warnings, reporting
from openbook.config import Config
from openbook.errors import OpenbookError

if TYPE_CHECKING:
    from openbook.build_report import BuildReport


def watching(
    load: Callable[[], Config],
    destination: Path,
    *,
    as_of: date | None,
    port: int | None,
    quiet: bool,
    json: bool,
    stop: threading.Event | None = None,
) -> None:
    """Build until interrupted; with ``port``, serve the site once there is one. ``--json`` prints a line a build."""
    from openbook.pages.live import Live
    from openbook.pages.serve import serving
    from openbook.watch import watch_site

    live = Live()
    with ExitStack() as stack:
        served = False

        def told(result: BuildReport | OpenbookError) -> None:
            nonlocal served
            _print(result, quiet=quiet, json=json)
            if isinstance(result, OpenbookError):
                return
            if port is not None and not served:
                served = True
                url = stack.enter_context(serving(destination, port=port, live=live))
                err.print(f"Serving {destination} at {url}", markup=False)
            live.built()

        watch_site(load, destination, as_of=as_of, reporting=lambda: reporting(quiet or json), told=told, stop=stop)


def _print(result: BuildReport | OpenbookError, *, quiet: bool, json: bool) -> None:
    if isinstance(result, OpenbookError):
        if json:
            failure = failed(type(result).__name__, result.message, result.source, result.line, result.hint)
            sys.stdout.write(msgspec.json.encode(failure, enc_hook=str).decode() + "\n")
            sys.stdout.flush()
        print_error(result)
        return
    print_warnings(result.warnings)
    if json:
        sys.stdout.write(msgspec.json.encode(result, enc_hook=str).decode() + "\n")
        sys.stdout.flush()
    elif not quiet:
        seconds = sum(result.seconds.values())
        out.print(
            f"{result.chunks} chunks, {result.embedded} texts embedded, {seconds:.1f} s; waiting for changes",
            markup=False,
        )
