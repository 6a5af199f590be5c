"""What the pages round a course's own text say, in the course's language where there is a file for it.

The words are in ``site/strings``, a TOML file a language; English stands in for all others, and the pages then mark
what is English as English.
"""

from __future__ import annotations

import tomllib
from functools import cache

from openbook.pages.assets import site_folder

LANGUAGES = ("en", "de", "es", "zh")
RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"})
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})

Entry = str | dict[str, str]


class Words:
    """The words of one language.

    Args:
        tag: BCP 47 tag of the course's language.

    Attributes:
        language: that the words are in, one of ``LANGUAGES``.
        foreign: whether that is another than the course's.
    """

    def __init__(self, tag: str = "en") -> None:
        self.language = language_for(tag)
        self.foreign = self.language != tag.partition("-")[0].lower()
        self._entries = entries(self.language)

    def __call__(self, key: str, **values: object) -> str:
        """Return what ``key`` names, such as ``page.week``, with ``values`` in their places.

        ``n`` also chooses the form, where there are several.

        Raises:
            KeyError: no such key, or a place without its value.
        """
        entry = self._entries[key]
        if isinstance(entry, dict):
            # Of the languages here one is said of 1 alone, or never.
            entry = entry.get("one" if values["n"] == 1 else "other", entry["other"])
        return entry.format_map(values) if values else entry

    def column(self, name: str) -> str:
        """Return the head of a table's column; what is no word here, such as a metric, stands as it is."""
        entry = self._entries.get(f"columns.{name.replace(' ', '_')}", name)
        return entry if isinstance(entry, str) else name

    def box(self, name: str) -> str:
        """Return the title of a box that has none of its own; of an unknown kind its name."""
        entry = self._entries.get(f"boxes.{name.lower().replace(' ', '')}", name)
        return entry if isinstance(entry, str) else name


def language_for(tag: str) -> str:
    """Return the language that the pages speak for a course in the language of ``tag``: English where none fits."""
    main, *more = tag.lower().split("-")
    # The words are in simplified characters only.
    if main not in LANGUAGES or (main == "zh" and "hans" not in more and not _TRADITIONAL.isdisjoint(more)):
        return "en"
    return main


@cache
def entries(language: str) -> dict[str, Entry]:
    """Return every entry of a language by its key; one with several forms is a dictionary of them."""
    tables = tomllib.loads((site_folder() / "strings" / f"{language}.toml").read_text("utf-8"))
    return {f"{table}.{name}": entry for table, names in tables.items() for name, entry in names.items()}
