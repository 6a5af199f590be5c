"""Decks in Slidev's Markdown → a document with one section a slide.

Slides end at ``---``; each may begin with front matter of its own, which a simple reader takes for a heading. Slides
of other files come in through ``src:``. The last comment of a slide is its presenter notes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.encoding import decode
from openbook.course.front_matter import FrontMatter
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.markdown_decks import MarkdownDeck, SlideText, outside_fences, read_slides
from openbook.course.readers.sheets import numbers
from openbook.course.source import Lecture, Probe, Source
from openbook.errors import BuildWarning, OpenbookError

Load = Callable[[str, str], "str | None"]
"""Address in an import, and folder of the file that imports, relative to the deck's → text of the file, or None."""

_KEYS = """
    aspectRatio background canvasWidth clicks colorSchema comark contextMenu dragPos drawings fonts hideInToc
    highlighter htmlAttrs layout layoutClass lineNumbers mdc monaco monacoTypesSource preload presenter remoteAssets
    routerMode selectable seoMeta src themeConfig transition twoslash
"""
SLIDEV_KEYS = frozenset(_KEYS.split())
_SLIDE_KEY = re.compile(r"(?:layout|transition|class|clicks|hideInToc|image|src):(?:\s|$)")
_SLIDE_KEYS = frozenset(("class", "hide", "image", "level", "title"))
_SHARED_KEYS = frozenset(("background", "fonts", "layout", "src"))
_RULE = re.compile(r"^-{3,}[ \t]*$")
_YAML_FENCE = re.compile(r"^\s*(`{3,})ya?ml\s*$")
_SLOT = re.compile(r"^\s*::\s*[\w-]*(?:\{[^\n]*\})?\s*(?:::)?\s*$")
_SNIPPET = re.compile(r"^<<<[ \t]*(?P<path>[^\s#\[{]+(?:\.[\w]+)?)(?:#(?P<region>[\w-]+))?[ \t]*(?P<rest>.*)$")
_REGION = re.compile(r"^\s*(?://|#|--|<!--|/\*|\*|;|%)\s*#?(?P<end>end)?region\b[ \t]*(?P<name>[\w*-]*)")
_LANGUAGE = re.compile(r"^[A-Za-z][\w+#.-]*$")
_CODE_OR_TAG = re.compile(
    r"(?P<code>(?P<ticks>`++)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*+)(?P<attributes>(?:[^\"'<>`]|\"[^\"]*\"|'[^']*')*+)>",
    re.DOTALL,
)
_KEPT_ATTRIBUTE = re.compile(r"(?<=\s)(?:alt|src|href|width|height|colspan|rowspan|start)\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_UNSEEN_ELEMENT = re.compile(r"<(?P<name>style|script)\b[^>]*>.*?(?:</(?P=name)\s*>|\Z)", re.DOTALL)
_HTML_NAMES = """
    a abbr address article aside b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
    figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp section
    small span strong sub summary sup table tbody td tfoot th thead time tr u ul var
"""
HTML_NAMES = frozenset(_HTML_NAMES.split())
_FENCED = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1", re.DOTALL | re.MULTILINE)
_FENCE_INFO = re.compile(r"^(\s*(?:[-*+] +|\d+[.)] +)?`{3,}[\w+#.-]+)(?=[{\[])")
_MAGIC_MOVE = re.compile(r"^\s*(`{4,})md\s+magic-move\b")
_MATH_STEPS = re.compile(r"^(\s*\$\$)\s*\{[^}\n]*\}(?:\{[^}\n]*\})?\s*$")
_CLICK = re.compile(r"\[click(?::[^\]\n]*)?\][ \t]*")
_RANGE = re.compile(r"^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$")
_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*(?![-*+] |\d+[.)] )")
_DEEPEST_IMPORT = 8


