"""What stands at the top of a source, YAML, TOML or JSON: found, read, and its keys checked."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from openbook.course.encoding import decode
from openbook.errors import FrontMatterError, UnreadableSourceError

_OPEN = re.compile(r"---[ \t]*$")
_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*$")
_TOML = re.compile(r"\+\+\+[ \t]*$")
_RELEASE = re.compile(r"""["']?release["']?\s*[:=]""")
# a safe loader either way; the one in C where it was built
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FrontMatter(NamedTuple):
    """What stands in front of a source's text.

    Attributes:
        data: its keys and values; {} when there is none.
        lines: how many lines of the source it takes, both marks included; 0 when there is none.
        key_lines: 1-based line of each top-level key.
        problem: why it could not be read, or "".
        problem_line: 1-based line of that.
    """

    data: dict[str, Any]
    lines: int
    key_lines: dict[str, int]
    problem: str = ""
    problem_line: int | None = None


NONE = FrontMatter({}, 0, {})


def split(text: str, source: str) -> FrontMatter:
    """Find and read the front matter at the start of ``text`` (as ``encoding.decode`` returns it).

    A first line ``---`` opens YAML and the next ``---`` or ``...`` closes it. With a blank line right behind it, the
    first ``---`` is a thematic break unless what follows is a YAML mapping. TOML stands between two ``+++``, JSON in
    braces that begin the file, as Hugo has them.

    Returns:
        What was found; with ``problem`` set and no keys when it is not valid.

    Raises:
        FrontMatterError: it is not valid and speaks of a release, so that the lecture might be read too early.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if _TOML.match(lines[0]):
        return _split_toml(lines, source)
    if lines[0].rstrip() == "{":
        return _split_json("\n".join(lines))
    if not _OPEN.match(lines[0]):
        return NONE
    end = next((number for number, line in enumerate(lines[1:], 1) if _CLOSE.match(line)), None)
    if end is None:
        return NONE
    block = lines[1:end]
    problem, line = "", None
    try:
        data = yaml.load("\n".join(block), Loader=_LOADER)  # noqa: S506
    except yaml.MarkedYAMLError as error:
        data = None
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        problem = f"is not valid YAML: {error.problem}."
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        data, line = None, 1
        problem = f"is not valid YAML: {error}."
    blank = bool(block) and not block[0].strip()
    if isinstance(data, dict):
        keys = {str(key): value for key, value in data.items()}
        return FrontMatter(keys, end + 1, dict(_key_lines(block, keys)))
    if data is None and not problem and not blank:
        return FrontMatter({}, end + 1, {})
    if blank or not problem:
        # a thematic break, and text: as CommonMark has it
        return NONE
    return _invalid(block, end + 1, problem, line, source)


def _invalid(block: list[str], lines: int, problem: str, line: int | None, source: str) -> FrontMatter:
    if any(_RELEASE.match(text) for text in block):
        raise FrontMatterError(problem, source=source, line=line)
    return FrontMatter({}, lines, {}, problem, line)


def _split_toml(lines: list[str], source: str) -> FrontMatter:
    end = next((number for number, line in enumerate(lines[1:], 1) if _TOML.match(line)), None)
    if end is None:
        return NONE
    block = lines[1:end]
    try:
        keys = tomllib.loads("\n".join(block))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        return _invalid(block, end + 1, f"is not valid TOML: {error}.", int(found[1]) + 1 if found else 1, source)
    return FrontMatter(keys, end + 1, dict(_key_lines(block, keys)))


def _split_json(text: str) -> FrontMatter:
    try:
        data, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return NONE
    block = text[:end].split("\n")
    if not text[end:].startswith("\n") and text[end:].strip():
        return NONE
    return FrontMatter(data, len(block), dict(_key_lines(block[1:], data)))


def read_front_matter(path: Path, source: str) -> FrontMatter:
    """Read the front matter of a file, and of the file no more than that.

    Raises:
        FrontMatterError: as ``split``.
        UnreadableSourceError: the file cannot be read, or what was read is not UTF-8.
    """
    lines: list[bytes] = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(_lines(file.read)):
                text = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
                shown = text.decode("utf-8", "replace").rstrip("\r\n")
                if number == 0:
                    closing = _closing(shown)
                    if closing is None:
                        return _whole(path, source) if b"\0" in text[:64] else NONE
                lines.append(line)
                if number > 0 and closing is not None and closing.match(shown):
                    break
            else:
                return NONE
    except OSError as error:
        raise UnreadableSourceError(f"cannot be read: {error.strerror}.", source=source) from error
    return split(decode(b"".join(lines), source).text, source)


def _closing(line: str) -> re.Pattern[str] | None:
    """Return what closes the front matter that a first line opens; None when it opens none."""
    if _OPEN.match(line):
        return _CLOSE
    if _TOML.match(line):
        return _TOML
    return re.compile(r"\}\s*$") if line.rstrip() == "{" else None


def _whole(path: Path, source: str) -> FrontMatter:
    """Read the front matter of a file that is UTF-16 and so has no lines yet."""
    try:
        return split(decode(path.read_bytes(), source).text, source)
    except UnreadableSourceError:
        return NONE


def _lines(read: Any) -> Iterator[bytes]:
    r"""Yield lines, ended by ``\r``, ``\n`` or both, reading no more than a block past what is asked for."""
    rest = b""
    while block := read(4096):
        while block.endswith(b"\r") and (more := read(1)):
            block += more
        *complete, rest = (rest + block).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in complete:
            yield line + b"\n"
    if rest:
        yield rest


def _key_lines(block: list[str], keys: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(block, 2):
        match = re.match(r"""\s*["']?([^\s"':=][^"':=]*)["']?[ \t]*[:=]""", line)
        if match and match[1].strip() in keys:
            yield match[1].strip(), number


