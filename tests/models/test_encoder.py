"""The encoder gives what sentence-transformers gives, and the same for a text whatever stands beside it."""

from __future__ import annotations

import numpy as np
import pytest
from reference_vectors import golden

from openbook.models.encoder import Encoder
from openbook.models.registry import ModelFiles

TEXTS = [
    "Why must a time series not be split at random?",
    "",
    "zero_grad() clears the gradients; np.argmax(ŷ, axis=1)",
    "机器学习 mit Übung, C++ & emoji 😀",
    "word " * 120,
]


def test_vectors_are_unit_float32_rows_in_the_order_of_the_texts(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert np.array_equal(encoder.encode([text])[0], vector)


def test_no_text_gives_no_vector(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)


def test_the_number_of_threads_changes_no_bit(model: ModelFiles, encoder: Encoder) -> None:
    assert np.array_equal(Encoder(model, threads=1).encode(TEXTS), encoder.encode(TEXTS))


def test_vectors_are_near_those_of_the_original_weights(encoder: Encoder) -> None:
    """sentence_transformers.json holds what that library gives; test_export.py checks the file against the library."""
    entries = golden()
    found = encoder.encode([entry.text for entry in entries]).astype(np.float64)
    cosines = np.array([vector @ entry.vector for vector, entry in zip(found, entries, strict=True)])
    # The rest is what rounding the weights to int8 does. A lost [SEP], another pooling or another length limit is
    # further away.
    assert cosines.min() >= 0.995
    assert np.median(cosines) >= 0.998


def test_as_many_tokens_are_read_as_by_sentence_transformers(encoder: Encoder) -> None:
    for entry in golden():
        assert min(encoder.count_tokens(entry.text), 256) == entry.tokens


def test_tokens_are_counted_with_the_special_ones_and_not_cut(encoder: Encoder) -> None:
    assert encoder.count_tokens("") == 2
    assert encoder.count_tokens("hello world") == 4
    assert encoder.count_tokens("word " * 1000) == 1002


def test_a_text_that_is_too_long_is_counted_and_keeps_its_closing_token(model: ModelFiles) -> None:
    encoder = Encoder(model, threads=1)
    encoder.encode(["word " * 254])
    assert encoder.truncated == 0
    long = encoder.encode(["word " * 254 + "and much more that nobody reads"])
    assert encoder.truncated == 1
    assert np.array_equal(long, encoder.encode(["word " * 254]))


def test_token_vectors_average_to_the_embedding(encoder: Encoder) -> None:
    text = "np.argmax of naïve text"
    tokens = encoder.token_vectors(text)
    assert tokens.pieces[0] == "[CLS]"
    assert tokens.pieces[-1] == "[SEP]"
    assert tokens.vectors.shape == (len(tokens.ids), 384) == (encoder.count_tokens(text), 384)
    assert [text[start:end] for start, end in tokens.offsets[1:4]] == ["np", ".", "ar"]
    mean = tokens.vectors.mean(axis=0)
    np.testing.assert_allclose(mean / np.linalg.norm(mean), encoder.encode([text])[0], atol=1e-6)


def test_progress_reaches_the_end(encoder: Encoder) -> None:
    seen: list[tuple[int, int]] = []
    encoder.encode(TEXTS, lambda done, total: seen.append((done, total)))
    assert seen == [(done, len(TEXTS)) for done in range(1, len(TEXTS) + 1)]


def test_an_error_while_encoding_is_raised(encoder: Encoder) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encoder.encode(TEXTS, stop)
