"""Text of other files: found, never outside the course's folder nor in a lecture that is not released, and parsed."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from markdown_it.rules_block import StateBlock

from openbook.course import front_matter
from openbook.course.encoding import decode
from openbook.course.front_matter import NONE
from openbook.course.hidden import strip_hidden
from openbook.course.markdown.context import MAX_DEPTH, context_of
from openbook.course.markdown.report import warn
from openbook.errors import FrontMatterError, UnreadableSourceError

_LARGEST = 4_000_000


def include(state: StateBlock, written: str, start: int, options: Mapping[str, str] | None = None) -> bool:
    """Parse another Markdown file in place; its blocks count to the line of the include.

    Args:
        state: of the parser; ``state.line`` already stands behind the include.
        written: path as the author wrote it.
        start: line of the include, counted from 0.
        options: of MyST's directive: which part of the file is wanted.

    Returns:
        False when there is nothing to include; a warning has said why.
    """
    found = read_file(state, written, start)
    if found is None:
        return False
    path, text = found
    if path.suffix.lower() == ".rst":
        warn(state.env, "not-read", f"{written} is reStructuredText, which is not read.", start)
        return False
    text = select(text, options or {})
    if not options:
        try:
            matter = front_matter.split(text, written)
        except FrontMatterError:
            matter = NONE
        text = "\n".join(text.split("\n")[matter.lines :])
    parse_in_place(state, text, start, path)
    return True


def parse_in_place(state: StateBlock, text: str, start: int, path: Path | None = None) -> None:
    """Parse a text as blocks of their own where the state stands; they count to the line ``start``."""
    first = len(state.tokens)
    context = context_of(state.env)
    with context.at(start, path):
        state.md.block.parse(text.rstrip("\n") + "\n", state.md, state.env, state.tokens)
    for token in state.tokens[first:]:
        if token.map is not None:
            token.map = [start, max(state.line, start + 1)]
        if "code_line" in token.meta:
            token.meta["code_line"] = start


def read_file(state: StateBlock, written: str, start: int) -> tuple[Path, str] | None:
    """Return a file of the course as text; None with a warning when it cannot be had."""
    context = context_of(state.env)
    files = context.files
    written = unquote(written.strip().strip("\"'"))
    if files is None or not written or written.startswith(("http:", "https:")):
        warn(state.env, "not-read", f"{written}: what stands there is not read.", start)
        return None
    base = context.including[-1] if context.including else files.path
    candidates = (
        (files.root / written.lstrip("/"),)
        if written.startswith("/")
        else (base.parent / written, files.path.parent / written)
    )
    try:
        path = next((path for path in (candidate.resolve() for candidate in candidates) if path.is_file()), None)
        outside = not candidates[0].resolve().is_relative_to(files.root)
    except (OSError, ValueError, RuntimeError):
        path, outside = None, False
    if outside or (path is not None and not path.is_relative_to(files.root)):
        message = f"{written!r} lies outside of the course's folder; it is not included. Copy what is needed."
        warn(state.env, "outside-root", message, start)
        return None
    if path is None:
        warn(state.env, "missing-include", f"there is no file {written!r} to include.", start)
        return None
    if any(one in files.refused for one in (path, *path.parents)):
        warn(
            state.env, "unreleased-include", f"{written!r} belongs to a lecture that is not released; left out.", start
        )
        return None
    if path == files.path or path in context.including or len(context.including) >= MAX_DEPTH:
        warn(state.env, "include-loop", f"{written!r} includes itself, or too many files one in another.", start)
        return None
    try:
        if path.stat().st_size > _LARGEST:
            warn(state.env, "not-read", f"{written!r} is too large to be included.", start)
            return None
        text = decode(path.read_bytes(), written).text
    except (OSError, UnreadableSourceError) as error:
        warn(state.env, "not-read", f"{written!r} cannot be read: {error}", start)
        return None
    return path, strip_hidden(text)[0]


def select(text: str, options: Mapping[str, str]) -> str:
    """Return the part of a file that a directive's options ask for, as docutils and Sphinx understand them."""
    lines = text.split("\n")
    if options.get("pyobject"):
        lines = _python_object(text, options["pyobject"]) or lines
    if options.get("lines"):
        lines = [line for number, line in enumerate(lines, 1) if _wanted(number, options["lines"])]
    first, last = _number(options.get("start-line")), _number(options.get("end-line"))
    if first is not None or last is not None:
        lines = lines[first or 0 : last]
    for name, keep in (("start-at", 0), ("start-after", 1)):
        if options.get(name):
            at = next((number for number, line in enumerate(lines) if options[name] in line), None)
            lines = lines if at is None else lines[at + keep :]
    for name, keep in (("end-at", 1), ("end-before", 0)):
        if options.get(name):
            at = next((number for number, line in enumerate(lines) if options[name] in line), None)
            lines = lines if at is None else lines[: at + keep]
    found = "\n".join(lines)
    return textwrap.dedent(found) if "dedent" in options else found


def _number(text: str | None) -> int | None:
    try:
        return int(text) if text else None
    except ValueError:
        return None


def _wanted(number: int, ranges: str) -> bool:
    for part in ranges.split(","):
        low, dash, high = part.strip().partition("-")
        first, last = _number(low) or 1, _number(high)
        if dash and first <= number and (last is None or number <= last):
            return True
        if not dash and low and number == first:
            return True
    return False


def _python_object(text: str, name: str) -> list[str] | None:
    try:
        nodes: list[ast.stmt] = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    found: ast.stmt | None = None
    for part in name.split("."):
        found = next((node for node in nodes if getattr(node, "name", None) == part), None)
        if found is None:
            return None
        nodes = getattr(found, "body", [])
    if found is None:
        return None
    first = min([found.lineno, *(one.lineno for one in getattr(found, "decorator_list", []))])
    return text.split("\n")[first - 1 : found.end_lineno]
