"""Glob patterns over paths with forward slashes: ``**`` is any number of folders, ``*`` stays within one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=512)
def _compile(pattern: str) -> re.Pattern[str]:
    pattern = pattern.replace("\\", "/").removeprefix("./")
    regex, index = "", 0
    while index < len(pattern):
        char = pattern[index]
        if pattern.startswith("**/", index):
            regex, index = regex + "(?:.*/)?", index + 3
        elif pattern.startswith("**", index):
            regex, index = regex + ".*", index + 2
        elif char == "*":
            regex, index = regex + "[^/]*", index + 1
        elif char == "?":
            regex, index = regex + "[^/]", index + 1
        elif char == "[" and (end := pattern.find("]", index + 2)) > 0:
            inside = pattern[index + 1 : end].replace("\\", "\\\\")
            regex += f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
            index = end + 1
        else:
            regex, index = regex + re.escape(char), index + 1
    return re.compile(regex, re.DOTALL)


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Tell whether a path, relative and with forward slashes, matches one of the patterns as a whole."""
    return any(_compile(pattern).fullmatch(path) for pattern in patterns)
