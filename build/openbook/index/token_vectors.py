"""Token vectors of the chunks, one bit a direction: what late interaction compares a question with.

The encoder computes a vector for each word piece and throws them away when it averages them. Here each is projected
(``projection.py``) and the signs are kept: ``BITS`` / 8 bytes a piece. Special tokens are left out; every other
piece has its row, the stop words too: without them the ranking keeps its quality, but the gate loses some of its.

Files: ``token-vectors-<hash>.json``, the directory, which the manifest lists; and the shards, which the directory
lists with the first half of their SHA-256, so that what the tab fetches hangs by hashes from the manifest without
making it larger. Half a hash is 128 bits, which nobody can aim at, and hashes are most of what the directory weighs. A
shard holds the rows of consecutive chunks, row after row; where a chunk begins follows from ``rows``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.errors import IndexFormatError
from openbook.index.projection import projection

BITS: Final = 192
"""Directions a piece, 24 bytes; see docs/late-interaction.md for what more and fewer do."""

SHARD_BYTES: Final = 4096
"""A shard takes a further chunk as long as it stays below this, so that a question's sixteen candidates, each in a
shard of its own, come to 64 kB. A chunk that is larger has a shard to itself: with the encoder that ships 6.1 kB at
most, so that no question fetches more than 98 kB."""


DIGEST: Final = 16
"""Bytes kept of a shard's hash."""


class TokenVectorsInfo(msgspec.Struct, frozen=True, kw_only=True):
    """In the manifest.

    Attributes:
        file: the directory, a key of ``Manifest.files``.
        bytes: of all shards.
        shards: how many.
    """

    file: str
    bytes: int
    shards: int


class PieceCounts(msgspec.Struct, frozen=True, kw_only=True):
    """In how many chunks each word piece stands, for its IDF; pieces that stand in none are left out.

    Attributes:
        gaps: piece ids in increasing order, each as the difference to the one before; the first is an id.
        chunks: how many hold it.
    """

    gaps: list[int]
    chunks: list[int]


class TokenVectorsFile(msgspec.Struct, frozen=True, kw_only=True):
    """``token-vectors-<hash>.json``.

    Attributes:
        bits: directions a piece.
        rows: of each chunk, one a word piece.
        first: of each shard the first chunk.
        sha256: the first ``DIGEST`` bytes of each shard's, one after the other, in base64; 12 digits of it are in the
            file's name, see ``shard_path``.
        pieces: see there.
    """

    bits: int
    rows: list[int]
    first: list[int]
    sha256: str
    pieces: PieceCounts

    @property
    def digests(self) -> list[str]:
        """Of each shard, in hex."""
        held = base64.b64decode(self.sha256)
        return [held[at : at + DIGEST].hex() for at in range(0, len(held), DIGEST)]


@dataclass(frozen=True, slots=True)
class ChunkPieces:
    """A chunk as the encoder read it, special tokens left out.

    Attributes:
        ids: int32 [pieces].
        signs: uint8 [pieces, bytes].
    """

    ids: NDArray[np.int32]
    signs: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """All rows, in memory.

    Attributes:
        bits: directions a piece.
        signs: uint8 [rows, bits / 8].
        starts: int64 [chunks + 1]: chunk i's rows are ``signs[starts[i]:starts[i + 1]]``.
        counts: piece id → chunks that hold it.
    """

    bits: int
    signs: NDArray[np.uint8]
    starts: NDArray[np.int64]
    counts: Mapping[int, int]

    @property
    def chunks(self) -> int:
        """How many."""
        return len(self.starts) - 1

    def of(self, ordinal: int) -> NDArray[np.uint8]:
        """One chunk's rows."""
        return self.signs[self.starts[ordinal] : self.starts[ordinal + 1]]