class Slidev:
    """Reads decks in Slidev's Markdown."""

    name = "slidev"
    suffixes = (".md", ".markdown")
    text = True

    def detects(self, probe: Probe) -> bool:
        """Only Slidev has these keys in its first front matter, or else a package file beside the deck names it."""
        data = probe.front_matter.data
        if data.get("marp") is True:
            return False
        if data and set(data) & (SLIDEV_KEYS - _SHARED_KEYS):
            return True
        if not probe.deck:
            return isinstance(data.get("theme"), str) and _has_slide_front_matter(_decoded(probe))
        package = probe.path.parent / "package.json"
        try:
            named = package.is_file() and b"@slidev/cli" in package.read_bytes()
        except OSError:
            named = False
        return named or _has_slide_front_matter(_decoded(probe))

    def kind(self, probe: Probe) -> DocumentKind:
        """Slides, always."""
        return "slides"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read a deck; files that it imports must lie in the folder of the lectures."""
        name = source.path_in(config)
        warnings: list[BuildWarning] = []

        def load(address: str, folder: str) -> str | None:
            path = source.beside(
                address.lstrip("@/") if address[:1] in "@/" else posixpath.join(folder, address), config
            )
            if path is None:
                return None
            shown = Path(posixpath.relpath(path.as_posix(), config.root.as_posix())).as_posix()
            try:
                return decode(path.read_bytes(), shown).text
            except (OSError, OpenbookError):
                return None

        deck = read_slidev(decode(raw, name).text, name, load, warnings)
        document = make_document(
            source, config, lecture, title=deck.title, sections=deck.sections, warnings=(*warnings, *deck.warnings)
        )
        return Reading(document, deck.parsed, deck.slides)


def _decoded(probe: Probe) -> str:
    return probe.head.decode("utf-8", "replace").replace("\r\n", "\n")


def _has_slide_front_matter(head: str) -> bool:
    """Tell whether a slide behind the first begins with front matter that says how it is laid out."""
    lines = _FENCED.sub("", head).split("\n")
    return any(
        re.match(r"(?:layout|transition|class|clicks|hideInToc|image|src):(?:\s|$)", line)
        and lines[index].rstrip() == "---"
        for index, line in enumerate(lines[2:], 1)
    )


def read_slidev(text: str, source: str, load: Load, warnings: list[BuildWarning]) -> MarkdownDeck:
    """Read a deck.

    Args:
        text: of its file.
        source: path of the file, for warnings.
        load: gives the text of imported files.
        warnings: what was noticed is added to it.
    """
    reader = _Reader(source, load, warnings)
    slides = list(reader.slides(text.split("\n"), folder="", line=None, chain=()))
    if reader.hidden:
        message = f"slides with `hide: true` are left out; they begin on lines {numbers(sorted(set(reader.hidden)))}."
        warnings.append(BuildWarning("hidden-slide", message, source, reader.hidden[0]))
    matter = FrontMatter(reader.head, reader.head_lines, {})
    return read_slides(slides or [SlideText([""], [1], 1, 1)], matter, source)


class _Reader:
    """Cuts files into slides."""

    def __init__(self, source: str, load: Load, warnings: list[BuildWarning]) -> None:
        self._source = source
        self._load = load
        self._warnings = warnings
        self.hidden: list[int] = []
        self.head: dict[str, Any] = {}
        self.head_lines = 0

    def slides(self, lines: list[str], *, folder: str, line: int | None, chain: tuple[str, ...]) -> Iterator[SlideText]:
        """Yield the slides of a file, those that it imports in their places.

        Args:
            lines: of the file.
            folder: that it stands in, relative to the deck's.
            line: of the import in the deck's own file; None for that file itself.
            chain: addresses of the files that import it.
        """
        for number, (first, matter_end, end) in enumerate(_cut(lines)):
            meta = self._front_matter(lines[first : max(first, matter_end - 1)], line or first + 1)
            if number == 0 and not chain:
                self.head, self.head_lines = meta, matter_end if meta else 0
            start = matter_end
            if not meta:
                block = _yaml_block(lines[start:end])
                if block is not None:
                    meta, length = block
                    start += length
            place = line or first + 1
            if meta.get("hide") is True or meta.get("disabled") is True:
                self.hidden.append(place)
                continue
            if isinstance(meta.get("src"), str):
                yield from self._import(meta["src"], place, folder, chain)
                if not any(text.strip() for text in lines[start:end]):
                    continue
            yield self._slide(lines, start, end, meta, line, folder)

    def _front_matter(self, lines: list[str], line: int) -> dict[str, Any]:
        text = "\n".join(lines)
        if not text.strip():
            return {}
        try:
            data = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            data = None
            message = "the slide's front matter is not valid YAML and is left out."
            self._warnings.append(BuildWarning("slide-front-matter", message, self._source, line))
        return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}

    def _import(self, address: str, line: int, folder: str, chain: tuple[str, ...]) -> Iterator[SlideText]:
        path, _, wanted = address.strip().partition("#")
        full = posixpath.normpath(posixpath.join(folder, path)) if path[:1] not in "/@" else path.lstrip("@/")
        text = self._load(path, folder) if full not in chain and len(chain) < _DEEPEST_IMPORT else None
        if text is None:
            why = "imports itself" if full in chain else "is not in the folder of the lectures, or cannot be read"
            message = f"the slides of {path!r} are missing: the file {why}."
            self._warnings.append(BuildWarning("missing-import", message, self._source, line))
            return
        inner = posixpath.dirname(full)
        slides = list(self.slides(text.split("\n"), folder=inner, line=line, chain=(*chain, full)))
        if wanted and _RANGE.match(wanted):
            chosen = [number for part in wanted.split(",") for number in _numbers(part)]
            slides = [slides[number - 1] for number in chosen if 0 < number <= len(slides)]
        yield from slides

    def _slide(
        self, lines: list[str], start: int, end: int, meta: dict[str, Any], line: int | None, folder: str
    ) -> SlideText:
        while end > start and not lines[end - 1].strip():
            end -= 1
        while start < end and not lines[start].strip():
            start += 1
        body = lines[start:end]
        places = [line or number for number in range(start + 1, end + 1)]
        # an empty slide behind the last line stands on that line
        empty = line or min(start + 1, len(lines))
        first, last = (places[0], places[-1]) if places else (empty, empty)
        body, places, notes = _take_notes(body, places)
        body, places = self._expand(body, places, folder)
        return SlideText(body, places, first, max(first, last), meta, notes, 0, folder)

    def _expand(self, lines: list[str], places: list[int], folder: str) -> tuple[list[str], list[int]]:
        """Take out what is Slidev's own, bring in code from files, and write Vue's tags as Markdown knows them."""
        out: list[str] = []
        numbers: list[int] = []
        prose: list[bool] = []
        for index, line, outside in outside_fences(_without_magic_move(lines)):
            if not outside:
                found = [_FENCE_INFO.sub(r"\1 ", line)]
            elif _SLOT.match(line):
                found = [""]
            elif match := _SNIPPET.match(line):
                found = self._snippet(match["path"], match["region"] or "", match["rest"], places[index], folder)
            else:
                found = [_MATH_STEPS.sub(r"\1", line)]
            out += found
            numbers += [places[index]] * len(found)
            prose += [outside and len(found) == 1] * len(found)
        return list(_plain_tags(out, prose)), numbers

    def _snippet(self, path: str, region: str, rest: str, line: int, folder: str) -> list[str]:
        text = self._load(path, folder)
        if text is None:
            message = (
                f"the code of {path!r} is missing: the file is not in the folder of the lectures, or cannot be read."
            )
            self._warnings.append(BuildWarning("missing-import", message, self._source, line))
            return [""]
        code = text.rstrip("\n").split("\n")
        if region:
            code = _region(code, region)
        code = [each for each in code if not _REGION.match(each)]
        word = rest.split(" ")[0].strip()
        language = word if _LANGUAGE.match(word) else path.rpartition(".")[2]
        return ["````" + language, *code, "````"]


def _numbers(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def _cut(lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield (first line, first line behind its front matter, line at which it ends) of each slide, counted from 0.

    A line of at least three hyphens ends a slide; without a blank line behind it, front matter begins there, up to the
    next ``---``, when what stands between is a YAML mapping.
    """
    rules = [index for index, line, outside in outside_fences(lines) if outside and _RULE.match(line)]
    start = matter = 0
    closed = -1
    for index in rules:
        if index <= closed:
            continue
        if start or any(line.strip() for line in lines[:index]):
            yield start, matter, index
        end = _front_matter_end(lines, index)
        start = index + 1
        matter = start if end is None else end + 1
        closed = index if end is None else end
    if start == 0 or matter > start or any(line.strip() for line in lines[start:]):
        yield start, matter, len(lines)


