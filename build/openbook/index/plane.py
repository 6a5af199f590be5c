"""The plane on which the page draws all chunks: principal component analysis of their vectors.

A picture of 384 dimensions in two leaves out most of them; the share of the variance that it keeps is part of the
file, and the page says it beside the picture. The question is put on the same plane in the tab:
``(vector - mean) @ components.T``.
"""

from __future__ import annotations

import base64
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

AXES: Final = 2


class PlaneFile(msgspec.Struct, frozen=True, kw_only=True):
    """``plane-<hash>.json``. Arrays are little-endian float32 in base64.

    Attributes:
        dims: of the vectors.
        variance: share of the vectors' variance along each axis, from 0 to 1.
        mean: [dims].
        components: [2, dims], unit vectors, the one of greater variance first.
        points: [chunks, 2], in the order of the index.
    """

    dims: int
    variance: tuple[float, float]
    mean: str
    components: str
    points: str


def plane_of(vectors: NDArray[np.float32]) -> PlaneFile:
    """Find the plane of greatest variance.

    The sign of a component is free; here its entry of greatest magnitude is positive, so that the same vectors give
    the same picture.

    Args:
        vectors: [chunks, dims] with at least one row and two columns.
    """
    mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    centred = vectors.astype(np.float64) - mean
    values, columns = np.linalg.eigh(centred.T @ centred)
    components = columns[:, ::-1][:, :AXES].T
    greatest = np.abs(components).argmax(axis=1)
    components = components * np.where(components[np.arange(AXES), greatest] < 0, -1.0, 1.0)[:, None]
    rounded = components.astype(np.float32)
    total = float(np.trace(centred.T @ centred))
    shares = [max(0.0, float(value)) / total if total > 0 else 0.0 for value in values[::-1][:AXES]]
    return PlaneFile(
        dims=vectors.shape[1],
        variance=(round(shares[0], 6), round(shares[1], 6)),
        mean=_packed(mean),
        components=_packed(rounded),
        points=_packed(project(vectors, mean, rounded)),
    )


def project(
    vectors: NDArray[np.float32], mean: NDArray[np.float32], components: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Put vectors [n, dims] on the plane: [n, 2], summed in float64."""
    centred = vectors.astype(np.float64) - mean.astype(np.float64)
    points: NDArray[np.float32] = (centred @ components.astype(np.float64).T).astype(np.float32)
    return points


def unpack(packed: str, columns: int) -> NDArray[np.float32]:
    """Read an array of a ``PlaneFile`` back as [rows, columns]."""
    return np.frombuffer(base64.b64decode(packed), dtype="<f4").reshape(-1, columns)


def _packed(array: NDArray[np.float32]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).astype("<f4").tobytes()).decode()
