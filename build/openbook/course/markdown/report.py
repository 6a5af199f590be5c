"""How the parser's rules say what they noticed."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from openbook.course.markdown.context import context_of
from openbook.errors import WarningKind

_KEY = "openbook_warnings"


def warn(env: MutableMapping[str, Any], kind: WarningKind, message: str, line: int | None) -> None:
    """Note a warning in the parser's environment; ``line`` is 0-based, as token maps are."""
    context = context_of(env)
    if context.including:
        message = f"{message} (In {context.including[-1].name}, which is included here.)"
    env.setdefault(_KEY, {})[kind, message, context.line(line)] = None


def noted(env: MutableMapping[str, Any]) -> list[tuple[WarningKind, str, int | None]]:
    """Return the warnings noted so far, each once, as (kind, message, 1-based line), in the order of the lines."""
    found = [(kind, message, None if line is None else line + 1) for kind, message, line in env.get(_KEY, {})]
    return sorted(found, key=lambda item: item[2] or 0)
