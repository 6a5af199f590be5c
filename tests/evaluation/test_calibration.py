"""Calibration: which threshold, by hand and as a law."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.evaluation.calibration import MOST_REFUSED, calibrate


def test_scores_that_part_are_parted_in_the_middle() -> None:
    found = calibrate([0.5, 0.6, 0.9], [0.1, 0.3])
    assert found is not None
    assert found.threshold == pytest.approx(0.4)
    assert (found.refused, found.caught) == (0, 1)
    assert found.gap == pytest.approx(0.2)
    assert not found.thin


def test_one_in_twenty_may_be_refused_to_catch_more() -> None:
    answerable = [0.2, *(0.5 + number / 100 for number in range(19))]
    found = calibrate(answerable, [0.1, 0.3, 0.4])
    assert found is not None
    assert found.refused == pytest.approx(1 / 20)
    assert found.caught == 1
    strict = calibrate(answerable, [0.1, 0.3, 0.4], most_refused=0)
    assert strict is not None
    assert (strict.refused, strict.caught) == (0, pytest.approx(1 / 3))


def test_scores_that_overlap_wholly_refuse_nobody() -> None:
    found = calibrate([0.1, 0.2], [0.3, 0.4])
    assert found is not None
    assert (found.refused, found.caught) == (0, 0)
    assert found.threshold <= 0.1


def test_a_threshold_among_many_scores_is_called_thin() -> None:
    found = calibrate([0.31], [0.3])
    assert found is not None
    assert (found.near, found.thin) == (1, True)


def test_two_scores_near_it_among_many_do_not_make_a_threshold_thin() -> None:
    found = calibrate(
        [0.305, *(0.5 + number / 100 for number in range(20))], [0.3, *(number / 100 for number in range(20))]
    )
    assert found is not None
    assert found.gap < 0.02
    assert (found.near, found.thin) == (2 / 42, False)


def test_one_kind_alone_cannot_be_calibrated() -> None:
    assert calibrate([0.5], []) is None
    assert calibrate([], [0.5]) is None


scores = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=30)


@given(answerable=scores, unanswerable=scores)
def test_no_other_threshold_catches_more_within_the_limit(answerable: list[float], unanswerable: list[float]) -> None:
    found = calibrate(answerable, unanswerable)
    assert found is not None
    assert found.refused == sum(score < found.threshold for score in answerable) / len(answerable) <= MOST_REFUSED
    for other in [*answerable, *unanswerable, 2.0]:
        if sum(score < other for score in answerable) / len(answerable) <= MOST_REFUSED:
            assert sum(score < other for score in unanswerable) / len(unanswerable) <= found.caught
