"""What the stages need of an index, whoever holds it: the build, a loaded ``dist/`` or a test's handful of chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from openbook.course.document import DocumentKind
from openbook.retrieval.trace import GateThreshold, VerbatimLines
from openbook.settings import RetrievalSettings

if TYPE_CHECKING:
    from openbook.index.token_vectors import TokenVectors
    from openbook.retrieval.dense import Vectors
    from openbook.retrieval.keyword import KeywordIndex


class ChunkRef(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a chunk before its passage is read.

    Attributes:
        path: heading path, from the document's title to the chunk's own heading.
        part: 1-based.
        week, tags: of its lecture.
        url: relative to the site's root, not percent-encoded.
    """

    id: str
    lecture: str
    lecture_number: int
    kind: DocumentKind
    path: tuple[str, ...]
    anchor: str
    part: int
    parts: int
    url: str
    week: int | None = None
    tags: tuple[str, ...] = ()


class PassageText(msgspec.Struct, frozen=True):
    """A chunk's text.

    Attributes:
        verbatim: which of its lines are code, tables or formulas, in order.
    """

    text: str
    verbatim: tuple[VerbatimLines, ...] = ()


class SearchIndex(Protocol):
    """A loaded index."""

    @property
    def size(self) -> int:
        """Number of chunks."""

    @property
    def as_of(self) -> str:
        """The day that the release gate was set to, as in the manifest."""

    @property
    def settings(self) -> RetrievalSettings:
        """How it is to be searched."""

    @property
    def gate(self) -> GateThreshold | None:
        """The threshold, already checked against model and corpus; None when there is none."""

    @property
    def keyword(self) -> KeywordIndex:
        """Postings and lengths."""

    @property
    def vectors(self) -> Vectors:
        """One row a chunk."""

    @property
    def token_vectors(self) -> TokenVectors | None:
        """Signs of each chunk's pieces; None when the index was built without late interaction."""

    def chunk(self, ordinal: int) -> ChunkRef:
        """The chunk at ``ordinal``."""

    def passages(self, ordinals: Sequence[int]) -> list[PassageText]:
        """The chunks' texts, in the order asked for."""
