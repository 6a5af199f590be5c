"""Reranking: the place for it. There is one mode so far, "off", which keeps the order and the scores."""

from __future__ import annotations

from collections.abc import Sequence

from openbook.retrieval.trace import FusedHit, RerankHit, RerankParameters


def rerank(hits: Sequence[FusedHit], parameters: RerankParameters) -> list[RerankHit]:
    """Return ``hits`` in the order that the reranker of ``parameters`` gives them."""
    assert parameters.mode == "off"
    return [
        RerankHit(ordinal=hit.ordinal, id=hit.id, rank=hit.rank, score=hit.score, rank_before=hit.rank) for hit in hits
    ]
