"""Embeddings are worked out once, and a damaged cache costs time and nothing else."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import msgspec
import numpy as np
import pytest

from openbook.models.embeddings import EmbeddingCache, embed, embedding_key
from openbook.models.encoder import Encoder
from openbook.models.registry import ModelFiles

TEXTS = ["one", "two", "one", "three"]


def test_the_second_time_nothing_is_embedded(tmp_path: Path, encoder: Encoder) -> None:
    file = tmp_path / "cache.sqlite3"
    first = embed(encoder, TEXTS, EmbeddingCache(file))
    assert (first.computed, first.reused) == (3, 1)
    second = embed(encoder, TEXTS, EmbeddingCache(file))
    assert (second.computed, second.reused) == (0, 4)
    assert np.array_equal(first.vectors, second.vectors)
    assert np.array_equal(first.vectors, encoder.encode(TEXTS))
    third = embed(encoder, ["four", *TEXTS], EmbeddingCache(file))
    assert (third.computed, third.reused) == (1, 4)
    assert np.array_equal(third.vectors[1:], first.vectors)


def test_without_a_cache_all_is_computed(encoder: Encoder) -> None:
    assert embed(encoder, TEXTS).computed == 3


def test_another_model_or_setting_is_another_key(model: ModelFiles) -> None:
    keys = {
        embedding_key(model, "text"),
        embedding_key(model, "text "),
        embedding_key(msgspec.structs.replace(model, max_tokens=64), "text"),
        embedding_key(msgspec.structs.replace(model, pooling="cls"), "text"),
        embedding_key(msgspec.structs.replace(model, sha256={**model.sha256, "onnx/model.onnx": "0"}), "text"),
        embedding_key(msgspec.structs.replace(model, sha256={**model.sha256, "tokenizer.json": "0"}), "text"),
    }
    assert len(keys) == 6


def test_the_cache_lies_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBOOK_CACHE", str(tmp_path / "here"))
    assert EmbeddingCache().file.parent == tmp_path / "here"


@pytest.mark.parametrize("content", [b"this is no database" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_made_anew_with_a_warning(tmp_path: Path, encoder: Encoder, content: bytes) -> None:
    file = tmp_path / "cache.sqlite3"
    file.write_bytes(content)
    cache = EmbeddingCache(file)
    assert embed(encoder, TEXTS, cache).computed == 3
    assert [warning.kind for warning in cache.warnings] == ["embedding-cache-damaged"]
    assert embed(encoder, TEXTS, EmbeddingCache(file)).computed == 0


def test_damage_in_the_middle_of_the_file_is_noticed(tmp_path: Path, encoder: Encoder) -> None:
    file = tmp_path / "cache.sqlite3"
    texts = [f"text number {n}" for n in range(40)]
    right = embed(encoder, texts, EmbeddingCache(file)).vectors
    data = bytearray(file.read_bytes())
    data[8192:16384] = bytes(8192)
    file.write_bytes(data)
    cache = EmbeddingCache(file)
    again = embed(encoder, texts, cache)
    assert again.computed > 0
    assert np.array_equal(again.vectors, right)


def test_a_vector_that_lost_a_bit_is_not_used(tmp_path: Path, encoder: Encoder) -> None:
    file = tmp_path / "cache.sqlite3"
    right = embed(encoder, TEXTS, EmbeddingCache(file)).vectors
    connection = sqlite3.connect(file)
    (data,) = connection.execute("SELECT vector FROM embeddings LIMIT 1").fetchone()
    changed = bytes([data[0] ^ 1]) + data[1:]
    connection.execute("UPDATE embeddings SET vector = ? WHERE vector = ?", (changed, data))
    connection.commit()
    connection.close()
    again = embed(encoder, TEXTS, EmbeddingCache(file))
    assert again.computed == 1
    assert np.array_equal(again.vectors, right)


def test_a_folder_that_cannot_be_made_is_a_warning(tmp_path: Path, encoder: Encoder) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = EmbeddingCache(tmp_path / "file" / "cache.sqlite3")
    assert embed(encoder, TEXTS, cache).computed == 3
    assert [warning.kind for warning in cache.warnings] == ["embedding-cache-unusable"]


def _fill(file: Path, worker: int) -> None:
    cache = EmbeddingCache(file)
    for n in range(60):
        key = f"{(worker * 7 + n) % 100:032d}".encode()
        cache.put({key: np.full(384, int(key), dtype=np.float32)})
        cache.get([key], 384)
    if cache.warnings:
        raise SystemExit(str(cache.warnings))


def test_builds_at_the_same_time_share_it(tmp_path: Path) -> None:
    file = tmp_path / "cache.sqlite3"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(file, worker)) for worker in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
        assert worker.exitcode == 0
    keys = [f"{n:032d}".encode() for n in range(74)]
    found = EmbeddingCache(file).get(keys, 384)
    assert len(found) == 74
    assert all((vector == int(key)).all() for key, vector in found.items())


def test_progress_counts_what_is_known_as_done(tmp_path: Path, encoder: Encoder) -> None:
    cache = EmbeddingCache(tmp_path / "cache.sqlite3")
    embed(encoder, ["one"], cache)
    seen: list[tuple[int, int]] = []
    embed(encoder, TEXTS, cache, lambda done, total: seen.append((done, total)))
    assert seen == [(2, 4), (3, 4), (4, 4)]
