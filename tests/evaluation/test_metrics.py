"""Metrics, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from openbook.evaluation.metrics import first_relevant_rank, metrics

RANKING = ["l1/notes#a", "l1/notes#a~2", "l1/notes#b~3", "l1/notes#a~3", "l1/notes#c"]


def test_a_section_stands_where_its_first_part_does_and_counts_once() -> None:
    assert first_relevant_rank(RANKING, {"l1/notes#a"}) == 1
    assert first_relevant_rank(RANKING, {"l1/notes#b"}) == 2
    assert first_relevant_rank(RANKING, {"l1/notes#c"}) == 3
    assert first_relevant_rank(RANKING, {"l1/notes#c", "l1/notes#b"}) == 2
    assert first_relevant_rank(RANKING, {"l1/notes#d"}) is None
    assert first_relevant_rank([], {"l1/notes#a"}) is None


def test_means_over_questions() -> None:
    found = metrics([1, 2, 5, 10, 11, None])
    assert found.questions == 6
    assert found.hit_1 == pytest.approx(1 / 6)
    assert found.hit_5 == pytest.approx(3 / 6)
    assert found.mrr_10 == pytest.approx((1 + 1 / 2 + 1 / 5 + 1 / 10) / 6)


def test_no_questions() -> None:
    assert metrics([]).mrr_10 == 0
