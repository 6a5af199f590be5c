"""reStructuredText in ``{eval-rst}`` → Markdown, as far as its text goes: no tables are drawn, nothing is looked up."""

from __future__ import annotations

import re
import textwrap

_DIRECTIVE = re.compile(r"^\.\. (?:\|[^|]+\| )?(?P<name>[\w:-]+):: ?(?P<argument>.*)$")
_EXPLICIT = re.compile(r"^\.\.(?: |$)")
_NOTE = re.compile(r"^\.\. \[[^\]]+\] (?P<text>.*)$")
_OPTION = re.compile(r"^\s*:[\w-]+:(?: |$)")
_RULE = re.compile(r"^\s*[-=~^\"'`#*+|_.:]{3,}[-=+| ~]*$")
_ROLE = re.compile(r":[\w:+.-]+:`([^`]*)`")
_REFERENCE = re.compile(r"(?<!`)`([^`<>]+?)(?:\s*<[^`]*>)?`__?(?!\w)")
_TARGET = re.compile(r"\s*<[^<>]*>$")
_OUTER = 12
_CODE_NAMES = "code code-block parsed-literal sourcecode"
_CODE = frozenset(_CODE_NAMES.split())
_BOX_NAMES = """
    admonition attention caution danger error hint important note seealso tip warning deprecated versionadded
    versionchanged topic sidebar
"""
_BOXES = frozenset(_BOX_NAMES.split())
_UNREAD_NAMES = """
    bibliography contents currentmodule default-domain figure highlight image include index literalinclude meta
    module py:currentmodule py:module raw sectionauthor tabularcolumns toctree
"""
_UNREAD = frozenset(_UNREAD_NAMES.split())


def rst_as_markdown(text: str) -> tuple[str, list[str]]:
    """Return the text of reStructuredText as MyST, and the directives of which nothing could be read.

    Args:
        text: in an ``{eval-rst}``.
    """
    unread: list[str] = []
    return "\n".join(_lines(textwrap.dedent(text).split("\n"), _OUTER, unread)), unread


def _lines(lines: list[str], colons: int, unread: list[str]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not _EXPLICIT.match(line):
            literal = line.endswith("::")
            found += [] if _RULE.match(line) else [_inline(line[:-1] if literal else line)]
            at += 1
            continue
        end = at + 1
        while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" ")):
            end += 1
        body = textwrap.dedent("\n".join(lines[at + 1 : end])).split("\n")
        found += ["", *_explicit(line, body, colons, unread), ""]
        at = end
    return found


def _explicit(line: str, body: list[str], colons: int, unread: list[str]) -> list[str]:
    note = _NOTE.match(line)
    if note:
        return [_inline(note["text"]), *_lines(body, colons, unread)]
    directive = _DIRECTIVE.match(line)
    if directive is None:  # a comment, a target
        return []
    name, argument = directive["name"], directive["argument"].strip()
    while body and (_OPTION.match(body[0]) or not body[0].strip()):
        body = body[1:]
    if name in _CODE:
        return [f"{'`' * 6}{argument}", *body, "`" * 6]
    if name == "math":
        return ["$$", argument, *body, "$$"]
    if name in _UNREAD or name.rpartition(":")[2].startswith("auto"):
        unread.append(name)
        return _lines(body, colons, unread) if name == "figure" else []
    inside = _lines(body, max(colons - 1, 3), unread)
    if name in _BOXES:
        fence = ":" * colons
        return [f"{fence}{{{name}}} {_inline(argument)}".rstrip(), *inside, fence]
    return [_inline(argument), "", *inside]


def _inline(text: str) -> str:
    text = _ROLE.sub(lambda match: _TARGET.sub("", match[1]).lstrip("~!"), text)
    return _REFERENCE.sub(r"\1", text)
