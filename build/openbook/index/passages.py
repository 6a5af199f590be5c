"""Passages in shards of consecutive chunks, fetched for what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from openbook.chunking import Chunk
from openbook.cutting import Verbatim

MIN_SHARD_BYTES: Final = 10 * 1024
"""JSON bytes at which a shard is full; gzip leaves about 4 kB, which is little to wait for and compresses well."""

MAX_SHARDS: Final = 256
"""A large course gets larger shards, not more: each costs the manifest about 200 bytes."""


class Passage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is shown of a chunk; the rest is in the catalogue.

    Attributes:
        text: of the chunk, without its heading path.
        source: path of the source, relative to the course's root.
        start_line, end_line: 1-based and inclusive.
        verbatim: which lines of ``text`` are code, a table or a formula: see ``Chunk.verbatim``. Left out when none is.
    """

    text: str
    source: str
    start_line: int
    end_line: int
    verbatim: tuple[Verbatim, ...] = ()


class PassagesFile(msgspec.Struct, frozen=True, kw_only=True):
    """``passages-<k>-<hash>.json``: the passages of the chunks ``first`` and on."""

    first: int
    passages: list[Passage]


def shard_passages(chunks: Sequence[Chunk]) -> list[PassagesFile]:
    """Cut the chunks, in the order of the index, into shards; every chunk is in one."""
    passages = [
        Passage(
            text=chunk.text,
            source=chunk.source,
            start_line=chunk.start_line,
            end_line=chunk.end_line,
            verbatim=chunk.verbatim,
        )
        for chunk in chunks
    ]
    sizes = [len(msgspec.json.encode(passage)) + 1 for passage in passages]
    target = max(MIN_SHARD_BYTES, -(-sum(sizes) // MAX_SHARDS))
    shards: list[PassagesFile] = []
    filled = target
    for ordinal, (passage, size) in enumerate(zip(passages, sizes, strict=True)):
        if filled >= target:
            shards.append(PassagesFile(first=ordinal, passages=[]))
            filled = 0
        shards[-1].passages.append(passage)
        filled += size
    return shards
