"""The commands: new, build, serve, ask, check, chunks, models, eval, scale, sweep, verify.

Each parses its arguments, calls one function of the library and prints what it returned: a table for a person,
or with ``--json`` one JSON value on standard output. Everything else (progress, warnings, errors) goes to
standard error. Exit codes: 0 it worked; 1 it ran and the answer is bad (a leak, a dangling link, a disagreement);
2 it could not run (no such folder, bad settings, a missing extra); 130 or 143 it was stopped.
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

import click

from openbook import __version__
from openbook.commands.ask import ask
from openbook.commands.console import (
    as_json,
    as_of_option,
    course_argument,
    dist_argument,
    err,
    failed,
    out,
    port_range,
    print_error,
    print_json,
    print_table,
    print_warnings,
    reporting,
    stopped_by_sigterm,
)
from openbook.commands.evaluate import evaluate
from openbook.commands.models import models
from openbook.commands.scale import scale
from openbook.commands.sweep import sweep
from openbook.commands.watch import watching
from openbook.config import Config
from openbook.errors import FileAccessError, OpenbookError, OtherCourseError

INTERRUPTED = 130
"""Exit code of a command that Ctrl-C ended, as shells have it."""


class Commands(click.Group):
    """A group whose commands end with a message instead of a traceback on an error that a user can meet."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        # Looked for here, since a command whose arguments are wrong never gets to its own.
        json = "--json" in ctx.args
        try:
            with stopped_by_sigterm():
                return super().invoke(ctx)
        except OpenbookError as error:
            failure = error
        except OSError as error:
            # One without a file is no mistake of the user's: a broken pipe, which click knows, or a bug.
            if error.filename is None:
                raise
            failure = FileAccessError(f"{error.strerror}.", source=error.filename)
        except click.UsageError as error:
            if json:
                print_json(failed("UsageError", error.format_message()))
            raise
        except KeyboardInterrupt:
            err.print("stopped; a site that was built before is as it was.", markup=False)
            return ctx.exit(INTERRUPTED)
        if json:
            print_json(failed(type(failure).__name__, failure.message, failure.source, failure.line, failure.hint))
        print_error(failure)
        return ctx.exit(failure.exit_code)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="openbook")
def main() -> None:
    """Turn a course's notes and slides into a static site that answers questions about them."""


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", default=None, help="Title of the course. Default: the folder's name.")
@as_json
def new(folder: Path, title: str | None, json: bool) -> None:
    """Write a small working course into FOLDER."""
    from openbook.pages.new import new_course

    files = new_course(folder, title=title)
    if json:
        print_json([str(file) for file in files])
        return
    for file in files:
        out.print(f"  {file}", markup=False)
    out.print(f"Next: openbook build {folder} --out {folder}/dist, then openbook serve {folder}/dist", markup=False)


@main.command()
@course_argument
@click.option("--out", "destination", type=click.Path(path_type=Path), help="Default: dist, or DIR/openbook.")
@click.option("--site", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR",
              help="Read the pages of a site that is built already; citations lead into it.")  # fmt: skip
@as_of_option
@click.option("--quiet", "-q", is_flag=True, help="No progress bar, no table.")
@click.option("--all-warnings", is_flag=True, help="Print every warning, not the first twenty.")
@click.option("--watch", is_flag=True, help="Build again whenever a file of the course changes.")
@click.option("--serve", "port", type=port_range, is_flag=False, flag_value=8000, metavar="[PORT]",
              help="With --watch: serve the site, whose pages load themselves again.")  # fmt: skip
@as_json
def build(
    path: Path,
    destination: Path | None,
    site: Path | None,
    as_of: date | None,
    quiet: bool,
    all_warnings: bool,
    watch: bool,
    port: int | None,
    json: bool,
) -> None:
    """Build the site of COURSE (a folder, with or without openbook.toml)."""
    from openbook.build import build_site
    from openbook.config import load_config

    def load() -> Config:
        config = load_config(path)
        return config if site is None else config.with_site(site)

    config = load()
    if destination is None:
        destination = config.sources_root / "openbook" if config.settings.sources.site else Path("dist")
    if watch or port is not None:
        watching(load, destination, as_of=as_of, port=port, quiet=quiet, json=json)
        return
    with reporting(quiet or json) as reporter:
        report = build_site(config, out=destination, as_of=as_of, reporter=reporter)
    print_warnings(report.warnings, limit=len(report.warnings) if all_warnings else 20)
    if json:
        print_json(report)
    elif not quiet:
        print_table(
            [
                (d.source, d.kind, d.reader, d.sections, d.chunks, d.words, d.largest_tokens, d.warnings or "")
                for d in report.documents
            ],
            "file", "kind", "reader", ">sections", ">chunks", ">words", ">most pieces", ">warnings",
        )  # fmt: skip
        for line in report.summary():
            out.print(line, markup=False)


