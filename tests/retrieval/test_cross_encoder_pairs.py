"""What a cross-encoder reads, and what its scores do to the ranking."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.cross_encoder import pair
from openbook.retrieval.rerank import rerank_by_cross_encoder
from openbook.retrieval.trace import FusedHit

CLS, SEP = 101, 102


def fused(*ordinals: int) -> list[FusedHit]:
    return [
        FusedHit(
            ordinal=ordinal, id=f"c{ordinal}", rank=rank, score=1 / rank, keyword_rank=rank, dense_rank=None,
            keyword_score=1 / rank, dense_score=0.0,
        )
        for rank, ordinal in enumerate(ordinals, 1)
    ]  # fmt: skip


def test_a_pair_that_fits_is_joined_as_bert_was_trained() -> None:
    found = pair([7, 8], [9, 10, 11], CLS, SEP, 20)
    assert found.ids == [CLS, 7, 8, SEP, 9, 10, 11, SEP]
    assert found.types == [0, 0, 0, 0, 1, 1, 1, 1]


def test_what_does_not_fit_is_cut_from_the_end_of_the_passage_and_the_closing_sign_stays() -> None:
    found = pair([7, 8], [9, 10, 11, 12], CLS, SEP, 7)
    assert found.ids == [CLS, 7, 8, SEP, 9, 10, SEP]


def test_a_question_that_takes_more_than_half_of_the_room_leaves_the_other_half_to_the_passage() -> None:
    found = pair(list(range(1, 10)), [20, 21, 22, 23, 24], CLS, SEP, 9)
    assert found.ids == [CLS, 1, 2, 3, SEP, 20, 21, 22, SEP]


def test_beside_a_short_passage_a_long_question_may_take_more() -> None:
    assert pair([1, 2, 3, 4, 5, 6], [20], CLS, SEP, 9).ids == [CLS, 1, 2, 3, 4, 5, SEP, 20, SEP]


@given(
    question=st.lists(st.integers(1000, 2000), max_size=60),
    passage=st.lists(st.integers(1000, 2000), max_size=60),
    limit=st.integers(5, 80),
)
def test_never_too_long_never_unfinished_and_nothing_lost_that_fits(
    question: list[int], passage: list[int], limit: int
) -> None:
    ids, types = pair(question, passage, CLS, SEP, limit)
    assert len(ids) == len(types) == min(limit, len(question) + len(passage) + 3)
    assert (ids[0], ids[-1], ids.count(SEP)) == (CLS, SEP, 2)
    middle = ids.index(SEP)
    assert ids[1:middle] == question[: middle - 1]
    assert ids[middle + 1 : -1] == passage[: len(ids) - middle - 2]
    assert types == [0] * (middle + 1) + [1] * (len(ids) - middle - 1)


def test_its_score_alone_orders_what_it_has_read_and_the_rest_stays_behind() -> None:
    found = rerank_by_cross_encoder(fused(4, 2, 9, 5), {4: -3.0, 2: 1.5, 9: 1.5})
    assert [(hit.ordinal, hit.rank, hit.rank_before) for hit in found] == [(2, 1, 2), (9, 2, 3), (4, 3, 1), (5, 4, 4)]
    assert [hit.cross_encoder for hit in found] == [1.5, 1.5, -3.0, None]
    assert found[0].score == 1.5
    assert found[3].score == 1 / 4
    assert all(hit.late_interaction is None for hit in found)