def _front_matter_end(lines: list[str], opening: int) -> int | None:
    """Return the line that closes the front matter which a rule opens, or None when it opens none."""
    if lines[opening].rstrip() != "---" or opening + 1 >= len(lines) or not lines[opening + 1].strip():
        return None
    end = next((n for n in range(opening + 1, len(lines)) if lines[n].rstrip() == "---"), None)
    if end is None:
        return None
    try:
        data = yaml.safe_load("\n".join(lines[opening + 1 : end]))
    except (yaml.YAMLError, ValueError, RecursionError):
        # broken front matter is still none of the text, when it looks like nothing else
        keys = [bool(re.match(r"[\w-]+:(?:\s|$)|\s|#|$", line)) for line in lines[opening + 1 : end]]
        return end if all(keys) and re.match(r"[\w-]+:", lines[opening + 1]) else None
    return end if isinstance(data, dict) or (data is None and end > opening) else None


def _yaml_block(lines: list[str]) -> tuple[dict[str, Any], int] | None:
    """Read front matter that is written as a fence of YAML at the top of a slide."""
    start = next((index for index, line in enumerate(lines) if line.strip()), None)
    match = _YAML_FENCE.match(lines[start]) if start is not None else None
    if start is None or match is None:
        return None
    end = next((n for n in range(start + 1, len(lines)) if lines[n].strip() == match[1]), None)
    if end is None:
        return None
    try:
        data = yaml.safe_load("\n".join(lines[start + 1 : end]))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not set(map(str, data)) & (
        SLIDEV_KEYS | {"class", "title", "level", "hide", "image"}
    ):
        return None
    return {str(key): value for key, value in data.items()}, end + 1


