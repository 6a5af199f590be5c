"""``openbook.toml`` as typed settings: every key has a default, every mistake a message.

The structs of :mod:`openbook.settings` are the whole of what the file may say.
A key that is not here is refused (most are typing errors), and a wrong value is refused with its place.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from datetime import date, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

import msgspec
import msgspec.inspect

from openbook.errors import ConfigError
from openbook.settings import Settings

CONFIG_NAME = "openbook.toml"
_MOST_LISTED: Final = 12
"""Values that a message names."""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Settings and where they came from.

    Attributes:
        root: absolute path of the course's root, the folder of ``openbook.toml``.
        path: of ``openbook.toml``, or None when there was none and the defaults stand.
        settings: what it says.
    """

    root: Path
    path: Path | None
    settings: Settings

    @property
    def sources_root(self) -> Path:
        """Absolute path of the folder with the lectures, or of the site that is read instead."""
        sources = self.settings.sources
        return (self.root / (sources.site or sources.root)).resolve()

    def with_site(self, folder: Path) -> Config:
        """Return settings by which the pages of a built site are read."""
        sources = msgspec.structs.replace(self.settings.sources, site=str(folder.resolve()))
        return msgspec.structs.replace(self, settings=msgspec.structs.replace(self.settings, sources=sources))

    def line_of(self, key: str) -> int | None:
        """The line of the file that sets the last part of ``key``; None without a file, or where it does not."""
        return None if self.path is None else _line_of(key, self.path.read_text("utf-8-sig"))

    @property
    def gold_path(self) -> Path:
        """Absolute path of the gold set; it may not exist."""
        return self.root / self.settings.gold

    @property
    def title(self) -> str:
        """The course's title, or the folder's name."""
        return self.settings.course.title or self.root.name

    @property
    def timezone(self) -> ZoneInfo:
        """The course's time zone."""
        return ZoneInfo(self.settings.course.timezone)

    def today(self) -> date:
        """The present day in the course's time zone."""
        return datetime.now(self.timezone).date()


def load_config(path: Path) -> Config:
    """Read the settings of the course at ``path``.

    Args:
        path: the course's folder, or an ``openbook.toml``.

    Returns:
        The settings; those of an empty file when the folder has no ``openbook.toml``.

    Raises:
        ConfigError: the path does not exist, or the file is not TOML or says something unknown.
    """
    path = path.resolve()
    if not path.exists():
        raise ConfigError("there is no such folder or file.", source=path, hint="Give the folder of a course.")
    if path.is_dir():
        folder, file = path, path / CONFIG_NAME
        if not file.exists():
            return Config(root=folder, path=None, settings=Settings())
    else:
        folder, file = path.parent, path
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}.", source=file) from error
    try:
        data = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            "is not UTF-8.", source=file, line=raw[: error.start].count(b"\n") + 1, hint="Save it as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line (\d+)", str(error))
        raise ConfigError(f"is not valid TOML: {error}.", source=file, line=int(match[1]) if match else None) from error
    try:
        settings = msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        place, line = _place(str(error), raw.decode("utf-8-sig"))
        raise ConfigError(
            f"{place}.", source=file, line=line, hint="See the README for the keys of openbook.toml."
        ) from error
    _check(settings, file, raw.decode("utf-8-sig"))
    return Config(root=folder, path=file, settings=settings)


def find_config(path: Path) -> Config:
    """Read the settings of the course that a file or folder is in: the nearest ``openbook.toml`` above it.

    Returns:
        Those settings, or the defaults with the folder as the course's root when there is none.

    Raises:
        ConfigError: as for :func:`load_config`.
    """
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    for candidate in (folder, *folder.parents):
        if (candidate / CONFIG_NAME).is_file():
            return load_config(candidate)
    return load_config(folder)


def _check(settings: Settings, file: Path, text: str) -> None:
    if settings.course.timezone not in available_timezones():
        raise ConfigError(
            f"course.timezone: {settings.course.timezone!r} is not an IANA time zone.",
            source=file,
            line=_line_of("timezone", text),
            hint='Write one such as "Europe/Berlin".',
        )
    if settings.retrieval.prompt.min_words > settings.retrieval.prompt.max_words:
        raise ConfigError(
            "retrieval.prompt: min_words is greater than max_words.", source=file, line=_line_of("min_words", text)
        )


def _place(message: str, text: str) -> tuple[str, int | None]:
    """Turn msgspec's ``… - at `$.a.b` `` into ``a.b: …`` and find the key's line in the file."""
    match = re.search(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>[^`]*)`)?$", message, re.DOTALL)
    what = match["what"] if match else message
    where = (match["where"] if match else None) or ""
    unknown = re.search(r"unknown field `([^`]+)`", what)
    key = unknown[1] if unknown else where.rsplit(".", 1)[-1].split("[")[0]
    if unknown:
        near = difflib.get_close_matches(key, _keys(where), 1)
        where = f"{where}.{key}".lstrip(".")
        what = f"there is no such key (is it {near[0]!r}?)" if near else "there is no such key"
    elif what.startswith("Invalid enum value") and (allowed := _allowed(where)):
        what = _none_of(what.removeprefix("Invalid enum value ").strip("'"), [str(value) for value in allowed])
    return (f"{where}: {what}" if where else what), _line_of(key, text)


def _none_of(value: str, allowed: list[str]) -> str:
    """That a value is not one of those listed; of a long list, which is the nearest."""
    if len(allowed) <= _MOST_LISTED:
        return f"{value!r} is none of {', '.join(map(repr, allowed))}"
    near = difflib.get_close_matches(value, allowed, 1)
    return f"{value!r} is not known" + (f" (is it {near[0]!r}?)" if near else "")


def _line_of(key: str, text: str) -> int | None:
    for number, content in enumerate(text.splitlines(), 1):
        if key and re.match(rf"\s*\[?[\w.\"-]*\b{re.escape(key)}\b", content):
            return number
    return None


def _keys(table: str) -> list[str]:
    """The keys of a table, by its path such as ``retrieval.rerank``."""
    kind = _kind(table)
    return [field.encode_name for field in kind.fields] if isinstance(kind, msgspec.inspect.StructType) else []


def _allowed(place: str) -> tuple[object, ...]:
    """The values that a place may have, where they are listed."""
    kind = _kind(place)
    return kind.values if isinstance(kind, msgspec.inspect.LiteralType) else ()


def _kind(place: str) -> msgspec.inspect.Type:
    """What stands at a path in msgspec's writing, such as ``lectures[...].release`` or ``generation.engines[0]``."""
    kind: msgspec.inspect.Type = msgspec.inspect.type_info(Settings)
    for part in re.findall(r"\w+|\[[^\]]*\]", place):
        if isinstance(kind, msgspec.inspect.StructType):
            kind = next((field.type for field in kind.fields if field.encode_name == part), kind)
        elif isinstance(kind, msgspec.inspect.DictType):
            kind = kind.value_type
        elif isinstance(kind, msgspec.inspect.VarTupleType):
            kind = kind.item_type
    return kind
