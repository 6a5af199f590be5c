"""MDX, as Docusaurus has it: imports, expressions and components, taken out of a text before it is Markdown.

What an author wrote in them to be read stays: the title of a box, the label of a tab, what stands between the tags of a
component. A pair of a component's tags on lines of their own that has a title becomes a div of colons, so that a box is
a box. The number of lines stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, NamedTuple

from openbook.course.markdown.report import warn
from openbook.errors import WarningKind

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})([^\n]*)")
_NEXT = re.compile(r"`+|\$\$?|\\.|[{<]", re.DOTALL)
_NAME = re.compile(r"</?([A-Za-z][\w.:-]*)?")
_ATTRIBUTE = re.compile(r"\s*([A-Za-z_][\w.:-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(?=\{)))?")
_LITERAL = re.compile(r"^\s*(?:\"([^\"]*)\"|'([^']*)'|`([^`$]*)`)\s*$")
_IMPORT = re.compile(r"import\b(?:[^'\"\n]*\n?){1,40}?['\"]([^'\"\n]+)['\"]")
_IMPORTED = re.compile(r"import\s+(\w+)")
_STATEMENT = re.compile(r"(?:import|export)[ \t{*]")
_BRACKETS = re.compile(
    r"[(\[{]|[)\]}]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|/\*.*?\*/", re.DOTALL
)
_TITLES = ("title", "label", "summary", "header", "heading", "name", "question")
_TEXTS = (*_TITLES, "caption", "alt", "description", "text")
_LONGEST = 5000
_STEPS = 50_000


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    attributes: Mapping[str, str]
    opens: bool
    closes: bool
    dynamic: bool


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def expand_mdx(lines: list[str], env: MutableMapping[str, Any], offset: int) -> list[str]:
    """Take out of a text what MDX adds to Markdown.

    Args:
        lines: of the text behind the front matter.
        env: of the parser, for warnings.
        offset: lines of the file before the first.

    Returns:
        As many lines.
    """
    return _Mdx("\n".join(lines), env, offset).read().split("\n")


class _Mdx:
    def __init__(self, text: str, env: MutableMapping[str, Any], offset: int) -> None:
        self._text, self._env, self._offset = text, env, offset
        self._imported: dict[str, str] = {}
        self._tags: list[_Tag] = []
        self._edits: list[_Edit] = []
        self._warned: set[str] = set()
        # what never closes would be looked through anew from every bracket
        self._steps = _STEPS + 4 * len(text)

    def read(self) -> str:
        for start, end in self._prose():
            self._scan(start, end)
        pairs = _pairs(self._tags)
        self._edits += [self._tag_edit(number, pairs) for number in range(len(self._tags))]
        out: list[str] = []
        position = 0
        for edit in sorted(self._edits):
            if edit.start < position:
                continue
            old = self._text[edit.start : edit.end]
            out += [self._text[position : edit.start], edit.text, "\n" * (old.count("\n") - edit.text.count("\n"))]
            position = edit.end
        return "".join([*out, self._text[position:]])

    def _warn(self, kind: WarningKind, message: str, position: int) -> None:
        if message not in self._warned:
            self._warned.add(message)
            warn(self._env, kind, message, self._text.count("\n", 0, position) + self._offset)

    def _prose(self) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of what is no code between fences and no statement; note statements as edits."""
        start = position = 0
        fence, blank = "", True
        skip = 0
        for line in self._text.split("\n"):
            end = position + len(line) + 1
            match = _FENCE.match(line)
            if position < skip:
                start = end
            elif fence:
                closing = match and match[1].startswith(fence) and not match[2].strip()
                if closing:
                    fence, start = "", end
            elif match and not (match[1][0] == "`" and "`" in match[2]):
                yield start, position
                fence = match[1]
            elif blank and _STATEMENT.match(line):
                yield start, position
                skip = self._statement(position)
                start = end
            blank = not line.strip() or position < skip
            position = end
        if not fence:
            yield start, len(self._text)

    def _statement(self, start: int) -> int:
        """Note an import or an export as taken out, and return where it ends: at a line's end, its brackets closed."""
        found = _IMPORT.match(self._text, start)
        if found is not None:
            end = _line_end(self._text, found.end())
            name = _IMPORTED.match(found[0])
            if name and found[1].lower().endswith((".md", ".mdx")):
                self._imported[name[1]] = found[1]
        else:
            depth, end = 0, _line_end(self._text, start)
            for match in _BRACKETS.finditer(self._text, start, start + 4 * _LONGEST):
                if depth <= 0 and match.start() > end:
                    break
                depth += (match[0] in "([{") - (match[0] in ")]}")
                end = _line_end(self._text, match.end())
        self._edits.append(_Edit(start, end, ""))
        return end

    def _scan(self, start: int, end: int) -> None:
        text, position = self._text, start
        while match := _NEXT.search(text, position, end):
            at, mark = match.start(), match[0]
            position = match.end()
            if mark[0] == "`":
                paragraph = _within(text.find("\n\n", position), end)
                close = re.compile(rf"(?<!`){mark}(?!`)").search(text, position, paragraph)
                position = close.end() if close else position
            elif mark[0] == "$":
                position = _math_end(text, position, mark, end)
            elif mark == "{":
                position = self._expression(at, end)
            elif mark == "<":
                position = self._tag(at, end)

    def _expression(self, start: int, end: int) -> int:
        text = self._text
        if text.startswith("{/*", start):
            close = text.find("*/}", start)
            if close < 0:
                self._warn("unclosed-comment", "a comment begins here and never ends.", start)
                return start + 1
            self._edits.append(_Edit(start, close + 3, ""))
            return close + 3
        close = self._balanced(start, end)
        if close < 0 or text.startswith("{#", start):
            return start + 1
        inner = text[start + 1 : close - 1]
        literal = _LITERAL.match(inner)
        if literal is None and inner.strip():
            message = f"what {{{' '.join(inner.split())[:60]}}} stands for is not known; it is left out."
            self._warn("unknown-value", message, start)
        shown = next((group for group in literal.groups() if group is not None), "") if literal else ""
        self._edits.append(_Edit(start, close, shown))
        return close

    def _balanced(self, start: int, end: int) -> int:
        """Return where the bracket that opens at ``start`` has been closed, or -1: also when all steps are used up."""
        depth = 0
        for match in _BRACKETS.finditer(self._text, start, min(end, start + _LONGEST)):
            self._steps -= 1
            depth += (match[0] in "([{") - (match[0] in ")]}")
            if depth == 0:
                return match.end()
            if self._steps <= 0:
                break
        return -1

    def _tag(self, start: int, end: int) -> int:
        text = self._text
        name = _NAME.match(text, start, end)
        if name is None or (name[1] is None and not text.startswith(("<>", "</>"), start)):
            return start + 1
        position, attributes, dynamic = name.end(), dict[str, str](), False
        limit = min(end, start + _LONGEST)
        while True:
            match = _ATTRIBUTE.match(text, position, limit)
            if match is not None and match.end() > position:
                position = match.end()
                value = match[2] if match[2] is not None else match[3]
                if value is None and text.startswith("{", position) and match[0].rstrip().endswith("="):
                    close = self._balanced(position, limit)
                    if close < 0:
                        return start + 1
                    literal = _LITERAL.match(text[position + 1 : close - 1])
                    value = next((group for group in literal.groups() if group is not None), "") if literal else ""
                    position, dynamic = close, True
                attributes[match[1]] = value or ""
                continue
            while position < limit and text[position].isspace():
                position += 1
            if text.startswith("{", position):  # {...props}
                position, dynamic = self._balanced(position, limit), True
                if position < 0:
                    return start + 1
                continue
            break
        closes = text.startswith("/", position)
        position += closes
        if not text.startswith(">", position):
            return start + 1
        closing = text.startswith("</", start)
        self._tags.append(
            _Tag(start, position + 1, name[1] or "", attributes, not closing and not closes, closing, dynamic)
        )
        return position + 1

    def _tag_edit(self, number: int, pairs: Mapping[int, int]) -> _Edit:
        tag = self._tags[number]
        written = self._text[tag.start : tag.end]
        if tag.name and tag.name[0].islower() and "." not in tag.name:
            return _Edit(tag.start, tag.end, _plain_tag(tag) if tag.dynamic else written)
        other = pairs.get(number)
        if other is not None:
            first, last = self._tags[min(number, other)], self._tags[max(number, other)]
            title = next((first.attributes[key] for key in _TITLES if first.attributes.get(key)), "")
            if title and _alone(self._text, first) and _alone(self._text, last):
                word = re.sub(r"[^\w-]", "-", first.name.lower())
                return _Edit(tag.start, tag.end, ":::" if tag.closes else f"::: {word} {' '.join(title.split())}")
        shown = ": ".join(dict.fromkeys(tag.attributes[key] for key in _TEXTS if tag.attributes.get(key)))
        if not shown and not tag.opens and not tag.closes and tag.name:
            what = self._imported.get(tag.name)
            of = f"the text of {what}" if what else "what it shows"
            self._warn("not-read", f"<{tag.name} /> is a component: {of} is not read.", tag.start)
        return _Edit(tag.start, tag.end, shown)