class Keys:
    """Typed access to front matter.

    Args:
        front_matter: what was read.
        source: path of the file, for errors.
    """

    def __init__(self, front_matter: FrontMatter, source: str) -> None:
        self._data, self._lines, self._source = front_matter.data, front_matter.key_lines, source

    def _error(self, key: str, message: str, hint: str) -> FrontMatterError:
        return FrontMatterError(f"{key}: {message}", source=self._source, line=self._lines.get(key), hint=hint)

    def line(self, key: str) -> int | None:
        """Return the 1-based line of a key."""
        return self._lines.get(key)

    def text(self, key: str) -> str | None:
        """Return a value as text; numbers and dates are taken as they are written.

        Raises:
            FrontMatterError: it is a list or a mapping.
        """
        value = self._data.get(key)
        if value is None:
            return None
        if isinstance(value, (list, dict)):
            raise self._error(key, "is not a text.", f'Write {key}: "…".')
        return str(value).strip() or None

    def integer(self, *keys: str) -> int | None:
        """Return the first of ``keys`` that is there, as a whole number.

        Raises:
            FrontMatterError: it is not one.
        """
        for key in keys:
            value = self._data.get(key)
            if value is None:
                continue
            if isinstance(value, str) and re.fullmatch(r"\d+", value.strip()):
                return int(value)
            if isinstance(value, bool) or not isinstance(value, int):
                raise self._error(key, f"{value!r} is not a whole number.", f"Write {key}: 3.")
            return value
        return None

    def day(self, key: str) -> date | None:
        """Return a value as a date; a date in quotes counts.

        Raises:
            FrontMatterError: it is anything else: a time of day is refused too, since a release begins at midnight.
        """
        value = self._data.get(key)
        if value is None and key not in self._data:
            return None
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        if isinstance(value, str):
            try:
                return date.fromisoformat(value.strip())
            except ValueError:
                pass
        said = "the value is empty" if value is None else f"{value!s} is not a date"
        raise self._error(key, f"{said}.", f"Write {key}: 2026-10-05.")

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Return a list of texts; a single text may be written with commas.

        Raises:
            FrontMatterError: it is neither.
        """
        value = self._data.get(key)
        if value is None:
            return None
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if isinstance(value, list) and not any(isinstance(item, (list, dict)) or item is None for item in value):
            return tuple(str(item).strip() for item in value)
        raise self._error(key, "is not a list of texts.", f"Write {key}: [one, two].")
