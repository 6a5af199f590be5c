"""Asks a built index in Python, as its tab does: what that must answer, stage by stage."""

from __future__ import annotations

import time
from functools import cache
from typing import Protocol

from openbook.index.pieces import question_pieces
from openbook.index.read import Index
from openbook.models.cross_encoder import CrossEncoder
from openbook.models.encoder import Encoder
from openbook.retrieval.filter import Filter
from openbook.retrieval.pipeline import Clock, ask
from openbook.retrieval.trace import Trace
from openbook.settings import RerankMode


class Asker(Protocol):
    """Asks a question of the course or a part of it, reranked in some way, or as the page does it unasked."""

    def __call__(self, question: str, mode: RerankMode | None = None, filter: Filter | None = None) -> Trace:
        """The trace of the question."""


class Reference(Asker, Protocol):
    """The same, of a question that may have been written out."""

    def __call__(
        self,
        question: str,
        mode: RerankMode | None = None,
        filter: Filter | None = None,
        queries: tuple[str, ...] = (),
    ) -> Trace:
        """The trace of the question, or of the queries that it was written out as."""


def _milliseconds() -> float:
    return time.perf_counter() * 1000


def reference_asker(index: Index, encoder: Encoder, clock: Clock = _milliseconds) -> Reference:
    """Return what asks the Python reference; a cross-encoder is loaded from the site when it is first wanted.

    Args:
        index: to be asked.
        encoder: of its model.
        clock: milliseconds.
    """
    special = encoder.count_tokens("")

    @cache
    def cross_encoder() -> CrossEncoder | None:
        files = index.cross_encoder_files()
        return None if files is None else CrossEncoder(files)

    def reference(
        question: str,
        mode: RerankMode | None = None,
        filter: Filter | None = None,
        queries: tuple[str, ...] = (),
    ) -> Trace:
        # Unasked, a page that has just been opened has no cross-encoder yet.
        model = cross_encoder() if mode == "cross-encoder" else None
        return ask(
            index,
            question,
            lambda text: encoder.encode([text])[0],
            lambda text: encoder.count_tokens(text) - special,
            clock,
            lambda text: question_pieces(encoder, text),
            None if model is None else model.score,
            mode,
            filter,
            queries=queries,
        )

    return reference
