"""Asks a built site in Python, with the models that lie in it: what its tab must answer, stage by stage."""

from __future__ import annotations

import time
from typing import Protocol

from openbook.index.pieces import question_pieces
from openbook.index.read import Index
from openbook.models.cross_encoder import CrossEncoder
from openbook.models.encoder import Encoder
from openbook.retrieval.filter import Filter
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import Trace
from openbook.settings import RerankMode


class Asker(Protocol):
    """Asks a question of the course or a part of it, reranked in some way, or as the page does it unasked."""

    def __call__(self, question: str, mode: RerankMode | None = None, filter: Filter | None = None) -> Trace:
        """The trace of the question."""


def reference_asker(index: Index, encoder: Encoder) -> Asker:
    """Return what asks the Python reference, with the models that lie in the site."""
    special = encoder.count_tokens("")
    files = index.cross_encoder_files()
    cross_encoder = CrossEncoder(files) if files is not None else None

    def reference(question: str, mode: RerankMode | None = None, filter: Filter | None = None) -> Trace:
        return ask(
            index,
            question,
            lambda text: encoder.encode([text])[0],
            lambda text: encoder.count_tokens(text) - special,
            lambda: time.perf_counter() * 1000,
            lambda text: question_pieces(encoder, text),
            # Unasked, a page that has just been opened has no cross-encoder yet.
            cross_encoder.score if cross_encoder is not None and mode == "cross-encoder" else None,
            mode,
            filter,
        )

    return reference
