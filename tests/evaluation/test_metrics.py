"""Metrics, against numbers worked out by hand and against trec_eval."""

from __future__ import annotations

import math

import pytest
import pytrec_eval
from hypothesis import assume, given
from hypothesis import strategies as st

from openbook.evaluation.metrics import MEASURES, first_relevant_rank, judge, metrics

RANKING = ["l1/notes#a", "l1/notes#a~2", "l1/notes#b~3", "l1/notes#a~3", "l1/notes#c"]


def test_a_section_stands_where_its_first_part_does_and_counts_once() -> None:
    assert first_relevant_rank(RANKING, {"l1/notes#a"}) == 1
    assert first_relevant_rank(RANKING, {"l1/notes#b"}) == 2
    assert first_relevant_rank(RANKING, {"l1/notes#c"}) == 3
    assert first_relevant_rank(RANKING, {"l1/notes#c", "l1/notes#b"}) == 2
    assert first_relevant_rank(RANKING, {"l1/notes#d"}) is None
    assert first_relevant_rank([], {"l1/notes#a"}) is None


def test_means_over_questions() -> None:
    found = metrics([1, 2, 5, 10, 11, None])
    assert found.questions == 6
    assert found.hit_1 == pytest.approx(1 / 6)
    assert found.hit_5 == pytest.approx(3 / 6)
    assert found.mrr_10 == pytest.approx((1 + 1 / 2 + 1 / 5 + 1 / 10) / 6)


def test_no_questions() -> None:
    assert metrics([]).mrr_10 == 0


def by_name(ranking: list[str], grades: dict[str, int]) -> dict[str, float]:
    return dict(zip(MEASURES, judge(ranking, grades), strict=True))


def test_graded_gain_is_linear_and_discounted_by_the_logarithm() -> None:
    found = by_name(["b", "x", "a"], {"a": 3, "b": 1, "c": 2, "d": 0})
    gain = 1 / math.log2(2) + 3 / math.log2(4)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert found["ndcg_10"] == pytest.approx(gain / ideal)
    assert (found["hit_1"], found["mrr_10"], found["recall_10"]) == (1, 1, pytest.approx(2 / 3))


def test_a_question_without_a_label_scores_nothing() -> None:
    assert judge(["a"], {"a": 0}) == (0.0,) * len(MEASURES)


names = st.integers(0, 79).map(str)


@given(ranking=st.lists(names, unique=True, max_size=70), grades=st.dictionaries(names, st.integers(-1, 4), min_size=1))
def test_every_measure_is_trec_evals(ranking: list[str], grades: dict[str, int]) -> None:
    """pytrec_eval runs trec_eval's own C code, which is what BEIR's published figures come from."""
    assume(any(grade > 0 for grade in grades.values()) and ranking)
    evaluator = pytrec_eval.RelevanceEvaluator(
        {"q": grades}, {"ndcg_cut.10", "recall.10,50", "recip_rank", "success.1,5"}
    )
    run = {name: float(len(ranking) - place) for place, name in enumerate(ranking)}
    theirs = evaluator.evaluate({"q": run})["q"]
    # trec_eval does not cut the reciprocal rank off.
    reciprocal = theirs["recip_rank"] if theirs["recip_rank"] >= 0.1 else 0
    ours = by_name(ranking, grades)
    assert ours["ndcg_10"] == pytest.approx(theirs["ndcg_cut_10"], abs=1e-6)
    assert ours["recall_10"] == pytest.approx(theirs["recall_10"], abs=1e-6)
    assert ours["recall_50"] == pytest.approx(theirs["recall_50"], abs=1e-6)
    assert ours["mrr_10"] == pytest.approx(reciprocal, abs=1e-6)
    assert (ours["hit_1"], ours["hit_5"]) == (theirs["success_1"], theirs["success_5"])
