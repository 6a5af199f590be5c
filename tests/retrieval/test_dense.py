"""Dense search: exact, and the same for the same vector wherever it stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.errors import IndexFormatError
from openbook.retrieval.dense import Vectors, cosines, dense
from openbook.settings import DenseSettings


def vectors(rows: int, dims: int, seed: int = 0) -> tuple[Vectors, np.ndarray]:
    random = np.random.default_rng(seed)
    values = random.integers(-127, 128, (rows, dims)).astype(np.int8)
    scales = random.uniform(0.001, 0.01, rows).astype(np.float32)
    return Vectors(scales, values), random.normal(size=dims).astype(np.float32)


@given(rows=st.integers(1, 40), dims=st.integers(1, 70), seed=st.integers(0, 999))
def test_it_is_the_product_of_question_and_chunk(rows: int, dims: int, seed: int) -> None:
    held, question = vectors(rows, dims, seed)
    expected = (held.values.astype(np.float64) * held.scales.astype(np.float64)[:, None]) @ question.astype(np.float64)
    np.testing.assert_allclose(cosines(held, question), expected, rtol=0, atol=1e-12)


@given(seed=st.integers(0, 999), places=st.lists(st.integers(0, 99), min_size=2, max_size=8, unique=True))
def test_equal_rows_have_equal_scores_and_stand_in_their_own_order(seed: int, places: list[int]) -> None:
    held, question = vectors(100, 384, seed)
    held.values[places] = held.values[places[0]]
    held.scales[places] = held.scales[places[0]]
    scores = cosines(held, question)
    assert len(set(scores[places])) == 1
    order = [hit.ordinal for hit in dense(held, question, DenseSettings(depth=100), str)]
    assert [ordinal for ordinal in order if ordinal in places] == sorted(places)


def test_the_list_is_the_best_in_order() -> None:
    held, question = vectors(200, 64)
    hits = dense(held, question, DenseSettings(depth=7), lambda ordinal: f"c{ordinal}")
    scores = cosines(held, question)
    assert [hit.score for hit in hits] == sorted(scores, reverse=True)[:7]
    assert [hit.id for hit in hits] == [f"c{ordinal}" for ordinal in np.argsort(-scores)[:7]]
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5, 6, 7]


def test_a_question_of_another_length_is_refused() -> None:
    held, _ = vectors(3, 64)
    with pytest.raises(IndexFormatError, match="64 components"):
        cosines(held, np.zeros(63, np.float32))
