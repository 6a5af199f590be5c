"""The keyword index as MiniSearch serialises it (version 2), written without MiniSearch.

What ``JSON.stringify(miniSearch)`` gives for the same documents, but for the order of the terms: MiniSearch lists them
as its radix tree happens to hold them, here they are in UTF-16 order, and any order loads. So the list can be cut into
shards of neighbouring terms, and the tab fetches those that a question needs. In a shard the postings are packed: gaps
instead of ordinals, in a string instead of an object, which leaves 60 % of the bytes after gzip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from openbook.index.tokens import tokenize

FIELDS: Final = ("title", "text")

MIN_SHARD_BYTES: Final = 8 * 1024
"""JSON bytes at which a shard of terms is full; gzip leaves about 3 kB."""

MAX_SHARDS: Final = 128
"""A large course gets larger shards, not more: each costs the manifest about 200 bytes."""

Postings = dict[str, dict[str, int]]
"""Field id → short id of the document → how often the term stands there."""

TermEntry = tuple[str, Postings]

PackedEntry = tuple[str, ...]
"""A term, then for each field its packed postings: see ``pack``."""

Serialised = dict[str, Any]
"""The object that MiniSearch's ``toJSON`` gives, with ``index`` a list of ``TermEntry``."""


def utf16_key(text: str) -> bytes:
    """Sort key for the order in which JavaScript's ``<`` puts strings: by UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def serialise(
    documents: Iterable[Sequence[str | None]],
    fields: Sequence[str] = FIELDS,
    tokenizer: Callable[[str], list[str]] = tokenize,
) -> Serialised:
    """Index documents as ``new MiniSearch({fields, tokenize, processTerm: (term) => term})`` would.

    Args:
        documents: each the values of its fields; None for a field that it does not have. A document's id is its
            position.
        fields: their names.
        tokenizer: of the index, which must be that of the questions.

    Returns:
        The serialised form, its terms in UTF-16 order.
    """
    documents = list(documents)
    lengths: dict[str, list[int | None]] = {}
    averages: list[float | None] = []
    postings: dict[str, Postings] = {}
    for ordinal, values in enumerate(documents):
        short = str(ordinal)
        for field, value in enumerate(values):
            if value is None:
                continue
            counts = Counter(tokenizer(value))
            # MiniSearch's length is that of the set of tokens, and its average a running mean over all documents so
            # far, those without the field too. The operations are its own, in its order: floats round as they do there.
            _set(lengths.setdefault(short, []), field, len(counts))
            mean = (averages[field] if field < len(averages) else None) or 0
            _set(averages, field, (mean * ordinal + len(counts)) / (ordinal + 1))
            for term, count in counts.items():
                postings.setdefault(term, {}).setdefault(str(field), {})[short] = count
    return {
        "documentCount": len(documents),
        "nextId": len(documents),
        "documentIds": {str(ordinal): ordinal for ordinal in range(len(documents))},
        "fieldIds": {name: position for position, name in enumerate(fields)},
        "fieldLength": lengths,
        "averageFieldLength": [_number(mean) for mean in averages],
        "storedFields": {},
        "dirtCount": 0,
        "index": [(term, _by_field(postings[term])) for term in sorted(postings, key=utf16_key)],
        "serializationVersion": 2,
    }


def split(
    serialised: Serialised, min_bytes: int = MIN_SHARD_BYTES, max_shards: int = MAX_SHARDS
) -> tuple[Serialised, list[list[TermEntry]]]:
    """Part the serialised form into a base without terms and shards of neighbouring terms.

    Args:
        serialised: from ``serialise``; its terms are in UTF-16 order.
        min_bytes: a shard ends with the term that brings its packed JSON to this size, or to what a ``max_shards``-th
            part of the whole is, if that is more.
        max_shards: roughly the number of shards that no course exceeds.

    Returns:
        The base, and the shards in order.
    """
    entries: list[TermEntry] = serialised["index"]
    sizes = [len(msgspec.json.encode(pack(entry))) + 1 for entry in entries]
    target = max(min_bytes, -(-sum(sizes) // max_shards))
    shards: list[list[TermEntry]] = []
    filled = target
    for entry, size in zip(entries, sizes, strict=True):
        if filled >= target:
            shards.append([])
            filled = 0
        shards[-1].append(entry)
        filled += size
    return {**serialised, "index": []}, shards


def pack(entry: TermEntry, fields: int = len(FIELDS)) -> PackedEntry:
    """Write the postings of each field as a string: ``gap`` or ``gap*frequency`` for each document, with spaces.

    A gap is how many documents stand between this one and the one before: 0 for neighbours. A frequency of 1 is left
    out. A field without postings is an empty string.
    """
    term, postings = entry
    packed = []
    for field in range(fields):
        last, words = -1, []
        for short, frequency in postings.get(str(field), {}).items():
            gap, last = int(short) - last - 1, int(short)
            words.append(str(gap) if frequency == 1 else f"{gap}*{frequency}")
        packed.append(" ".join(words))
    return (term, *packed)


def unpack(entry: Sequence[str]) -> TermEntry:
    """Undo ``pack``.

    Raises:
        ValueError: a string is not made of gaps and frequencies.
    """
    term, *packed = entry
    postings: Postings = {}
    for field, text in enumerate(packed):
        last = -1
        for word in text.split():
            gap, _, frequency = word.partition("*")
            last += int(gap) + 1
            postings.setdefault(str(field), {})[str(last)] = int(frequency or 1)
    return term, postings


def assemble(base: Serialised, shards: Iterable[Sequence[TermEntry]]) -> Serialised:
    """Put a base and all of its shards together again: what ``MiniSearch.loadJS`` reads."""
    return {**base, "index": [entry for shard in shards for entry in shard]}


def _set(values: list[Any], position: int, value: Any) -> None:
    """Assign as to a JavaScript array: the positions before that were never given become holes, null in JSON."""
    values.extend([None] * (position + 1 - len(values)))
    values[position] = value


def _by_field(postings: Postings) -> Postings:
    """In the order of field ids, as an object in JavaScript lists keys that are numbers."""
    return {field: postings[field] for field in sorted(postings, key=int)}


def _number(value: float | None) -> float | int | None:
    """JavaScript writes 12.0 as 12."""
    return int(value) if value is not None and value == int(value) else value
