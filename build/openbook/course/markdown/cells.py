"""Cells of code in Quarto, R Markdown and MyST: what of a cell a reader of the page sees.

Options stand in the head (``{r, echo=FALSE, fig.cap="A plot"}``), in comments (``#| echo: false``) or, in MyST, in the
directive's options (``:tags: [remove-input]``). Code that is not echoed is not on the page, so it is no text here
either; a figure's or table's caption is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

_PIPE = re.compile(r"[ \t]*(?:#|//|--|%%|;;|/\*)\|[ \t]?(.*?)(?:\*/)?$")
_OPTION = re.compile(
    r"""([\w.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\w+\([^()]*(?:\([^()]*\)[^()]*)*\)|[^,\s}]+)"""
)
_LABEL = re.compile(r"\{?\s*\.?[A-Za-z]\w*[\s,]+([\w.:-]+)\s*(?=[,}]|$)(?!\s*=)")
_FALSE = frozenset(("false", "f", "no"))
_CAPTIONS = ("fig-cap", "fig.cap", "tbl-cap", "tab.cap", "lst-cap", "fig-scap", "fig-alt", "fig.alt", "caption")
_TAGS = re.compile(r"[\w-]+")


class Cell(NamedTuple):
    """What a cell's options say.

    Attributes:
        shown: whether the code is on the page.
        captions: of its figures or tables.
        label: of the cell, "" without one.
        child: of an R Markdown cell that only brings in other files, their paths.
        lines: how many lines of the body are options.
    """

    shown: bool = True
    captions: tuple[str, ...] = ()
    label: str = ""
    child: tuple[str, ...] = ()
    lines: int = 0


def read_cell(info: str, body: list[str], data: Mapping[str, Any]) -> Cell:
    """Read the options of a cell.

    Args:
        info: of its fence, braces and all.
        body: its lines.
        data: front matter, whose ``execute`` gives Quarto's defaults.
    """
    options: dict[str, Any] = {}
    for match in _OPTION.finditer(info):
        options[match[1].lower()] = _value(match[2])
    lines = 0
    pipes: list[str] = []
    for line in body:
        pipe = _PIPE.match(line)
        if pipe is None:
            break
        pipes.append(pipe[1])
        lines += 1
    options |= _pipe_options(pipes)
    label = _LABEL.match(info)
    execute = data.get("execute")
    defaults = execute if isinstance(execute, dict) else {}
    shown = not (_is_false(options.get("echo", defaults.get("echo"))) or _is_false(options.get("include")))
    if "include" not in options and _is_false(defaults.get("include")):
        shown = False
    captions = () if _is_false(options.get("include")) else tuple(_captions(options))
    child = options.get("child", ())
    return Cell(
        shown=shown,
        captions=captions,
        label=str(options.get("label") or (label[1] if label else "")),
        child=tuple(re.findall(r"""["']([^"']+)["']""", child) or [child]) if isinstance(child, str) and child else (),
        lines=lines,
    )


def tags_of(options: Mapping[str, str]) -> frozenset[str]:
    """Return the tags of a MyST cell: ``:tags: [hide-input, remove-output]``."""
    return frozenset(tag.replace("_", "-") for tag in _TAGS.findall(options.get("tags", "")))


def _pipe_options(pipes: list[str]) -> dict[str, Any]:
    if not pipes:
        return {}
    try:
        found = yaml.safe_load("\n".join(pipes))
    except (yaml.YAMLError, ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return {str(key).lower(): value for key, value in found.items()}
    return {match[1].lower(): _value(match[2]) for line in pipes for match in _OPTION.finditer(line)}


def _value(written: str) -> str:
    if written[:1] in "\"'" and written[-1:] == written[:1]:
        return re.sub(r"\\(.)", r"\1", written[1:-1])
    return written


def _is_false(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value.lower() in _FALSE)


def _captions(options: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for key in _CAPTIONS:
        value = options.get(key)
        if isinstance(value, list):
            found += [str(one) for one in value]
        elif isinstance(value, str):
            # an expression of R has no text that can be known
            found += re.findall(r"[\"']([^\"']+)[\"']", value) if re.match(r"\w+\(", value) else [value]
    return list(dict.fromkeys(" ".join(one.split()) for one in found if one.strip()))