def _plain_tag(tag: _Tag) -> str:
    if tag.closes:
        return f"</{tag.name}>"
    kept = "".join(f' {key}="{value}"' for key, value in tag.attributes.items() if value and '"' not in value)
    return f"<{tag.name}{kept}{'' if tag.opens else '/'}>"


def _pairs(tags: list[_Tag]) -> dict[int, int]:
    """Return the number of each opening tag that is closed → that of its closing tag, and the other way round."""
    found: dict[int, int] = {}
    waiting: dict[str, list[int]] = {}
    for number, tag in enumerate(tags):
        if tag.opens:
            waiting.setdefault(tag.name, []).append(number)
        elif tag.closes and waiting.get(tag.name):
            other = waiting[tag.name].pop()
            found[other], found[number] = number, other
    return found


def _alone(text: str, tag: _Tag) -> bool:
    """Whether a tag stands on lines of its own."""
    start = text.rfind("\n", 0, tag.start) + 1
    return not text[start : tag.start].strip() and not text[tag.end : _line_end(text, tag.end)].strip()


def _line_end(text: str, position: int) -> int:
    return _within(text.find("\n", position), len(text))


def _within(found: int, end: int) -> int:
    return end if found < 0 else min(found, end)


def _math_end(text: str, position: int, mark: str, end: int) -> int:
    """Return the place behind the formula that begins before ``position``, or ``position`` when none does."""
    limit = min(end, position + _LONGEST) if mark == "$$" else min(end, _line_end(text, position))
    close = text.find(mark, position, limit)
    if close <= position or (mark == "$" and (text[position].isspace() or text[close - 1].isspace())):
        return position
    return close + len(mark)
