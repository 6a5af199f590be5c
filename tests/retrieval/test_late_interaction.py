"""MaxSim on signs: what it is, what it estimates, and the numbers that the tab must give too.

``tests/parity/late_interaction.json`` holds inputs by the seed of the generator that makes them, and what comes of
them; ``web/test/late_interaction.test.ts`` reads the same file. Write it anew with::

    python tests/retrieval/test_late_interaction.py
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.errors import IndexFormatError
from openbook.index.projection import XorShift32, projection
from openbook.index.token_vectors import sign_bytes
from openbook.retrieval.gate import Coverage, cover, gate
from openbook.retrieval.keyword import query_terms
from openbook.retrieval.late_interaction import (
    PieceWeights,
    full_retrieval,
    in_order,
    make_tables,
    max_sim,
    similarities,
    unit_rows,
)
from openbook.retrieval.rerank import greatest_keyword_score, rerank, unchanged
from openbook.retrieval.trace import DenseHit, FusedHit, GateThreshold, KeywordHit, QueryTerm
from openbook.settings import KeywordSettings, RerankSettings

PARITY = Path(__file__).resolve().parents[1] / "parity" / "late_interaction.json"


def noise(seed: int, rows: int, dims: int) -> np.ndarray:
    """float32 [rows, dims] between -0.5 and 0.5, row after row from the generator."""
    generator = XorShift32(seed)
    return np.array([generator.next() / 2**32 - 0.5 for _ in range(rows * dims)], np.float32).reshape(rows, dims)


def passage(seed: int, rows: int, question: np.ndarray) -> np.ndarray:
    """Rows of noise; every third is half a row of the question."""
    found = noise(seed, rows, question.shape[1])
    for row in range(0, rows, 3):
        found[row] = (found[row] + question[row // 3 % len(question)]) / np.float32(2)
    return found


def make_case(dims: int, bits: int, seed: int, pieces: int, rows: list[int]) -> dict:
    raw = noise(seed, pieces, dims)
    question = unit_rows(raw)
    weights = PieceWeights(1000, {100: 1, 101: 20, 102: 999})
    ids = [100 + piece for piece in range(pieces)]
    idf = [weights.idf(piece) for piece in ids]
    tables = make_tables(question, bits)
    passages = [sign_bytes(passage(seed + 1 + i, count, raw), bits) for i, count in enumerate(rows)]
    found = [max_sim(tables, idf, signs) for signs in passages]
    return {
        "dims": dims,
        "bits": bits,
        "seed": seed,
        "rows": rows,
        "unit": [float(value) for value in question[-1, :4]],
        "projected": projection(dims, bits).apply(question)[0, :8].tolist(),
        "signs": [signs.ravel().tolist() for signs in passages],
        "ids": ids,
        "counts": sorted(weights.counts.items()),
        "chunks": weights.chunks,
        "idf": idf,
        "passages": [
            {"score": one.score, "in_order": one.in_order, "best": one.best.tolist(), "places": one.places.tolist()}
            for one in found
        ],
    }


CASES = [
    {"dims": 384, "bits": 192, "seed": 11, "pieces": 4, "rows": [9, 1, 0]},
    {"dims": 384, "bits": 384, "seed": 23, "pieces": 1, "rows": [5]},
    {"dims": 300, "bits": 64, "seed": 37, "pieces": 3, "rows": [7, 12]},
]


TERMS = (
    QueryTerm(term="yeast", title_chunks=1, text_chunks=3, title_idf=2.0, text_idf=1.5),
    QueryTerm(term="crumpet", title_chunks=0, text_chunks=0, title_idf=0.0, text_idf=0.0),
)


def make_rerank() -> dict:
    """Six fused hits, four of them scored."""
    keyword = [
        KeywordHit(ordinal=o, id=str(o), rank=rank, score=score, exact_title=False, matched_terms=1, terms=())
        for rank, (o, score) in enumerate(((4, 3.0), (2, 1.5)), 1)
    ]
    dense = [DenseHit(ordinal=o, id=str(o), rank=rank, score=0.5) for rank, o in enumerate((2, 7, 1), 1)]
    fused = [
        FusedHit(ordinal=o, id=str(o), rank=rank, score=1 / rank, keyword_rank=None, dense_rank=None,
                 keyword_score=0.0, dense_score=0.0)
        for rank, o in enumerate((2, 4, 9, 7, 1, 3), 1)
    ]  # fmt: skip
    scores = {2: (0.45, 0.4), 4: (0.5, 0.5), 9: (0.6, 0.71), 7: (0.8, 0.64)}
    greatest = greatest_keyword_score(TERMS, 10, KeywordSettings())
    return {
        "terms": [msgspec.to_builtins(term) for term in TERMS],
        "keyword": [msgspec.to_builtins(hit) for hit in keyword],
        "dense": [msgspec.to_builtins(hit) for hit in dense],
        "fused": [msgspec.to_builtins(hit) for hit in fused],
        "scores": sorted(scores.items()),
        "chunks": 10,
        "keyword_settings": msgspec.to_builtins(KeywordSettings()),
        "settings": msgspec.to_builtins(RerankSettings()),
        "greatest": greatest,
        "hits": [msgspec.to_builtins(hit) for hit in rerank(fused, keyword, dense, scores, greatest, RerankSettings())],
        "unchanged": [msgspec.to_builtins(hit) for hit in unchanged(fused)],
    }


def make_gate() -> list[dict]:
    """Verdicts with and without late interaction, on either side of the threshold."""
    found = []
    for least, cross in ((0.6, None), (None, None), (0.6, -1.5)):
        threshold = GateThreshold(
            cosine=0.3, source="default", corpus="", model="", tokenizer="", answerability=least,
            answerability_source="calibrated", cross_encoder=cross, cross_encoder_source="configured",
        )  # fmt: skip
        for cosine, best, share, by_pair in (
            (0.4, 0.59, 0.6, None), (0.2, 0.61, 0.6, None), (0.4, None, 1.0, None), (0.2, None, 1.0, None),
            (0.3, 0.6, 0.6, None), (0.4, None, 1.0, -1.6), (0.2, None, 1.0, -1.5), (0.2, 0.61, 0.6, -1.6),
            (0.4, 0.61, 0.2, None), (0.2, 0.55, 0.95, None),
        ):  # fmt: skip
            absent = () if share == 1 else ("crumpet",)
            verdict = gate(cosine, best, Coverage(share, absent), threshold, by_pair)
            found.append(
                {"cosine": cosine, "late_interaction": best, "covered": {"share": share, "absent": absent},
                 "cross_encoder": by_pair, "threshold": msgspec.to_builtins(threshold),
                 "verdict": msgspec.to_builtins(verdict)}
            )  # fmt: skip
    return found


def make_cover() -> list[dict]:
    """Questions of which the course has all, some and none."""
    found = []
    held = {"yeast": (0, 3, 1.5), "loaf": (4, 0, 0.0), "group": (1, 6, 0.4), "bread": (2, 9, 0.1), "面包": (0, 2, 1.9)}
    for question in (
        "yeast?", "How many (crumpets), and which “loaf”?", "GroupShuffle or Crumpet; crumpets?", "what is it", "??",
        "¿Qué es el crumpet)?", "面包怎么做", "a  fine\nloaf", "BreadMaker2000 vs. bread",
    ):  # fmt: skip
        terms = [
            QueryTerm(term=term, title_chunks=titles, text_chunks=texts, title_idf=0.3, text_idf=idf)
            for term in query_terms(question)
            for titles, texts, idf in (held.get(term, (0, 0, 0.0)),)
        ]
        share, absent = cover(question, terms, 10)
        found.append(
            {"question": question, "terms": msgspec.to_builtins(terms), "chunks": 10,
             "covered": {"share": share, "absent": absent}}
        )  # fmt: skip
    return found


def make() -> dict:
    return {"max_sim": [make_case(**case) for case in CASES], "rerank": make_rerank(), "gate": make_gate(),
            "cover": make_cover()}  # fmt: skip


def test_the_parity_file_is_what_this_side_gives():
    assert json.loads(PARITY.read_text()) == json.loads(json.dumps(make()))


def test_scored_hits_come_first_and_the_others_stay_as_they_were():
    case = make_rerank()
    assert [hit["ordinal"] for hit in case["hits"]] == [9, 7, 4, 2, 1, 3]
    assert [hit["rank"] for hit in case["hits"]] == [1, 2, 3, 4, 5, 6]
    assert [hit["late_interaction"] for hit in case["hits"]][4:] == [None, None]
    assert [hit["score"] for hit in case["hits"]][4:] == [1 / 5, 1 / 6]


def test_of_two_alike_the_lower_ordinal_comes_first():
    fused = [
        FusedHit(ordinal=o, id=str(o), rank=rank, score=1.0, keyword_rank=None, dense_rank=None, keyword_score=0.0,
                 dense_score=0.0)
        for rank, o in enumerate((8, 3), 1)
    ]  # fmt: skip
    scores = {8: (0.5, 0.5), 3: (0.6, 0.5)}
    assert [hit.ordinal for hit in rerank(fused, [], [], scores, 1.0, RerankSettings())] == [3, 8]


def test_a_question_of_rare_words_could_score_more():
    common = QueryTerm(term="a", title_chunks=0, text_chunks=9, title_idf=0.0, text_idf=0.1)
    assert greatest_keyword_score([common], 10, KeywordSettings()) < greatest_keyword_score(
        TERMS, 10, KeywordSettings()
    )


def test_answerability_decides_at_the_gate_where_there_is_max_sim():
    decided = [one["verdict"]["decided_by"] for one in make_gate() if one["cross_encoder"] is None]
    with_max_sim = ["answerability", "answerability", "cosine", "cosine", *["answerability"] * 3]
    assert decided == with_max_sim + ["cosine"] * 7 + with_max_sim
    assert [one["verdict"]["open"] for one in make_gate()][:5] == [False, True, True, False, True]


def test_a_question_about_what_is_nowhere_is_refused_though_the_rest_of_it_matches():
    named_nothing, all_there = make_gate()[8:10]
    assert named_nothing["late_interaction"] > all_there["late_interaction"]
    assert (named_nothing["verdict"]["open"], all_there["verdict"]["open"]) == (False, True)


def test_words_that_stand_nowhere_are_told_as_they_were_typed():
    covered = {one["question"]: one["covered"] for one in make_cover()}
    assert covered["yeast?"] == {"share": 1.0, "absent": ()}
    assert covered["How many (crumpets), and which “loaf”?"]["absent"] == ("many", "crumpets")
    # Once each way it was typed; of a name whose parts are there, it is not said.
    assert covered["GroupShuffle or Crumpet; crumpets?"]["absent"] == ("Crumpet", "crumpets")
    assert covered["??"] == {"share": 1.0, "absent": ()}
    assert covered["BreadMaker2000 vs. bread"]["absent"] == ("vs",)
    assert 0 < covered["BreadMaker2000 vs. bread"]["share"] < 0.2


def test_a_rare_word_that_is_missing_weighs_more_than_a_common_one_that_is_there():
    def term(name: str, chunks: int, idf: float) -> QueryTerm:
        return QueryTerm(term=name, title_chunks=0, text_chunks=chunks, title_idf=0.0, text_idf=idf)

    there = [term("bread", 9, 0.1), term("yeast", 3, 1.5)]
    rare_missing = cover("bread crumpet", [there[0], term("crumpet", 0, 0.0)], 10).share
    assert cover("bread yeast", there, 10).share == 1
    assert rare_missing < 0.1


def test_a_cross_encoder_decides_where_it_has_a_threshold_and_was_switched_on():
    with_score = [one for one in make_gate() if one["cross_encoder"] is not None]
    decided = [(one["verdict"]["decided_by"], one["verdict"]["open"]) for one in with_score]
    assert decided[:3] == [("cosine", True), ("cosine", False), ("answerability", True)]
    assert decided[6:] == [("cross_encoder", False), ("cross_encoder", True), ("cross_encoder", False)]


def test_directions_are_orthogonal():
    transform = projection(384, 384)
    matrix = transform.apply(np.eye(384, dtype=np.float32)) / transform.gain
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(384), atol=1e-6)


def test_one_component_spreads_over_all_directions():
    transform = projection(384, 384)
    rows = transform.apply(np.eye(384, dtype=np.float32)) / transform.gain
    # A vector of equal magnitudes would have 1 / √384 everywhere.
    assert np.abs(rows).max() < 6 / np.sqrt(384)


def test_the_estimate_is_the_cosine_on_average():
    questions, others = unit_rows(noise(3, 200, 384)), unit_rows(noise(5, 200, 384))
    mixed = unit_rows(np.float32(0.6) * questions + np.float32(0.8) * others)
    estimates = np.diag(similarities(make_tables(questions, 192), sign_bytes(mixed)))
    assert estimates.mean() == pytest.approx((questions * mixed).sum(1).mean(), abs=0.01)


def test_a_sum_of_tables_is_the_product_with_the_signs():
    question, other = unit_rows(noise(1, 3, 384)), noise(2, 20, 384)
    transform = projection(384, 192)
    scale = np.sqrt(np.pi / 2) * np.sqrt(384) / (192 * transform.gain)
    signs = np.where(transform.apply(other) > 0, 1.0, -1.0)
    expected = transform.apply(question) * scale @ signs.T
    np.testing.assert_allclose(similarities(make_tables(question, 192), sign_bytes(other)), expected, atol=1e-6)


def test_a_match_is_the_mean_of_its_own_cosine_and_its_neighbours():
    cosines = np.array([[0.9, 0.1, 0.2], [0.3, 0.8, 0.4], [0.0, 0.5, 0.7]])
    expected = [
        [(0.9 + 0.3 * 0.8) / 1.3, (0.1 + 0.3 * 0.4) / 1.3, 0.2 / 1.3],
        [(0.3 + 0.3 * 0.5) / 1.6, (0.8 + 0.3 * 0.9 + 0.3 * 0.7) / 1.6, (0.4 + 0.3 * 0.1) / 1.6],
        [0.0, (0.5 + 0.3 * 0.3) / 1.3, (0.7 + 0.3 * 0.8) / 1.3],
    ]
    np.testing.assert_allclose(in_order(cosines), expected, atol=1e-15)


def test_a_question_of_one_piece_has_no_neighbours():
    np.testing.assert_array_equal(in_order(np.array([[0.3, 0.9]])), [[0.3, 0.9]])


def test_the_same_pieces_count_for_more_in_the_order_of_the_question():
    words = unit_rows(noise(7, 4, 384))
    tables = make_tables(words, 192)
    orders = ([0, 1, 2, 3], [2, 0, 3, 1])
    in_line, scattered = (max_sim(tables, [1.0] * 4, sign_bytes(words[order])) for order in orders)
    assert in_line.places.tolist() == [0, 1, 2, 3]
    assert in_line.in_order > scattered.in_order + 0.2
    # Every word is in both; that is what the gate asks.
    assert in_line.score == pytest.approx(scattered.score, abs=1e-9)


def test_a_piece_that_every_chunk_holds_weighs_almost_nothing():
    weights = PieceWeights(100, {1: 100, 2: 1})
    assert weights.idf(1) < 0.01 < weights.idf(2) < weights.idf(3)


@given(st.integers(0, 12), st.integers(0, 5), st.integers(1, 2**31))
def test_full_retrieval_scores_each_passage_as_reranking_does(rows, pieces, seed):
    question = unit_rows(noise(seed, pieces, 384)) if pieces else np.zeros((0, 384), np.float32)
    tables = make_tables(question, 64)
    weights = [1.0 + piece for piece in range(pieces)]
    counts = [rows, 0, 3]
    signs = sign_bytes(noise(seed + 1, sum(counts), 384), 64)
    starts = np.array([0, rows, rows, rows + 3])
    alone = [max_sim(tables, weights, signs[a:b]).in_order for a, b in pairwise(starts)]
    np.testing.assert_allclose(full_retrieval(tables, weights, signs, starts), alone, atol=1e-12)


def test_signs_of_another_width_are_refused():
    with pytest.raises(IndexFormatError, match="do not fit"):
        max_sim(make_tables(unit_rows(noise(1, 2, 384)), 192), [1, 1], np.zeros((3, 16), np.uint8))


if __name__ == "__main__":
    PARITY.write_text(json.dumps(make(), separators=(",", ":")) + "\n")
