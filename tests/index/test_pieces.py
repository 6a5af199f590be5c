"""Texts through the encoder once: the same embeddings as alone, and what is cached is the same as what is computed."""

from __future__ import annotations

import numpy as np
import pytest

from openbook.index.pieces import question_pieces, read_chunks, read_questions
from openbook.index.token_vectors import sign_bytes
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.models.registry import resolve
from openbook.settings import EncoderSettings

TEXTS = ["Coffee / Roasting\n\nBeans are roasted at 220 °C.", "Yeast", "Yeast", ""]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(resolve(EncoderSettings(), allow_download=False), threads=1)


def test_one_pass_gives_the_embedding_that_encode_gives(encoder):
    embedded, _ = read_chunks(encoder, TEXTS)
    np.testing.assert_array_equal(embedded.vectors, encoder.encode(TEXTS))
    assert (embedded.computed, embedded.reused) == (3, 1)


def test_chunks_keep_signs_of_their_own_pieces(encoder):
    _, pieces = read_chunks(encoder, TEXTS)
    read = encoder.token_vectors(TEXTS[0])
    np.testing.assert_array_equal(pieces[0].ids, read.ids[1:-1])
    np.testing.assert_array_equal(pieces[0].signs, sign_bytes(read.vectors[1:-1]))
    assert len(pieces[3].ids) == 0


def test_what_the_cache_knows_is_what_was_computed(encoder, tmp_path):
    cache = EmbeddingCache(tmp_path / "cache.sqlite3")
    first, signs = read_chunks(encoder, TEXTS, cache)
    again, known = read_chunks(encoder, TEXTS, cache)
    assert (first.computed, again.computed) == (3, 0)
    np.testing.assert_array_equal(again.vectors, first.vectors)
    for a, b in zip(signs, known, strict=True):
        np.testing.assert_array_equal(a.signs, b.signs)
        np.testing.assert_array_equal(a.ids, b.ids)


def test_questions_keep_unit_vectors(encoder, tmp_path):
    cache = EmbeddingCache(tmp_path / "cache.sqlite3")
    for _ in range(2):
        _, (pieces,) = read_questions(encoder, ["Which yeast is fastest?"], cache)
        expected = question_pieces(encoder, "Which yeast is fastest?")
        assert pieces.pieces == expected.pieces == ("which", "yeast", "is", "fastest", "?")
        np.testing.assert_array_equal(pieces.vectors, expected.vectors)
        np.testing.assert_allclose(np.linalg.norm(pieces.vectors, axis=1), 1, atol=1e-6)