def sign_bytes(vectors: NDArray[np.float32], bits: int = BITS) -> NDArray[np.uint8]:
    """Signs of projected vectors.

    Args:
        vectors: float32 [pieces, dims]; their lengths do not matter.
        bits: directions.

    Returns:
        uint8 [pieces, bits / 8]; bit j of a byte, from the least significant, stands for direction 8 · byte + j and is
        set when the component is positive.
    """
    return np.packbits(projection(vectors.shape[1], bits).apply(vectors) > 0, axis=1, bitorder="little")


def collect(chunks: Sequence[ChunkPieces], bits: int = BITS) -> TokenVectors:
    """Put the chunks' rows into one array, and count in how many chunks each piece stands."""
    counts: dict[int, int] = {}
    for chunk in chunks:
        for piece in np.unique(chunk.ids).tolist():
            counts[piece] = counts.get(piece, 0) + 1
    starts = np.array(list(accumulate((len(chunk.ids) for chunk in chunks), initial=0)), dtype=np.int64)
    signs = np.concatenate([np.zeros((0, bits // 8), dtype=np.uint8), *(chunk.signs for chunk in chunks)])
    return TokenVectors(bits=bits, signs=signs, starts=starts, counts=dict(sorted(counts.items())))


def shard_path(digest: str) -> str:
    """Path of a shard below ``index/``, by its hash or the first half of it."""
    return f"token-vectors-{digest[:12]}.bin"


def to_files(vectors: TokenVectors) -> tuple[TokenVectorsFile, dict[str, bytes]]:
    """The directory, and the shards by their path below ``index/``."""
    rows = np.diff(vectors.starts).tolist()
    width = vectors.bits // 8
    first: list[int] = []
    filled = SHARD_BYTES + 1
    for ordinal, count in enumerate(rows):
        if filled + count * width > SHARD_BYTES:
            first.append(ordinal)
            filled = 0
        filled += count * width
    shards: dict[str, bytes] = {}
    digests: list[bytes] = []
    for start, end in pairwise([*first, len(rows)]):
        data = vectors.signs[vectors.starts[start] : vectors.starts[end]].tobytes()
        digests.append(hashlib.sha256(data).digest()[:DIGEST])
        shards[shard_path(digests[-1].hex())] = data
    ids = list(vectors.counts)
    directory = TokenVectorsFile(
        bits=vectors.bits,
        rows=rows,
        first=first,
        sha256=base64.b64encode(b"".join(digests)).decode(),
        pieces=PieceCounts(
            gaps=[piece - before for piece, before in zip(ids, [0, *ids], strict=False)],
            chunks=list(vectors.counts.values()),
        ),
    )
    return directory, shards


def from_files(directory: TokenVectorsFile, shards: Mapping[str, bytes], chunks: int) -> TokenVectors:
    """Read what ``to_files`` gave.

    Args:
        directory: parsed.
        shards: by path below ``index/``.
        chunks: how many the index has.

    Raises:
        IndexFormatError: a shard is missing, or is not what the directory says.
    """
    hint = "Build the site again with `openbook build`."
    if len(directory.rows) != chunks:
        raise IndexFormatError(f"there are token vectors of {len(directory.rows)} chunks, not {chunks}.", hint=hint)
    width = directory.bits // 8
    starts = np.array(list(accumulate(directory.rows, initial=0)), dtype=np.int64)
    parts: list[NDArray[np.uint8]] = [np.zeros((0, width), dtype=np.uint8)]
    for (first, end), digest in zip(pairwise([*directory.first, chunks]), directory.digests, strict=True):
        data = shards.get(shard_path(digest))
        expected = int(starts[end] - starts[first]) * width
        if data is None or len(data) != expected or not hashlib.sha256(data).hexdigest().startswith(digest):
            raise IndexFormatError(f"{shard_path(digest)} is missing or not what it should be.", hint=hint)
        parts.append(np.frombuffer(data, dtype=np.uint8).reshape(-1, width))
    ids = accumulate(directory.pieces.gaps)
    return TokenVectors(
        bits=directory.bits,
        signs=np.concatenate(parts),
        starts=starts,
        counts=dict(zip(ids, directory.pieces.chunks, strict=True)),
    )
