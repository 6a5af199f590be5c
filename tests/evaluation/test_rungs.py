"""The rungs that are not the page's own: BM25 by hand, SQLite FTS5, late interaction over everything, ColBERT."""

from __future__ import annotations

import math

import numpy as np
import pytest

from openbook.errors import MissingExtraError
from openbook.evaluation import fts5
from openbook.evaluation.bm25 import Bm25
from openbook.evaluation.colbert import load_colbert, rank
from openbook.evaluation.exhaustive import search_all
from openbook.evaluation.fts5 import Fts5
from openbook.index.token_vectors import ChunkPieces, collect, sign_bytes
from openbook.retrieval.late_interaction import (
    PieceWeights,
    QuestionPieces,
    full_retrieval,
    make_tables,
    unit_rows,
)

PASSAGES = [
    "The gap is six rows wide",
    "Rows of one pump stay in one group",
    "A gap, a gap, and once more a gap",
    "Nothing of the kind",
]


def test_bm25_is_the_textbooks_formula() -> None:
    index = Bm25(PASSAGES)
    # "gap" stands in two of four passages; the third holds it three times among nine tokens; 27 tokens in all.
    idf = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    length, average = 9, (6 + 8 + 9 + 4) / 4
    expected = idf * 3 * 2.2 / (3 + 1.2 * (1 - 0.75 + 0.75 * length / average))
    assert index.scores("gap")[2] == pytest.approx(expected)
    assert index.search("gap", 10) == [2, 0]
    assert index.search("gap", 1) == [2]
    assert index.search("zebra", 10) == []


def test_a_word_that_is_asked_twice_counts_twice() -> None:
    index = Bm25(PASSAGES)
    assert index.scores("gap gap")[0] == pytest.approx(2 * index.scores("gap")[0])


@pytest.mark.skipif(not fts5.available(), reason="this Python's SQLite has no FTS5")
def test_fts5_finds_word_stems_and_takes_every_question_as_words() -> None:
    table = Fts5(PASSAGES)
    assert table.search("gaps", 10) == [2, 0]
    assert table.search("pumps OR", 10) == [1]
    assert table.search('NOT "kind" AND (NEAR*', 10) == [3, 2]
    assert table.search("?!", 10) == []
    assert table.bytes > 1000
    table.close()


def pieces_of(seed: int, count: int, dims: int = 384) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    ids = generator.integers(1000, 1040, count).astype(np.int32)
    # Pieces of one id resemble one another, as they do in a real encoder.
    centres = np.random.default_rng(0).normal(size=(40, dims))
    return ids, (centres[ids - 1000] + generator.normal(size=(count, dims))).astype(np.float32)


def test_every_passage_at_once_ranks_as_the_reference_does_one_question_at_a_time() -> None:
    chunks = []
    for seed in range(300):
        ids, vectors = pieces_of(seed, seed % 90)
        chunks.append(ChunkPieces(ids, sign_bytes(vectors)))
    held = collect(chunks)
    questions = []
    for seed in range(1000, 1120):
        ids, vectors = pieces_of(seed, 3 + seed % 12)
        questions.append(QuestionPieces(tuple(ids.tolist()), tuple(map(str, ids)), unit_rows(vectors)))
    weights = PieceWeights(held.chunks, held.counts)
    for question, ranking in zip(questions, search_all(held, questions, 50), strict=True):
        idf = [weights.idf(piece) for piece in question.ids]
        scores = full_retrieval(make_tables(question.vectors, held.bits), idf, held.signs, held.starts)
        assert len(ranking) == 50
        best = np.sort(scores)[::-1][:50]
        assert np.allclose(scores[ranking], best, atol=2e-5)


class Hashing:
    """An encoder of the shape of PyLate's: a vector for each word, equal words alike."""

    def encode(
        self, sentences: list[str], *, batch_size: int, is_query: bool, show_progress_bar: bool
    ) -> list[np.ndarray]:
        del batch_size, show_progress_bar
        rows = []
        for sentence in sentences:
            words = [*sentence.lower().split(), *(["[mask]"] if is_query else [])]
            vectors = np.array([np.random.default_rng(sum(map(ord, word))).normal(size=16) for word in words])
            rows.append((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32))
        return rows


def test_colbert_sums_the_best_match_of_each_of_the_questions_vectors() -> None:
    found = rank(Hashing(), PASSAGES, ["pump group", "six rows wide"])
    assert found.rankings is not None
    assert [ranking[0] for ranking in found.rankings] == [1, 0]
    assert found.index_bytes == sum(len(text.split()) for text in PASSAGES) * 16 * 4
    assert found.ms is None


def test_colbert_without_pylate_says_what_to_install() -> None:
    try:
        import pylate  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtraError, match=r"openbook\[colbert\]"):
            load_colbert("anything")
    else:
        pytest.skip("PyLate is installed")
