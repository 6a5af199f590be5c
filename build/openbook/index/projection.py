"""A fixed projection of token vectors before their signs are kept: a randomised Hadamard transform, subsampled.

A sign of each of a vector's own components costs 48 bytes a token at 384 dimensions. Signs of fewer, random
directions cost less, and this transform gives random directions that need no matrix in the download: components are
multiplied by signs from a fixed generator, go through a Walsh–Hadamard transform in blocks, and are shuffled by the
same generator; three times; then the first ones are kept (after Ailon and Chazelle, 2006, and Tropp, 2011). Blocks
instead of one transform of a power of two, since 384 components padded to 512 give directions that are not
orthogonal in the 384, and that is measurably worse. Only additions in a fixed order are used, so that
``web/src/retrieval/projection.ts`` gives the same numbers to the last bit.
"""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

SEED: Final = 20_240_229
"""Of the generator. Changing it changes every index."""

BLOCK: Final = 128
"""Components that one transform mixes; vectors are padded with zeros to a multiple of it. 384, 768 and 1024 are."""

ROUNDS: Final = 3
"""Each carries a component into a whole block, the next from there into most others; the third evens it out."""


class XorShift32:
    """Marsaglia's generator (2003) with shifts 13, 17, 5: the same integers in any language with 32-bit shifts."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def next(self) -> int:
        """The next integer, 1 … 2³² − 1."""
        x = self._state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self._state = x
        return x

    def shuffled(self, count: int) -> list[int]:
        """The integers below ``count`` in an order of the generator's (Fisher and Yates, from the end)."""
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.next() % (i + 1)
            order[i], order[j] = order[j], order[i]
        return order


class Projection:
    """From ``dims`` components to ``bits`` directions.

    Args:
        dims: of the token vectors.
        bits: how many directions are kept: a multiple of 8, at most ``width``.

    Attributes:
        width: the next multiple of ``BLOCK`` from ``dims``.
        gain: what the transform multiplies lengths by, before directions are dropped.
        signs: float64 [ROUNDS, width] of ±1.
        orders: int [ROUNDS, width]; after a round, place i takes what stood at ``orders[round][i]``.
    """

    def __init__(self, dims: int, bits: int) -> None:
        self.dims = dims
        self.bits = bits
        self.width = -(-dims // BLOCK) * BLOCK
        assert bits % 8 == 0
        assert 0 < bits <= self.width
        self.gain = math.sqrt(BLOCK**ROUNDS)
        generator = XorShift32(SEED)
        signs, orders = [], []
        for _ in range(ROUNDS):
            signs.append([1.0 if generator.next() >> 31 == 0 else -1.0 for _ in range(self.width)])
            orders.append(generator.shuffled(self.width))
        self.signs = np.array(signs)
        self.orders = np.array(orders)

    def apply(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Project.

        Args:
            vectors: [tokens, dims].

        Returns:
            float64 [tokens, bits]: components in orthogonal directions, times ``gain``.
        """
        tokens = len(vectors)
        state = np.zeros((tokens, self.width))
        state[:, : self.dims] = vectors
        for signs, order in zip(self.signs, self.orders, strict=True):
            state *= signs
            half = 1
            while half < BLOCK:
                pairs = state.reshape(tokens, self.width // (2 * half), 2, half)
                sums = pairs[:, :, 0] + pairs[:, :, 1]
                pairs[:, :, 1] = pairs[:, :, 0] - pairs[:, :, 1]
                pairs[:, :, 0] = sums
                half *= 2
            state = state[:, order]
        kept: NDArray[np.float64] = state[:, : self.bits]
        return kept


@functools.lru_cache(maxsize=8)
def projection(dims: int, bits: int) -> Projection:
    """The projection for these sizes; made once."""
    return Projection(dims, bits)
