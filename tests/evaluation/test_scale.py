"""Exact search against approximate indexes, on few vectors; how many is a setting."""

from __future__ import annotations

import numpy as np
import pytest

from openbook.errors import ScaleError
from openbook.evaluation.scale import compare, make_vectors, memory

pytest.importorskip("faiss", reason="FAISS is the extra `scale`")


def clustered(count: int, rng: np.random.Generator) -> np.ndarray:
    centres = rng.normal(size=(12, 64))
    vectors = centres[rng.integers(12, size=count)] + 0.6 * rng.normal(size=(count, 64))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def report():
    rng = np.random.default_rng(7)
    return compare(clustered(120, rng), clustered(20, rng), 3000, seed=1)


def rows_of(report, method):
    return [row for row in report.rows if row.method.startswith(method)]


def test_exact_search_finds_everything_and_one_byte_nearly_everything(report):
    assert rows_of(report, "exact, float32")[0].recall == 1
    assert 0.9 < rows_of(report, "exact, int8")[0].recall <= 1


def test_a_wider_search_finds_more(report):
    for method in ("HNSW", "IVF", "1 bit"):
        recalls = [row.recall for row in rows_of(report, method)]
        assert recalls == sorted(recalls)
        assert recalls[0] < recalls[-1]


def test_a_product_quantizer_is_smallest_and_finds_least(report):
    smallest = min(report.rows, key=lambda row: row.bytes_per_vector)
    assert smallest.method.startswith("PQ")
    assert smallest.recall < rows_of(report, "exact, int8")[0].recall


def test_the_same_seed_makes_the_same_vectors_of_unit_length():
    real = clustered(40, np.random.default_rng(0))
    first, second = (make_vectors(real, 500, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.allclose(np.linalg.norm(first, axis=1), 1, atol=1e-5)


def test_made_vectors_lie_where_real_ones_do():
    rng = np.random.default_rng(5)
    real = clustered(200, rng)
    made = make_vectors(real, 2000, rng)
    noise = rng.normal(size=(2000, 64))
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    assert (made @ real.T).max(axis=1).mean() > (noise @ real.T).max(axis=1).mean() + 0.2


def test_too_few_vectors_are_refused_in_words():
    few = clustered(4, np.random.default_rng(0))
    with pytest.raises(ScaleError, match="too few"):
        compare(few, few, 100)


def test_a_million_vectors_take_what_the_formula_says():
    found = {row.method: row.megabytes for row in memory(384)}
    assert found["float32"] == 1536
    assert found["int8 + scale (the index of the site)"] == 388