@main.command()
@dist_argument
@click.option(
    "--port", type=port_range, default=8000, show_default=True, help="The next free one is taken when it is in use."
)
@click.option("--base-path", default="/", show_default=True, help="Serve under this path, as a project page would.")
@click.option("--cors", is_flag=True, help="Let pages of other addresses read it, to try <open-book> on one.")
def serve(dist: Path, port: int, base_path: str, cors: bool) -> None:
    """Serve a built site on this machine."""
    from openbook.pages.serve import serve_forever

    serve_forever(
        dist, port=port, base_path=base_path, cors=cors, announce=lambda url: out.print(f"Serving {dist} at {url}")
    )


@main.command()
@dist_argument
@click.option("--course", type=click.Path(path_type=Path), default=Path(), help="The course that it was built from.")
@as_json
def check(dist: Path, course: Path, json: bool) -> None:
    """Search a built site for text of lectures that were not released, and verify its files.

    Exits with 1 when any is found.
    """
    from openbook.config import load_config
    from openbook.course.catalogue import load_catalogue
    from openbook.index.read import load_index
    from openbook.pages.assets import own_digests
    from openbook.pages.leaks import find_leaks
    from openbook.pages.offline import check_list

    config = load_config(course)
    index = load_index(dist / "index")
    print_warnings(index.warnings)
    catalogue = load_catalogue(config, date.fromisoformat(index.manifest.as_of))
    # Without this, searching for what another course holds back finds nothing, and says so.
    lost = {lecture.id for lecture in index.catalogue.lectures} - {lecture.id for lecture in catalogue.lectures}
    if lost:
        raise OtherCourseError(
            f"was not built from {config.root}, or that has changed: it has the lecture {min(lost)!r}.",
            source=dist,
            hint="Name the course with --course, or build the site again.",
        )
    report = find_leaks(dist, config, catalogue, skip=own_digests())
    # A leak is the worse of the two, and is told first.
    kept = 0 if report.leaks else check_list(dist, index.manifest)
    if json:
        print_json(report)
        if report.leaks:
            sys.exit(1)
        return
    report.raise_for_leaks()
    out.print(
        f"{report.files} files searched for {report.windows} distinctive passages of {report.sources} sources that "
        f"are not released on {index.manifest.as_of}: nothing found.",
        markup=False,
    )
    out.print(f"{len(index.manifest.files)} files have the size and SHA-256 that the manifest says.", markup=False)
    if kept:
        out.print(f"{kept} more are as the list of what is kept offline says.", markup=False)


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
@as_json
def chunks(path: Path, json: bool) -> None:
    """Show what a file, or every file of a folder, becomes."""
    from openbook.chunks_report import describe
    from openbook.config import find_config
    from openbook.models.encoder import Encoder
    from openbook.models.registry import resolve

    config = find_config(path)
    encoder = Encoder(resolve(config.settings.models.encoder, root=config.root))
    described, warnings = describe(path, config, encoder.count_tokens, encoder.files.max_tokens)
    print_warnings(warnings)
    if json:
        print_json(described)
        return
    print_table(
        [(c["id"], f"{c['start_line']}-{c['end_line']}", c["tokens"], " › ".join(c["headings"])) for c in described],
        "chunk", ">lines", ">pieces", "headings",
    )  # fmt: skip
    out.print(f"{len(described)} chunks, at most {max((c['tokens'] for c in described), default=0)} word pieces")


main.add_command(ask)
main.add_command(models)
main.add_command(evaluate)
main.add_command(scale)
main.add_command(sweep)


@main.command()
@dist_argument
@click.option("--course", type=click.Path(path_type=Path), default=Path(), help="The course whose gold set is asked.")
@click.option("--chromium", type=click.Path(path_type=Path), default=None, help="Which browser. Default: look for one.")
@as_json
def verify(dist: Path, course: Path, chromium: Path | None, json: bool) -> None:
    """Open a built site in a real browser, ask every gold question, and compare with the Python reference.

    Needs the extra: pip install 'openbook[verify]'. Exits with 1 when anything differs.
    """
    from openbook.config import load_config
    from openbook.verify import verify_site

    with reporting(json) as reporter:
        report = verify_site(dist, load_config(course), chromium=chromium, reporter=reporter)
    if json:
        print_json(report)
    else:
        print_table(
            [
                (one.stage, "" if one.largest is None else f"{one.largest:.1e}", one.ties, one.differences)
                for one in report.stages
            ],
            "stage", ">greatest difference of scores", ">near-ties", ">differences",
        )  # fmt: skip
        for line in report.summary():
            out.print(line, markup=False)
    if not report.ok:
        sys.exit(1)
