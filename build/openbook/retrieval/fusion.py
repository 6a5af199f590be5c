"""Reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009, with a weight for each list.

A chunk's score is the sum of weight / (k + rank) over the lists that hold it. Ranks alone count, since a BM25 score
and a cosine have no common scale.
"""

from __future__ import annotations

from collections.abc import Sequence

from openbook.retrieval.trace import DenseHit, FusedHit, KeywordHit
from openbook.settings import FusionSettings


def fuse(keyword: Sequence[KeywordHit], dense: Sequence[DenseHit], settings: FusionSettings) -> list[FusedHit]:
    """Fuse two lists of hits, best first; of two alike the one of lower ordinal.

    A list of weight 0 is left out: what only it found is not a hit.
    """
    ids: dict[int, str] = {}
    keyword_ranks: dict[int, int] = {}
    dense_ranks: dict[int, int] = {}
    for hits, ranks, weight in (
        (keyword, keyword_ranks, settings.keyword_weight),
        (dense, dense_ranks, settings.dense_weight),
    ):
        if weight == 0:
            continue
        for hit in hits:
            ids[hit.ordinal] = hit.id
            ranks[hit.ordinal] = hit.rank
    scores = {
        ordinal: (
            _score(settings.keyword_weight, settings.k, keyword_ranks.get(ordinal)),
            _score(settings.dense_weight, settings.k, dense_ranks.get(ordinal)),
        )
        for ordinal in ids
    }
    order = sorted(ids, key=lambda ordinal: (-(scores[ordinal][0] + scores[ordinal][1]), ordinal))
    return [
        FusedHit(
            ordinal=ordinal,
            id=ids[ordinal],
            rank=rank,
            score=scores[ordinal][0] + scores[ordinal][1],
            keyword_rank=keyword_ranks.get(ordinal),
            dense_rank=dense_ranks.get(ordinal),
            keyword_score=scores[ordinal][0],
            dense_score=scores[ordinal][1],
        )
        for rank, ordinal in enumerate(order, 1)
    ]


def _score(weight: float, k: int, rank: int | None) -> float:
    return 0.0 if rank is None else weight / (k + rank)
