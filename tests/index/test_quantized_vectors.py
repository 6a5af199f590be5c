"""One byte a component, and what that costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from openbook.errors import IndexFormatError
from openbook.index.vectors import dequantize, from_bytes, quantize, to_bytes, top_agreement

VECTORS = arrays(
    np.float32,
    st.tuples(st.integers(0, 5), st.integers(1, 9)),
    elements=st.floats(-1, 1, width=32, allow_subnormal=False),
)


@given(VECTORS)
def test_no_component_moves_by_more_than_half_a_step(vectors: np.ndarray) -> None:
    quantized = quantize(vectors)
    assert quantized.values.dtype == np.int8
    assert (np.abs(quantized.values.astype(int)) <= 127).all()
    error = np.abs(dequantize(quantized).astype(np.float64) - vectors)
    assert (error <= quantized.scales[:, None].astype(np.float64) * 0.50001 + 1e-37).all()


@given(VECTORS)
def test_bytes_come_back(vectors: np.ndarray) -> None:
    quantized = quantize(vectors)
    again = from_bytes(to_bytes(quantized), *vectors.shape)
    assert np.array_equal(again.scales, quantized.scales)
    assert np.array_equal(again.values, quantized.values)


def test_the_layout_is_scales_then_rows_little_endian() -> None:
    vectors = np.array([[127, -127, 63.5, 0.5], [0, 0, 0, 0], [254, 1, 3, -3]], dtype=np.float32)
    data = to_bytes(quantize(vectors))
    assert data[:12] == np.array([1, 0, 2], dtype="<f4").tobytes()
    # 63.5 and 0.5 are rounded to the even neighbour; so are 1/2 and 3/2.
    assert np.frombuffer(data[12:], dtype=np.int8).tolist() == [127, -127, 64, 0, 0, 0, 0, 0, 127, 0, 2, -2]


def test_a_file_of_another_size_is_refused() -> None:
    data = to_bytes(quantize(np.ones((3, 4), dtype=np.float32)))
    with pytest.raises(IndexFormatError, match="24 bytes"):
        from_bytes(data, 3, 5)


def test_agreement_counts_what_both_rankings_have() -> None:
    vectors = np.eye(4, dtype=np.float32)
    questions = np.array([[4, 3, 2, 1]], dtype=np.float32)
    assert top_agreement(vectors, quantize(vectors), questions, depth=2) == 1.0
    swapped = quantize(vectors[[0, 3, 2, 1]])
    assert top_agreement(vectors, swapped, questions, depth=2) == 0.5
    assert top_agreement(vectors[:0], quantize(vectors[:0]), questions) == 1.0


def test_ten_best_of_random_vectors_agree() -> None:
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(600, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    questions = vectors[::40] + rng.normal(scale=0.05, size=(15, 384)).astype(np.float32)
    # Random vectors are the hard case: all but one lie at nearly the same distance.
    assert top_agreement(vectors, quantize(vectors), questions) >= 0.9
