"""What MkDocs and mdBook add to a line of Markdown: taken out of a text before it is Markdown, code apart.

Icons are no text; keys, marks and tracked changes leave their words; what other files would put in is said not to be
read. The number of lines stays the same.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from openbook.course.markdown.report import warn

_FENCE = re.compile(r"[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_ICON = re.compile(r":(?:material|fontawesome|octicons|simple)-[\w-]+:(?:\{[^{}\n]*\})?[ \t]*")
_KEYS = re.compile(r"\+\+([A-Za-z0-9\"'][^+\n]*(?:\+[^+\n]+)*)\+\+")
_COMMENT = re.compile(r"\{>>.*?<<\}")
_CRITIC = re.compile(r"\{(\+\+|--|==|~~)(.+?)\1\}")
_MARK = re.compile(r"(==|\^\^)(?=\S)([^=^\n]+?)(?<=\S)\1")
_BUTTON = re.compile(r"(?<=[)\w*_])\{:? *(?:[.#][\w:-]+|[\w-]+=\"[^\"]*\")(?: +(?:[.#][\w:-]+|[\w-]+=\"[^\"]*\"))* *\}")
_SNIPPET = re.compile(r"\s*-{1,2}8<-{1,2}(?:\s+(\"[^\"]*\"|'[^']*'))?\s*$")
_ABBREVIATION = re.compile(r"\*\[[^\]\n]+\]:\s")
_MDBOOK = re.compile(r"\{\{#(\w+)\s*([^{}\n]*)\}\}")
_LONGEST_LINE = 5000


def expand_marks(lines: list[str], system: str, env: MutableMapping[str, Any], offset: int) -> list[str]:
    """Take the marks out of a text.

    Args:
        lines: of the text behind the front matter.
        system: "mkdocs" or "mdbook".
        env: of the parser, for warnings.
        offset: lines of the file before the first.

    Returns:
        As many lines.
    """
    out: list[str] = []
    fence = ""
    for number, line in enumerate(lines, offset):
        opening = _FENCE.match(line)
        if opening is not None and (not fence or opening[1].startswith(fence)):
            fence = "" if fence else opening[1]
        if len(line) > _LONGEST_LINE:
            out.append(line)
        elif system == "mdbook":
            out.append(_MDBOOK.sub(lambda match, at=number: _include(match, env, at), line))  # type: ignore[misc]
        else:
            out.append(_snippet(line, env, number) if _SNIPPET.match(line) else line if fence else _mkdocs(line))
    return out


def _include(match: re.Match[str], env: MutableMapping[str, Any], line: int) -> str:
    if match[1] != "title":
        warn(env, "not-read", f"{match[1]} {match[2].strip()}: what it puts here is not read.", line)
    return ""


def _snippet(line: str, env: MutableMapping[str, Any], number: int) -> str:
    named = _SNIPPET.match(line)
    if named is not None and named[1]:
        warn(env, "not-read", f"snippet {named[1]}: what it puts here is not read.", number)
    return ""


def _mkdocs(line: str) -> str:
    if _ABBREVIATION.match(line):
        return ""
    parts, position = [], 0
    for code in _CODE.finditer(line):
        parts += [_words(line[position : code.start()]), code[0]]
        position = code.end()
    return "".join([*parts, _words(line[position:])])


def _words(text: str) -> str:
    text = _ICON.sub("", _COMMENT.sub("", text))
    text = _MARK.sub(r"\2", _CRITIC.sub(r"\2", text))
    text = _KEYS.sub(lambda match: match[1].replace('"', ""), text)
    return _BUTTON.sub("", text)
