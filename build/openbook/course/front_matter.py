"""The YAML block at the top of a source: found, read, and its keys checked, with file and line in every error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from openbook.errors import FrontMatterError, UnreadableSourceError

_OPEN = re.compile(r"---[ \t]*$")
_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*$")
# a safe loader either way; the one in C where it was built
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FrontMatter(NamedTuple):
    """What stands in front of a source's text.

    Attributes:
        data: its keys and values; {} when there is none.
        lines: how many lines of the source it takes, both ``---`` included; 0 when there is none.
        key_lines: 1-based line of each top-level key.
    """

    data: dict[str, Any]
    lines: int
    key_lines: dict[str, int]


NONE = FrontMatter({}, 0, {})


def decode(raw: bytes, source: str) -> str:
    r"""Decode a source: UTF-8, with or without a byte order mark; all line ends become ``\n``.

    Raises:
        UnreadableSourceError: it is not UTF-8; the line of the first wrong byte is given.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UnreadableSourceError("is not UTF-8.", source=source, line=line, hint="Save it as UTF-8.") from error
    return unify_line_ends(text)


def unify_line_ends(text: str) -> str:
    r"""Write every line end as ``\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def split(text: str, source: str) -> FrontMatter:
    """Find and read the front matter at the start of ``text`` (as ``decode`` returns it).

    A first line ``---`` opens it and the next ``---`` or ``...`` closes it. With a blank line right behind it, the
    first ``---`` is a thematic break unless what follows is a YAML mapping.

    Raises:
        FrontMatterError: it is not valid YAML, or not a mapping.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if not _OPEN.match(lines[0]):
        return NONE
    end = next((number for number, line in enumerate(lines[1:], 1) if _CLOSE.match(line)), None)
    if end is None:
        return NONE
    block = lines[1:end]
    try:
        data = yaml.load("\n".join(block), Loader=_LOADER)  # noqa: S506
        problem = None
    except yaml.MarkedYAMLError as error:
        data = None
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        problem = FrontMatterError(f"is not valid YAML: {error.problem}.", source=source, line=line)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        data = None
        problem = FrontMatterError(f"is not valid YAML: {error}.", source=source, line=1)
    blank = bool(block) and not block[0].strip()
    if problem is None and data is None and not blank:
        return FrontMatter({}, end + 1, {})
    if isinstance(data, dict):
        keys = {str(key): value for key, value in data.items()}
        return FrontMatter(keys, end + 1, dict(_key_lines(block, keys)))
    if blank:
        return NONE
    raise problem or FrontMatterError(
        "the front matter is not a list of keys and values.",
        source=source,
        line=2,
        hint='Write lines such as "key: value".',
    )


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
                if number == 0 and not _OPEN.match(text.decode("utf-8", "replace").rstrip("\r\n")):
                    return NONE
                lines.append(line)
                if number > 0 and _CLOSE.match(text.decode("utf-8", "replace").rstrip("\r\n")):
                    break
            else:
                return NONE
    except OSError as error:
        raise UnreadableSourceError(f"cannot be read: {error.strerror}.", source=source) from error
    return split(decode(b"".join(lines), source), source)


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
        match = re.match(r"""["']?([^\s"':][^"':]*)["']?[ \t]*:""", line)
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
