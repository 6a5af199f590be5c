"""The cross-encoder: which files it takes, what it refuses, and that a score is of one pair."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from openbook.errors import ConfigError, ModelHashError, ModelNotFoundError
from openbook.models.cross_encoder import CrossEncoder, remembering, resolve_cross_encoder
from openbook.models.embeddings import EmbeddingCache
from openbook.models.registry import DESCRIPTOR, ONNX, TOKENIZER
from openbook.settings import CrossEncoderSettings
from tiny_cross_encoder import write_tiny_cross_encoder

QUESTION = "Why must a time series not be split at random?"
PASSAGES = [
    "Early stopping ends training when the validation loss rises.",
    "A shuffled split leaks: tomorrow's reading trains the model that predicts today's.",
    "",
    "word " * 300,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_cross_encoder(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture(scope="module")
def model(folder: Path) -> CrossEncoder:
    return CrossEncoder(resolve_cross_encoder(CrossEncoderSettings(path=str(folder))))


def test_a_score_is_what_the_model_gives_for_the_pair_alone(model: CrossEncoder, folder: Path) -> None:
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    encoding = tokenizer.encode(QUESTION, PASSAGES[1])
    session = onnxruntime.InferenceSession(str(folder / ONNX), providers=["CPUExecutionProvider"])
    feed = {
        "input_ids": np.array([encoding.ids]),
        "attention_mask": np.array([encoding.attention_mask]),
        "token_type_ids": np.array([encoding.type_ids]),
    }
    expected = session.run(["logits"], feed)[0][0, 0]
    scores = model.score(QUESTION, PASSAGES)
    assert scores[1] == pytest.approx(float(expected), abs=1e-6)
    assert model.score(QUESTION, [PASSAGES[1]]) == [scores[1]]
    assert model.score(QUESTION, []) == []


def test_which_is_the_question_matters(model: CrossEncoder) -> None:
    assert model.score(QUESTION, [PASSAGES[0]]) != model.score(PASSAGES[0], [QUESTION])


def test_the_end_of_a_passage_that_is_too_long_is_not_read(model: CrossEncoder) -> None:
    a, b, c = model.score(QUESTION, ["word " * 300, "word " * 300 + "and an end", "and a beginning " + "word " * 300])
    assert a == b != c


def test_a_pair_is_scored_once(model: CrossEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[str] = []
    score = CrossEncoder.score

    def counting(self: CrossEncoder, question: str, passages: list[str]) -> list[float]:
        scored.extend(passages)
        return score(self, question, passages)

    monkeypatch.setattr(CrossEncoder, "score", counting)
    cache = EmbeddingCache(tmp_path / "cache.sqlite3")
    first = remembering(model, cache)(QUESTION, [*PASSAGES[:2], PASSAGES[0]])
    again = remembering(model, cache)(QUESTION, PASSAGES[:3])
    assert scored == PASSAGES[:3]
    assert first == [*again[:2], again[0]]
    assert remembering(model, cache)("Another question?", PASSAGES[:1]) != again[:1]


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "model")
    with (folder / ONNX).open("ab") as stream:
        stream.write(b"\0")
    with pytest.raises(ModelHashError, match="has SHA-256"):
        resolve_cross_encoder(CrossEncoderSettings(path=str(folder)))


def test_a_folder_with_an_encoder_is_refused_with_what_to_do(tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "model")
    said = json.loads((folder / DESCRIPTOR).read_bytes())
    del said["task"]
    (folder / DESCRIPTOR).write_text(json.dumps(said))
    with pytest.raises(ModelNotFoundError, match=r"does not describe a cross-encoder.*--task rerank"):
        resolve_cross_encoder(CrossEncoderSettings(path=str(folder)))


def test_more_word_pieces_than_the_model_was_made_for_are_refused(folder: Path) -> None:
    assert resolve_cross_encoder(CrossEncoderSettings(path=str(folder), max_tokens=64)).max_tokens == 64
    with pytest.raises(ConfigError, match="made to read 96"):
        resolve_cross_encoder(CrossEncoderSettings(path=str(folder), max_tokens=97))


def test_weights_that_are_not_here_are_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBOOK_CACHE", str(tmp_path))
    with pytest.raises(ModelNotFoundError, match=r"ms-marco-MiniLM-L6-v2 is not here.*openbook models fetch"):
        resolve_cross_encoder(CrossEncoderSettings(), allow_download=False)
    with pytest.raises(ModelNotFoundError, match="openbook models export some/model --task rerank"):
        resolve_cross_encoder(CrossEncoderSettings(name="some/model"))


def test_a_tokenizer_that_joins_two_texts_otherwise_is_refused(tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "model")
    tokenizer = json.loads((folder / TOKENIZER).read_text("utf-8"))
    # As RoBERTa does it: all of one type.
    for step in tokenizer["post_processor"]["pair"]:
        next(iter(step.values()))["type_id"] = 0
    (folder / TOKENIZER).write_text(json.dumps(tokenizer))
    said = json.loads((folder / DESCRIPTOR).read_bytes())
    from openbook.models.download import sha256_of

    said["files"][TOKENIZER] = sha256_of(folder / TOKENIZER)
    (folder / DESCRIPTOR).write_text(json.dumps(said))
    with pytest.raises(ModelNotFoundError, match=r"\[CLS\] question \[SEP\] passage \[SEP\]"):
        CrossEncoder(resolve_cross_encoder(CrossEncoderSettings(path=str(folder))))
