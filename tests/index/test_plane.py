"""The plane that the chunks are drawn on."""

from __future__ import annotations

import numpy as np
import pytest

from openbook.index.plane import plane_of, project, unpack


def cloud(rows: int, dims: int, seed: int = 0) -> np.ndarray:
    """Unit vectors that spread more along some directions than along others."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(rows, dims)) * np.linspace(3, 0.1, dims) + 0.4
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_its_axes_are_those_of_a_singular_value_decomposition() -> None:
    vectors = cloud(60, 12)
    plane = plane_of(vectors)
    centred = vectors - vectors.mean(axis=0)
    _, singular, rows = np.linalg.svd(centred.astype(np.float64), full_matrices=False)
    components = unpack(plane.components, 12)
    assert np.abs((components * rows[:2]).sum(axis=1)) == pytest.approx([1, 1], abs=1e-5)
    assert plane.variance == pytest.approx((singular**2 / (singular**2).sum())[:2], abs=1e-5)


def test_every_chunk_has_its_point_and_a_vector_that_is_a_chunks_falls_on_it() -> None:
    vectors = cloud(40, 16)
    plane = plane_of(vectors)
    mean, components, points = unpack(plane.mean, 16)[0], unpack(plane.components, 16), unpack(plane.points, 2)
    assert points.shape == (40, 2)
    assert project(vectors, mean, components) == pytest.approx(points)
    assert points.mean(axis=0) == pytest.approx([0, 0], abs=1e-6)


def test_the_picture_is_never_the_mirror_of_the_one_before() -> None:
    vectors = cloud(40, 16)
    mirrored = plane_of(-vectors)
    for components in (unpack(plane_of(vectors).components, 16), unpack(mirrored.components, 16)):
        assert all(row[np.abs(row).argmax()] > 0 for row in components)
    assert plane_of(vectors) == plane_of(vectors.copy())


def test_one_chunk_and_chunks_that_are_all_alike_have_a_plane_too() -> None:
    for vectors in (cloud(1, 8), np.repeat(cloud(1, 8), 5, axis=0)):
        plane = plane_of(vectors)
        assert plane.variance == (0, 0)
        assert unpack(plane.points, 2) == pytest.approx(np.zeros((len(vectors), 2)), abs=1e-6)
