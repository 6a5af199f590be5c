"""Reciprocal rank fusion, by hand and as a law."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.fusion import fuse
from openbook.retrieval.trace import DenseHit, FusedHit, KeywordHit
from openbook.settings import FusionSettings


def fused(keyword: list[int], dense: list[int], settings: FusionSettings | None = None) -> list[FusedHit]:
    return fuse(
        [
            KeywordHit(ordinal=one, id=str(one), rank=rank, score=0.0, exact_title=False, matched_terms=0, terms=())
            for rank, one in enumerate(keyword, 1)
        ],
        [DenseHit(ordinal=one, id=str(one), rank=rank, score=0.0) for rank, one in enumerate(dense, 1)],
        settings or FusionSettings(),
    )


def test_a_chunk_in_both_lists_passes_one_that_leads_a_single_list() -> None:
    hits = fused([10, 20], [30, 20])
    assert [hit.ordinal for hit in hits] == [20, 10, 30]
    assert hits[0].score == pytest.approx(2 / 62)
    assert (hits[0].keyword_rank, hits[0].dense_rank) == (2, 2)
    assert (hits[1].keyword_rank, hits[1].dense_rank) == (1, None)
    assert hits[1].dense_score == 0


def test_weights_decide() -> None:
    assert [hit.ordinal for hit in fused([1], [2], FusionSettings(dense_weight=2.0))] == [2, 1]
    assert [hit.ordinal for hit in fused([1], [2], FusionSettings(dense_weight=0.0))] == [1]


lists = st.lists(st.integers(0, 30), unique=True, max_size=15)


@given(keyword=lists, dense=lists, k=st.integers(1, 100))
def test_every_hit_is_there_once_in_the_order_of_its_score(keyword: list[int], dense: list[int], k: int) -> None:
    hits = fused(keyword, dense, FusionSettings(k=k))
    assert {hit.ordinal for hit in hits} == {*keyword, *dense}
    assert len(hits) == len({*keyword, *dense})
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.ordinal))
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    for hit in hits:
        assert hit.keyword_score + hit.dense_score == hit.score


@given(ranking=lists)
def test_fusing_a_list_with_itself_keeps_its_order(ranking: list[int]) -> None:
    assert [hit.ordinal for hit in fused(ranking, ranking)] == ranking
