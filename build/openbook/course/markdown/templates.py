"""Jekyll's Liquid and Hugo's shortcodes: taken out of a text before it is Markdown, line by line, as those systems do.

A tag is no text. What an author wrote inside one to be read stays: the caption of a figure, the title of a box, what
``raw`` protects, a value that the page's own front matter gives. A pair of Hugo's tags on lines of their own becomes a
div of colons, so that a box is a box. The number of lines stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from typing import Any, Final

from openbook.course.markdown.context import context_of
from openbook.course.markdown.report import warn

_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}(.*?)\{%-?\s*endraw\s*-?%\}", re.DOTALL)
_UNSEEN = re.compile(r"\{%-?\s*(comment|capture)\b(?:(?!%\}).){0,2000}%\}.*?\{%-?\s*end\1\s*-?%\}", re.DOTALL)
_TAG = re.compile(r"\{%-?\s{0,99}(/?[\w-]{0,99})((?:(?!%\}).){0,2000}?)-?%\}", re.DOTALL)
_OUTPUT = re.compile(r"\{\{-?((?:(?!\}\}).){0,2000}?)-?\}\}", re.DOTALL)
_SHORTCODE = re.compile(r"\{\{([<%])-?\s*(/?)\s*([\w./-]+)((?:(?![>%]\}\}).){0,2000}?)(/?)-?[>%]\}\}", re.DOTALL)
_ESCAPED = re.compile(r"\{\{([<%])/\*(.*?)\*/([>%])\}\}", re.DOTALL)
_HUGO_COMMENT = re.compile(r"\{\{(?:<|%)?/\*.*?\*/(?:>|%)?\}\}", re.DOTALL)
_ARGUMENT = re.compile(
    r"""([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"']+))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|(\S+)"""
)
_PICTURES = ("src", "path", "image_path", "url", "link", "image", "img", "file", "image-url", "href")
_TEXTS = (
    "title",
    "caption",
    "text",
    "alt",
    "label",
    "summary",
    "heading",
    "subtitle",
    "description",
    "content",
    "name",
)
_KEY = re.compile(r"[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}$")
_KEPT_TAGS = frozenset(("highlight", "endhighlight"))
_SILENT = frozenset(("ref", "relref"))
_MISSING_VALUE: Final = "unknown-value"
_LITERAL = re.compile(r"""(?:"([^"]*)"|'([^']*)')""")
_KNOWN_TO_THE_SITE = ("site.baseurl", "site.url", "include.", "page.", "content", "layout.")


def expand_templates(lines: list[str], system: str, env: MutableMapping[str, Any], offset: int) -> list[str]:
    """Take the tags out of a text.

    Args:
        lines: of the text behind the front matter.
        system: "jekyll" or "hugo".
        env: of the parser, for warnings.
        offset: lines of the file before the first.

    Returns:
        As many lines.
    """
    text = "\n".join(lines)
    text = _liquid(text, env, offset) if system == "jekyll" else _hugo(text, env, offset)
    return text.split("\n")


def _lines_of(text: str) -> str:
    return "\n" * text.count("\n")


class _Kept:
    """Text that no further rule may touch, held aside under a mark."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def hold(self, text: str) -> str:
        self.texts.append(text)
        return f"\ue000{len(self.texts) - 1}\ue001"

    def restore(self, text: str) -> str:
        return re.sub("\ue000(\\d+)\ue001", lambda match: self.texts[int(match[1])], text)


def _liquid(text: str, env: MutableMapping[str, Any], offset: int) -> str:
    if "{%" not in text and "{{" not in text:
        return text
    kept = _Kept()
    text = _RAW.sub(lambda match: kept.hold(match[1]), text)
    text = _UNSEEN.sub(lambda match: _lines_of(match[0]), text)
    text = _TAG.sub(_liquid_tag, text) if "%}" in text else text
    return kept.restore(_liquid_values(text, env, offset))


def _liquid_tag(match: re.Match[str]) -> str:
    name, rest = match[1], match[2]
    if name in _KEPT_TAGS:
        return match[0]
    shown = ""
    if name in ("link", "post_url"):
        shown = rest.strip().strip("\"'")
    elif name.startswith("include") or name in ("figure", "image", "picture"):
        shown = _shown(rest)
    return shown + _lines_of(match[0])


def _liquid_values(text: str, env: MutableMapping[str, Any], offset: int) -> str:
    data = context_of(env).data

    def output(match: re.Match[str]) -> str:
        literal = _LITERAL.match(match[1].strip())
        path = match[1].partition("|")[0].strip()
        value: Any = (literal[1] or literal[2]) if literal else data if path.startswith("page.") else None
        for part in path.split(".")[1:] if isinstance(value, Mapping) else ():
            value = value.get(part) if isinstance(value, Mapping) else None
        if isinstance(value, (str, int, float)):
            return str(value) + _lines_of(match[0])
        if not path.startswith(_KNOWN_TO_THE_SITE):
            line = text.count("\n", 0, match.start()) + offset
            warn(env, _MISSING_VALUE, f"what {match[0]!r} stands for is not known; it is left out.", line)
        return _lines_of(match[0])

    return _OUTPUT.sub(output, text) if "}}" in text else text


def _parse(written: str) -> tuple[list[str], dict[str, str]]:
    plain: list[str] = []
    named: dict[str, str] = {}
    for match in _ARGUMENT.finditer(written):
        if match[1]:
            named[match[1].lower()] = next(group for group in match.group(2, 3, 4, 5) if group is not None)
        else:
            value = next((group for group in match.group(6, 7, 8) if group is not None), None)
            # the key by which a site knows a thing is for no reader
            if value is not None and not _KEY.match(value):
                plain.append(value)
    return plain, named


def _shown(written: str) -> str:
    """Return what a reader sees of a tag's arguments: a picture with its texts, or the texts."""
    plain, named = _parse(written)
    picture = next((named[key] for key in _PICTURES if named.get(key)), "")
    texts = list(dict.fromkeys(named[key] for key in _TEXTS if named.get(key)))
    if re.search(r"\.(?:png|jpe?g|gif|svg|webp|avif)$", picture, re.IGNORECASE):
        alt = re.sub(r"[\[\]]", "", ". ".join(texts))
        return f"![{alt}](<{picture}>)" if " " in picture else f"![{alt}]({picture})"
    return ": ".join([*plain, *texts])


def _hugo(text: str, env: MutableMapping[str, Any], offset: int) -> str:
    if "{{" not in text or "}}" not in text:
        return text
    kept = _Kept()
    text = _ESCAPED.sub(lambda match: kept.hold(f"{{{{{match[1]}{match[2]}{match[3]}}}}}"), text)
    text = _HUGO_COMMENT.sub(lambda match: _lines_of(match[0]), text)
    matches = list(_SHORTCODE.finditer(text))
    pairs = _pairs(matches)
    out: list[str] = []
    position = 0
    for number, match in enumerate(matches):
        out.append(text[position : match.start()])
        position = match.end()
        out.append(_shortcode(text, match, number, pairs, env, offset) + _lines_of(match[0]))
    out.append(text[position:])
    return kept.restore("".join(out))


def _pairs(matches: list[re.Match[str]]) -> dict[int, int]:
    """Return the number of each opening tag that is closed → that of its closing tag, and the other way round."""
    found: dict[int, int] = {}
    open_tags: list[int] = []
    for number, match in enumerate(matches):
        if match[5]:
            continue
        if not match[2]:
            open_tags.append(number)
            continue
        at = next((i for i in range(len(open_tags) - 1, -1, -1) if matches[open_tags[i]][3] == match[3]), None)
        if at is not None:
            found[open_tags[at]], found[number] = number, open_tags[at]
            del open_tags[at:]
    return found


def _shortcode(
    text: str,
    match: re.Match[str],
    number: int,
    pairs: Mapping[int, int],
    env: MutableMapping[str, Any],
    offset: int,
) -> str:
    name = match[3].lower()
    plain, named = _parse(match[4])
    alone = _alone(text, match)
    if name in _CODE and alone and number in pairs:
        return _fence_of(text, plain, named)
    if name == "br":
        return "<br>"
    if name in _SILENT:
        return plain[0] if plain else match[4].strip().strip("\"'")
    if name == "highlight":
        language = match[4].split()[0].strip("\"'") if match[4].split() and not match[2] else ""
        return f"```{language}" if alone else ""
    if match[2]:
        return ":::" if alone and number in pairs else ""
    if number in pairs and alone:
        title = (
            named.get("title") or named.get("summary") or named.get("name") or named.get("label") or named.get("text")
        )
        title = title or next(iter(plain), "")
        kind = next((word for word in re.findall(r"[A-Za-z-]+", f"{match[4]}") if word.lower() in _KINDS), "")
        word = re.sub(r"[^\w-]", "-", kind.lower() or name) or "box"
        return f"::: {word} {' '.join(title.split())}".rstrip()
    shown = _shown(match[4])
    if name in (
        "youtube",
        "vimeo",
        "video",
        "gist",
        "tweet",
        "x",
        "instagram",
        "bilibili",
        "embed",
        "readfile",
        "include",
    ):
        what = next(iter([*plain, *named.values(), match[4].strip()]), "")
        line = text.count("\n", 0, match.start()) + offset
        warn(env, "not-read", f"{name} {what}: what it shows is not read.", line)
        return named.get("title", "") or named.get("caption", "")
    return shown


_CODE = frozenset(("code", "codeblock", "code-block", "code-toggle", "command", "console", "output", "terminal"))


def _fence_of(text: str, plain: list[str], named: Mapping[str, str]) -> str:
    """Return a fence for what stands between tags that show it as code; it is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    language = named.get("lang") or named.get("language") or (named.get("file") or "").rpartition(".")[2]
    language = language or next((value for value in plain if value.isalpha()), "")
    return "`" * (longest + 1) + (language if language.isalnum() else "")


_KINDS = frozenset(
    (
        "note",
        "tip",
        "info",
        "warning",
        "danger",
        "caution",
        "important",
        "success",
        "error",
        "hint",
        "question",
        "example",
    )
)


def _alone(text: str, match: re.Match[str]) -> bool:
    """Whether a tag stands on lines of its own."""
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    before, behind = text[start : match.start()], text[match.end() : len(text) if end < 0 else end]
    return not before.strip() and not behind.strip()
