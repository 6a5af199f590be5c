"""``openbook.toml`` as typed settings: every key has a default, every mistake a message.

The structs of :mod:`openbook.settings` are the whole of what the file may say.
A key that is not here is refused (most are typing errors), and a wrong value is refused with its place.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from openbook.errors import ConfigError
from openbook.settings import Settings

CONFIG_NAME = "openbook.toml"


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
        if not file.is_file():
            return Config(root=folder, path=None, settings=Settings())
    else:
        folder, file = path.parent, path
    raw = file.read_bytes()
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
    _check(settings, file)
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


def _check(settings: Settings, file: Path) -> None:
    if settings.course.timezone not in available_timezones():
        raise ConfigError(
            f"course.timezone: {settings.course.timezone!r} is not an IANA time zone.",
            source=file,
            hint='Write one such as "Europe/Berlin".',
        )
    if settings.retrieval.prompt.min_words > settings.retrieval.prompt.max_words:
        raise ConfigError("retrieval.prompt: min_words is greater than max_words.", source=file)


def _place(message: str, text: str) -> tuple[str, int | None]:
    """Turn msgspec's ``… - at `$.a.b` `` into ``a.b: …`` and find the key's line in the file."""
    match = re.search(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>[^`]*)`)?$", message, re.DOTALL)
    what = match["what"] if match else message
    where = (match["where"] if match else None) or ""
    unknown = re.search(r"unknown field `([^`]+)`", what)
    key = unknown[1] if unknown else where.rsplit(".", 1)[-1].split("[")[0]
    if unknown:
        where = f"{where}.{key}".lstrip(".")
        what = "there is no such key"
    line = None
    for number, content in enumerate(text.splitlines(), 1):
        if key and re.match(rf"\s*\[?[\w.\"-]*\b{re.escape(key)}\b", content):
            line = number
            break
    return (f"{where}: {what}" if where else what), line
