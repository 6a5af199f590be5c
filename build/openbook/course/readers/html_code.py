"""Code of an HTML page: its text as it stands in the lines that are shown, and its language."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_UNSEEN_NAMES = """
    -comment audio canvas datalist embed head iframe input link meta noscript object param progress script
    select source style template track
"""
UNSEEN = frozenset(_UNSEEN_NAMES.split())
_LINE_NUMBERS_NAMES = """
    gutter hljs-ln-n hljs-ln-numbers line-number line-numbers-rows linenodiv lineno linenos ln lnt
"""
LINE_NUMBERS = frozenset(_LINE_NUMBERS_NAMES.split())
_UNREAD_CODE = LINE_NUMBERS | {"boring", "sr-only"}
"""Beside line numbers, what mdBook hides until it is asked for, and what only readers of screens are told."""
_NOT_SELECTED = re.compile(r"user-select:\s*none")  # so Hugo marks line numbers where it writes no classes
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush|src)[-:] ?([\w+#.-]+)")
_LANGUAGE_CLASS = re.compile(r"(?:^|\s)language-([\w+#.-]+)")
_FAR = 6
_NO_LANGUAGE_NAMES = """
    active code code-block codeblock default false fragment hljs highlight hljs-copy-wrapper literal-block
    noescape nohighlight none notranslate numbersource plain plaintext r-stretch screenshot sourcecode stretch
    text txt
"""
_NO_LANGUAGE = frozenset(_NO_LANGUAGE_NAMES.split())


def classes_of(node: LexborNode) -> frozenset[str]:
    """Return the classes of an element."""
    return frozenset((node.attributes.get("class") or "").split())


def code_text(node: LexborNode) -> str:
    """Return the text of a ``pre``: without line numbers and buttons, each line that is an element on its own."""
    pieces: list[str] = []

    def walk(parent: LexborNode) -> None:
        child = parent.child
        while child is not None:
            tag = child.tag
            if tag == "-text":
                pieces.append(child.text_content or "")
            elif tag == "br":
                pieces.append("\n")
            elif tag == "script" and "template" in (child.attributes.get("type") or ""):
                pieces.append(child.text() or "")
            elif tag not in UNSEEN and tag != "button" and not _is_unread(child):
                walk(child)
                if tag == "div" and pieces and not pieces[-1].endswith("\n"):
                    pieces.append("\n")
            child = child.next

    walk(node)
    return "".join(pieces)


def _is_unread(node: LexborNode) -> bool:
    return bool(_UNREAD_CODE & classes_of(node)) or bool(_NOT_SELECTED.search(node.attributes.get("style") or ""))


def is_line_numbers(node: LexborNode, beside: LexborNode | None) -> bool:
    """Tell whether a cell of a table holds the numbers of the lines of the code in the cell beside it."""
    if LINE_NUMBERS & classes_of(node):
        return True
    if beside is None or node.css_first("pre") is None or beside.css_first("pre") is None:
        return False
    numbers = (node.text() or "").split()
    if not numbers or not all(number.isdecimal() for number in numbers):
        return False
    first = int(numbers[0])
    lines = code_text(beside).strip("\n").count("\n") + 1
    return len(numbers) == lines and [int(number) for number in numbers] == list(range(first, first + lines))


def language_of(node: LexborNode) -> str:
    """Return the language that the classes of a ``pre``, of its ``code`` or of what is round it name, or ""."""
    code = node.css_first("code")
    nodes = [*([code] if code is not None else []), node]
    parent = node.parent
    for _ in range(2):
        if parent is not None:
            nodes.append(parent)
            parent = parent.parent
    for each in nodes:
        said = each.attributes.get("data-language") or each.attributes.get("data-lang")
        if said:
            return "" if said.lower() in _NO_LANGUAGE else said.lower()
        match = _LANGUAGE.search(each.attributes.get("class") or "")
        if match:
            return "" if match[1].lower() in _NO_LANGUAGE else match[1].lower()
    far = _language_around(parent)
    if far:
        return "" if far in _NO_LANGUAGE else far
    if code is not None:
        own = [name.lower() for name in (code.attributes.get("class") or "").split()]
        marked = {"hljs", "sourcecode"} & set(own)
        names = [name for name in own if name not in _NO_LANGUAGE and "-" not in name]
        if names and (marked or len(own) == 1):
            return names[0]
    return ""


def _language_around(node: LexborNode | None) -> str:
    """Return what is said further up: code beside its line numbers stands in a table."""
    for _ in range(_FAR):
        if node is None or node.tag in ("article", "body", "main", "section"):
            break
        match = _LANGUAGE_CLASS.search(node.attributes.get("class") or "")
        if match:
            return match[1].lower()
        node = node.parent
    return ""
