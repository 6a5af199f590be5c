"""What leans on the question before, what it is searched for as, and how several rankings become one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.follow_up import CARRIED, QUERIES, Before, leans, merge, rewrite
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import GateThreshold, RerankHit, RerankStage
from parity.mini_course import MiniCourse
from retrieval import follow_ups

GROUPS = Before(question="What does GroupKFold guarantee?", heading="Groups stay together")


def rarity(term: str) -> float:
    """A longer word is rarer."""
    return float(len(term))


LEANING = {
    "What about for time series?": "conjunction",
    "and the second one?": "conjunction",
    "ok, but does it shuffle?": "conjunction",
    "why?": "ellipsis",
    "Can you explain?": "ellipsis",
    "is that still honest with several rows a machine?": "pronoun",
    "How is it different from KFold?": "pronoun",
    "Do I have to standardise for that?": "demonstrative",
    "would logging in again help with the second one?": "demonstrative",
}
ALONE = (
    "What does GroupKFold guarantee?",
    "Is it safe to shuffle a time series?",
    "He init",
    "Android or iOS?",
    "two editors PUT the same record and the second wipes out the first, which header stops that",
    "It answers with a list. Is that a fault?",
    "was ist das?",
    "???",
    "",
)


@pytest.mark.parametrize(("question", "reason"), LEANING.items())
def test_a_follow_up_is_known_by(question: str, reason: str) -> None:
    assert leans(question) == reason
    assert rewrite(question, GROUPS, rarity)


@pytest.mark.parametrize("question", ALONE)
def test_a_question_that_stands_alone_is_never_rewritten(question: str) -> None:
    assert leans(question) is None
    assert rewrite(question, GROUPS, rarity) == ()


@pytest.mark.parametrize(
    ("language", "question", "reason"),
    [(tag, question, reason) for tag, pairs in follow_ups.LEANING.items() for question, reason in pairs.items()],
)
def test_a_follow_up_in_another_language_is_known_by(language: str, question: str, reason: str) -> None:
    assert leans(question, language) == reason
    first, *_ = rewrite(question, follow_ups.BEFORE[language], rarity, f"{language}-XX")
    assert "TimeSeriesSplit" in first or "间隔" in first


@pytest.mark.parametrize(
    ("language", "question"), [(tag, question) for tag, some in follow_ups.ALONE.items() for question in some]
)
def test_a_question_in_another_language_that_stands_alone_stays(language: str, question: str) -> None:
    assert leans(question, language) is None
    assert rewrite(question, follow_ups.BEFORE[language], rarity, language) == ()


def test_the_first_question_of_a_conversation_is_never_rewritten() -> None:
    assert rewrite("why?", None, rarity) == ()


def test_the_topic_and_the_cited_heading_are_carried_over() -> None:
    assert rewrite("And what about time series?", GROUPS, rarity) == (
        "GroupKFold guarantee time series?",
        "Groups stay together: time series?",
    )


def test_a_question_without_a_word_of_its_own_asks_for_the_topic_again() -> None:
    assert rewrite("and then?", GROUPS, rarity) == ("GroupKFold guarantee", "Groups stay together")


def test_after_a_refusal_there_is_no_heading_to_carry() -> None:
    assert rewrite("why?", Before(question="best pizza in Rome"), rarity) == ("best pizza Rome why?",)


def test_the_rarest_words_are_carried_in_the_order_in_which_they_were_said() -> None:
    before = Before(question="ab abcdefgh abc abcdefg abcd abcdef abcde abcdefghi")
    assert rewrite("why?", before, rarity) == ("abcdefgh abcdefg abcd abcdef abcde abcdefghi why?",)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=40))
def test_there_are_few_queries_and_each_says_more_than_the_question(question: str, asked: str, heading: str) -> None:
    queries = rewrite(question, Before(question=asked, heading=heading), rarity)
    assert len(queries) <= QUERIES == len(set(queries)) + QUERIES - len(queries)
    assert question not in queries
    assert all(query.strip() for query in queries)
    if queries and not heading.strip():
        assert len(queries[0].split()) <= CARRIED + len(question.split())


def hits(*ordinals: int) -> list[RerankHit]:
    return [
        RerankHit(ordinal=one, id=str(one), rank=rank, score=1.0, rank_before=rank, late_interaction=rank / 10)
        for rank, one in enumerate(ordinals, 1)
    ]


def test_what_two_queries_find_comes_before_what_one_finds() -> None:
    merged = merge([hits(1, 2, 3), hits(4, 2, 5)], 60)
    assert [hit.ordinal for hit in merged] == [2, 1, 4, 3, 5]
    assert [hit.rank for hit in merged] == [1, 2, 3, 4, 5]
    assert merged[0].score == 2 / 62


def test_a_single_ranking_stays_as_it_is() -> None:
    assert merge([hits(3, 1)], 60) == hits(3, 1)


def test_the_passages_are_of_all_queries_and_the_prompt_asks_what_was_typed() -> None:
    gate = GateThreshold(cosine=0.0, source="configured", corpus="", model="", tokenizer="")
    mini = MiniCourse(gate=gate)
    vector = mini.question_vector(5)
    queries = ("What does zero_grad clear?", "How long is the gap?")
    trace = ask(mini, "and those?", lambda _: vector, len, lambda: 0.0, queries=queries)
    assert trace.rewrite is not None
    assert trace.rewrite.queries == queries
    (other,) = trace.rewrite.others
    both = [next(stage.hits for stage in stages if isinstance(stage, RerankStage)) for stages in (trace.stages, other)]
    assert list(trace.rewrite.hits) == merge(both, 60)
    assert both[0] != both[1]
    prompts = [stage.text for stage in trace.stages if hasattr(stage, "text") and "Question:" in stage.text]
    assert prompts
    assert f"Question: and those? (in full: {queries[0]})" in prompts[0]
