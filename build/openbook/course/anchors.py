"""Anchors: the ids of headings, as GitHub makes them, and unique within a document.

The rule is written down as cases in ``tests/course/fixtures/slugs.json``: links into a course are made of these,
so a change of the rule breaks links.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

FALLBACK = "section"


def slugify(text: str) -> str:
    """Turn the text of a heading into an id: lower case, spaces to hyphens, punctuation dropped.

    Letters, marks and numbers of every script are kept, so that a heading in Chinese or Greek has an id that can be
    read. The result is never empty: a heading of punctuation alone gives ``section``.
    """
    text = unicodedata.normalize("NFC", text).strip().lower()
    kept = (
        "-" if char.isspace() else char
        for char in text
        if char in "-_" or char.isspace() or unicodedata.category(char)[0] in "LMN"
    )
    slug = "".join(kept)
    return slug if slug.strip("-_") else FALLBACK


def explicit_id(label: str) -> str:
    """Return the id of a label that an author wrote, ``(label)=`` or ``{#label}``: as written, without white space."""
    return re.sub(r"\s+", "-", label.strip()) or FALLBACK


class Slugger:
    """Hands out ids of one document, each once: ``links``, ``links-1``, ``links-2``.

    Args:
        reserved: ids that are not to be handed out, such as those that the author wrote.
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = set(reserved)
        self._next: dict[str, int] = {}

    def __contains__(self, anchor: str) -> bool:
        return anchor in self._taken

    def unique(self, wanted: str) -> str:
        """Return ``wanted``, or ``wanted-N`` with the least N ≥ 1 that is free, and take it."""
        anchor, number = wanted, self._next.get(wanted, 1)
        while anchor in self._taken:
            anchor = f"{wanted}-{number}"
            number += 1
        self._next[wanted] = number
        self._taken.add(anchor)
        return anchor

    def heading(self, text: str) -> str:
        """Return the id of a heading with this text, and take it."""
        return self.unique(slugify(text))