def _take_notes(lines: list[str], places: list[int]) -> tuple[list[str], list[int], list[tuple[str, int, int]]]:
    """Take the comment off that ends a slide."""
    text = "\n".join(lines)
    stripped = text.rstrip()
    if not stripped.endswith("-->"):
        return lines, places, []
    start = stripped.rfind("<!--")
    if start < 0:
        return lines, places, []
    first = text.count("\n", 0, start)
    note = flow(_CLICK.sub("", stripped[start + 4 : -3]))
    kept = text[:start].split("\n")
    notes = [(note, places[first], places[-1])] if note else []
    return kept, places[: len(kept)], notes


def flow(text: str) -> str:
    """Join the lines of a note's paragraphs; list items keep lines of their own."""
    paragraphs = _PARAGRAPH_BREAK.split(text.strip())
    return "\n\n".join(_LINE_END.sub(" ", paragraph.strip()) for paragraph in paragraphs if paragraph.strip())


def _without_magic_move(lines: list[str]) -> list[str]:
    """Take off the fence round code that changes step by step: its steps are fences of their own."""
    out = list(lines)
    fence = ""
    for index, line in enumerate(lines):
        if not fence and (match := _MAGIC_MOVE.match(line)):
            fence, out[index] = match[1], ""
        elif fence and line.strip() == fence:
            fence, out[index] = "", ""
    return out


def _region(code: list[str], name: str) -> list[str]:
    found: list[str] = []
    inside = False
    for line in code:
        match = _REGION.match(line)
        if match and match["name"] in (name, ""):
            if match["end"]:
                inside = False
            elif match["name"] == name:
                inside = True
        elif inside:
            found.append(line)
    return found or code


def _plain_tags(lines: list[str], prose: list[bool]) -> Iterator[str]:
    """Take out components, scripts and styles, and leave HTML's tags what says something.

    Vue allows what is no HTML, such as ``@click`` and ``#slot``; what stands in a component is text of the slide.
    """
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and prose[end] == prose[start]:
            end += 1
        text = "\n".join(lines[start:end])
        if prose[start]:
            text = _UNSEEN_ELEMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
            text = _CODE_OR_TAG.sub(_plain_tag, text)
        yield from text.split("\n")
        start = end


def _plain_tag(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return match[0]
    name, attributes = match["name"], match["attributes"]
    if "://" in f"{name}{attributes}" and (":" in name):  # an address in angle brackets
        return match[0]
    lines = attributes.count("\n")
    if name not in HTML_NAMES:
        # words of a drawing stand apart
        return "\n" * lines + (" " if name in ("desc", "text", "title", "tspan") else "")
    kept = "".join(f" {found[0]}" for found in _KEPT_ATTRIBUTE.finditer(attributes))
    # a line in a tag must not be empty, or Markdown ends the HTML there
    more = "\nclass" * (lines - kept.count("\n"))
    slash = "/" if attributes.rstrip().endswith("/") and not match["close"] else ""
    return f"<{match['close']}{name}{kept}{more}{slash}>"
