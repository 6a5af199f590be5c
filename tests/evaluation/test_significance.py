"""Intervals and tests: laws, small cases by hand, and that what they promise holds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.evaluation.significance import auroc, bootstrap, holm, randomisation_test


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    generator = np.random.default_rng(1)
    few, many = generator.random(30), generator.random(3000)
    low, high = bootstrap(few)
    assert low < few.mean() < high
    narrow_low, narrow_high = bootstrap(many)
    assert (high - low) / (narrow_high - narrow_low) == pytest.approx(10, rel=0.25)


def test_nineteen_intervals_of_twenty_hold_the_true_mean() -> None:
    generator = np.random.default_rng(2)
    held = 0
    for _ in range(200):
        low, high = bootstrap((generator.random(100) < 0.3).astype(float), samples=400)
        held += bool(low <= 0.3 <= high)
    assert 0.90 <= held / 200 <= 0.99


def test_several_measures_are_drawn_alike_and_the_same_seed_gives_the_same() -> None:
    table = np.random.default_rng(3).random((50, 2))
    low, high = bootstrap(table)
    assert low.shape == high.shape == (2,)
    assert bootstrap(table[:, 1])[0] == pytest.approx(low[1])
    assert np.array_equal(bootstrap(table)[0], low)


def test_no_question_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least one"):
        bootstrap(np.zeros(0))


def test_few_differences_are_tested_exactly() -> None:
    difference = np.array([0.5, 0.25, 0.0, 0.5, -0.1])
    moved = difference[difference != 0]
    sums = [abs(sum(sign * value for sign, value in zip(signs, moved, strict=True)))
            for signs in product((-1, 1), repeat=4)]  # fmt: skip
    assert randomisation_test(difference) == sum(total >= 1.15 - 1e-9 for total in sums) / 16


def test_no_difference_is_no_evidence() -> None:
    assert randomisation_test(np.zeros(40)) == 1


def test_chance_is_called_significant_once_in_twenty() -> None:
    generator = np.random.default_rng(4)
    found = [randomisation_test(generator.normal(size=40), samples=500) for _ in range(400)]
    assert 0.02 <= np.mean(np.array(found) < 0.05) <= 0.09


def test_a_clear_difference_is_found() -> None:
    assert randomisation_test(np.random.default_rng(5).normal(0.5, 1, 200)) < 0.001


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.9]) == [1, 1]


scores = st.lists(st.integers(0, 9).map(float), min_size=1, max_size=20)


@given(yes=scores, no=scores)
def test_auroc_is_the_share_of_pairs_in_order(yes: list[float], no: list[float]) -> None:
    pairs = [(1 if y > n else 0.5 if y == n else 0) for y in yes for n in no]
    assert auroc(np.array(yes), np.array(no)) == pytest.approx(sum(pairs) / len(pairs))
