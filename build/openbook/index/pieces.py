"""Texts through the encoder once: their vectors, and of their word pieces what late interaction needs.

Chunks keep the signs of their projected token vectors, questions the vectors themselves. Both are cached beside the
embeddings, so that a rebuild runs the encoder for neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from openbook.index.projection import BLOCK, ROUNDS, SEED
from openbook.index.token_vectors import BITS, ChunkPieces, sign_bytes
from openbook.models.embeddings import Embedded, EmbeddingCache, embedding_key, in_portions, in_rows
from openbook.models.encoder import Encoder, Progress, TokenVectors, Vectors
from openbook.retrieval.late_interaction import QuestionPieces, unit_rows


class _Form(NamedTuple):
    """How something that is kept of a text's token vectors is written down.

    Attributes:
        name: goes into the cache's key.
        write: from token vectors to bytes.
    """

    name: str
    write: Callable[[TokenVectors], bytes]


def read_chunks(
    encoder: Encoder, texts: Sequence[str], cache: EmbeddingCache | None = None, progress: Progress | None = None
) -> tuple[Embedded, list[ChunkPieces]]:
    """Embed chunks and keep the signs of their pieces; texts that the cache knows do not go through the model.

    Returns:
        As ``openbook.models.embeddings.embed`` does, and the pieces of each text.
    """
    width = BITS // 8

    def write(read: TokenVectors) -> bytes:
        own = [i for i, special in enumerate(read.special) if not special]
        ids = np.array([read.ids[i] for i in own], dtype="<i4")
        return ids.tobytes() + sign_bytes(read.vectors[own]).tobytes()

    def parse(data: bytes) -> ChunkPieces:
        rows = len(data) // (4 + width)
        ids = np.frombuffer(data, dtype="<i4", count=rows).astype(np.int32)
        return ChunkPieces(ids, np.frombuffer(data, dtype=np.uint8, offset=4 * rows).reshape(rows, width))

    embedded, blobs = _read(encoder, texts, _Form(f"signs {BITS} {SEED} {BLOCK} {ROUNDS}", write), cache, progress)
    return embedded, [parse(blob) for blob in blobs]


def read_questions(
    encoder: Encoder, texts: Sequence[str], cache: EmbeddingCache | None = None
) -> tuple[Embedded, list[QuestionPieces]]:
    """Embed questions and keep the vectors of their pieces."""

    def write(read: TokenVectors) -> bytes:
        return read.vectors.astype("<f4").tobytes()

    embedded, blobs = _read(encoder, texts, _Form("states", write), cache, None)
    return embedded, [
        question_pieces(encoder, text, np.frombuffer(blob, dtype="<f4").reshape(-1, encoder.files.dims))
        for text, blob in zip(texts, blobs, strict=True)
    ]


def question_pieces(encoder: Encoder, text: str, states: Vectors | None = None) -> QuestionPieces:
    """Read one question.

    Args:
        encoder: of the index.
        text: the question.
        states: its last hidden state, special tokens included, where that is known already.
    """
    read = encoder.token_vectors(text, states)
    own = [i for i, special in enumerate(read.special) if not special]
    return QuestionPieces(
        ids=tuple(read.ids[i] for i in own),
        pieces=tuple(read.pieces[i] for i in own),
        vectors=unit_rows(read.vectors[own]),
    )


def _read(
    encoder: Encoder, texts: Sequence[str], form: _Form, cache: EmbeddingCache | None, progress: Progress | None
) -> tuple[Embedded, list[bytes]]:
    keys = [embedding_key(encoder.files, text) for text in texts]
    text_of = dict(zip(keys, texts, strict=True))
    blob_key = {key: hashlib.sha256(key + form.name.encode()).digest() for key in text_of}
    vectors = cache.get(list(text_of), encoder.files.dims) if cache is not None else {}
    blobs = cache.get_blobs(list(blob_key.values())) if cache is not None else {}
    wanted = [key for key in text_of if key not in vectors or blob_key[key] not in blobs]

    def work(portion: Sequence[bytes], report: Progress) -> None:
        found = encoder.read([text_of[key] for key in portion], form.write, report)
        fresh_vectors = {key: vector for key, (vector, _) in zip(portion, found, strict=True)}
        fresh_blobs = {blob_key[key]: blob for key, (_, blob) in zip(portion, found, strict=True)}
        if cache is not None:
            cache.put(fresh_vectors)
            cache.put_blobs(fresh_blobs)
        vectors.update(fresh_vectors)
        blobs.update(fresh_blobs)

    in_portions(text_of, wanted, len(texts), work, progress)
    return (
        Embedded(in_rows(keys, vectors, encoder.files.dims), len(wanted), len(texts) - len(wanted)),
        [blobs[blob_key[key]] for key in keys],
    )
