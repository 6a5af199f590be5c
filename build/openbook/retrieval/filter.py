"""Filters: search a part of the course only, inside the search and not after it.

A filter decides which ordinals exist for a question. Keyword search, dense search and all that follows see these
alone, so that the best fifty are the best fifty of them, and not what is left of the course's. What is counted over the
course stays so: how rare a word is (IDF), how long a text is on average, what the gate's threshold is. A passage thus
has the same score with a filter and without, and the gate decides by the best score among the passages that are left.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

import msgspec

from openbook.course.document import DocumentKind

if TYPE_CHECKING:
    from openbook.retrieval.collection import ChunkRef, SearchIndex


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What a passage must be; what is None or empty does not matter.

    Attributes:
        lecture: id of its lecture.
        week: of its lecture.
        kind: notes or slides.
        tags: its lecture must have all of them.
    """

    lecture: str | None = None
    week: int | None = None
    kind: DocumentKind | None = None
    tags: tuple[str, ...] = ()


def matches(chunk: ChunkRef, wanted: Filter) -> bool:
    """Whether the filter lets a chunk through."""
    return (
        (wanted.lecture is None or chunk.lecture == wanted.lecture)
        and (wanted.week is None or chunk.week == wanted.week)
        and (wanted.kind is None or chunk.kind == wanted.kind)
        and all(tag in chunk.tags for tag in wanted.tags)
    )


def effective(wanted: Filter | None) -> Filter | None:
    """Return the filter; None for one that asks for nothing."""
    return None if wanted == Filter() else wanted


def allowed_by(index: SearchIndex, wanted: Filter | None) -> AbstractSet[int] | None:
    """Return the ordinals that a filter lets through; None without one, which lets all through."""
    if wanted is None:
        return None
    return frozenset(ordinal for ordinal in range(index.size) if matches(index.chunk(ordinal), wanted))
