"""Token vectors in the index: what is kept, how it is cut into shards, and that it comes back."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.errors import IndexFormatError
from openbook.index.token_vectors import (
    SHARD_BYTES,
    ChunkPieces,
    collect,
    from_files,
    shard_path,
    sign_bytes,
    to_files,
)
from openbook.settings import RerankSettings


def chunk(*ids: int, seed: int = 0) -> ChunkPieces:
    generator = np.random.default_rng([seed, *ids])
    return ChunkPieces(ids=np.array(ids, np.int32), signs=generator.integers(0, 256, (len(ids), 24), dtype=np.uint8))


many = st.lists(st.lists(st.integers(0, 30521), max_size=250), max_size=40)


@given(many)
def test_what_is_written_is_read_again(ids):
    vectors = collect([chunk(*one) for one in ids])
    back = from_files(*to_files(vectors), len(ids))
    np.testing.assert_array_equal(back.signs, vectors.signs)
    np.testing.assert_array_equal(back.starts, vectors.starts)
    assert (back.bits, back.counts) == (vectors.bits, vectors.counts)


@given(many)
def test_a_shard_holds_one_chunk_or_stays_small(ids):
    directory, shards = to_files(collect([chunk(*one) for one in ids]))
    for (first, end), digest in zip(pairwise([*directory.first, len(ids)]), directory.digests, strict=True):
        assert end - first == 1 or len(shards[shard_path(digest)]) <= SHARD_BYTES
    assert not ids or directory.first[0] == 0


@given(st.lists(st.integers(0, 254), min_size=20, max_size=60))
def test_no_question_fetches_more_than_100_kb(rows):
    # 254 is what the encoder reads besides its two special tokens; the worst question's candidates are all apart.
    _, shards = to_files(collect([chunk(*range(count), seed=place) for place, count in enumerate(rows)]))
    largest = sorted((len(data) for data in shards.values()), reverse=True)
    assert sum(largest[: RerankSettings().depth]) <= 100_000


def test_a_piece_is_counted_once_a_chunk():
    assert collect([chunk(7, 7, 9), chunk(7)]).counts == {7: 2, 9: 1}


def test_bits_of_a_byte_go_from_the_least_significant():
    vectors = np.random.default_rng(0).normal(size=(2, 384)).astype(np.float32)
    from openbook.index.projection import projection

    components = projection(384, 192).apply(vectors)
    signs = sign_bytes(vectors)
    assert signs.shape == (2, 24)
    assert [(int(signs[1, 3]) >> bit) & 1 for bit in range(8)] == [int(value > 0) for value in components[1, 24:32]]


def test_a_changed_shard_is_refused():
    directory, shards = to_files(collect([chunk(1, 2, 3)]))
    name = next(iter(shards))
    with pytest.raises(IndexFormatError, match="not what it should be"):
        from_files(directory, {name: bytes(72)}, 1)
    with pytest.raises(IndexFormatError, match="missing"):
        from_files(directory, {}, 1)
    with pytest.raises(IndexFormatError, match="1 chunks, not 2"):
        from_files(directory, shards, 2)
