"""Keyword search: BM25 by hand, whole identifiers, and headings first."""

from __future__ import annotations

import math

import pytest

from openbook.index.keyword import serialise
from openbook.retrieval.collection import ChunkRef
from openbook.retrieval.keyword import KeywordIndex, keyword, query_terms
from openbook.settings import KeywordSettings
from parity.mini_course import MiniCourse

MINI = MiniCourse()


def index_of(*documents: tuple[str, str]) -> KeywordIndex:
    return KeywordIndex.from_serialised(serialise(documents))


def ref(ordinal: int, heading: str = "Heading") -> ChunkRef:
    return ChunkRef(
        id=f"c{ordinal}",
        lecture="l",
        lecture_number=1,
        kind="notes",
        path=(heading,),
        anchor="a",
        part=1,
        parts=1,
        url="",
    )


def test_a_score_is_that_of_the_formula() -> None:
    index = index_of(("", "red red blue"), ("", "blue green"), ("", "green"))
    _, hits = keyword(index, "red blue", KeywordSettings(k1=1.2, b=0.75, d=0.0, divide_by_matched_terms=True), ref)

    def part(chunks: int, frequency: int, length: int) -> float:
        idf = math.log(1 + (3 - chunks + 0.5) / (chunks + 0.5))
        return idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / ((2 + 2 + 1) / 3)))

    assert [hit.ordinal for hit in hits] == [0, 1]
    assert hits[0].score == pytest.approx(part(1, 2, 2) + part(2, 1, 2), abs=1e-12)
    assert hits[1].score == pytest.approx(part(2, 1, 2), abs=1e-12)


def test_minisearch_multiplies_by_the_matched_terms_and_openbook_takes_that_out() -> None:
    index = index_of(("", "red blue"), ("", "blue green"))
    _, divided = keyword(index, "red blue", KeywordSettings(divide_by_matched_terms=True), ref)
    _, multiplied = keyword(index, "red blue", KeywordSettings(divide_by_matched_terms=False), ref)
    assert [hit.matched_terms for hit in divided] == [2, 1]
    assert multiplied[0].score == pytest.approx(2 * divided[0].score)
    assert multiplied[1].score == pytest.approx(divided[1].score)


@pytest.mark.parametrize("divide", [True, False])
def test_what_the_terms_add_is_the_score(divide: bool) -> None:
    settings = KeywordSettings(divide_by_matched_terms=divide, d=0.5)
    _, hits = keyword(MINI.keyword, "How long is the gap in TimeSeriesSplit, and where?", settings, MINI.chunk)
    assert len(hits) > 3
    for hit in hits:
        assert sum(term.score for term in hit.terms) == pytest.approx(hit.score, abs=1e-12)
        assert len({term.term for term in hit.terms}) == hit.matched_terms


def test_a_term_asked_twice_counts_once() -> None:
    _, once = keyword(MINI.keyword, "gap rows", KeywordSettings(), MINI.chunk)
    _, twice = keyword(MINI.keyword, "gap rows gap GAP", KeywordSettings(), MINI.chunk)
    assert once == twice


def test_an_identifier_is_found_whole_and_counts_more_than_its_parts() -> None:
    index = index_of(("", "call zero_grad here"), ("", "zero the grad here"), ("", "nothing here"))
    terms, hits = keyword(index, "zero_grad", KeywordSettings(), ref)
    assert [term.term for term in terms] == ["zero_grad", "zero", "grad"]
    assert [hit.ordinal for hit in hits] == [0, 1]
    assert hits[0].score > hits[1].score


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert query_terms("What is the gap?") == ["gap"]
    assert query_terms("what is it") == ["what", "is", "it"]
    assert query_terms("???") == []


def test_nothing_is_found_for_no_words_and_for_unknown_ones() -> None:
    for question in ("???", "quantum chromodynamics"):
        assert keyword(MINI.keyword, question, KeywordSettings(), MINI.chunk)[1] == []


def test_a_heading_goes_before_a_better_score() -> None:
    index = index_of(("gap", "other words"), ("", "gap gap gap gap"), ("the gap", "gap"))
    headings = ("Gap", "Other", "The gap")
    _, hits = keyword(index, "the GAP", KeywordSettings(), lambda ordinal: ref(ordinal, headings[ordinal]))
    assert [hit.ordinal for hit in hits if hit.exact_title] == [2]
    assert hits[0].ordinal == 2


def test_of_equal_scores_the_lower_ordinal_is_first() -> None:
    index = index_of(*[("", "gap here")] * 5)
    _, hits = keyword(index, "gap", KeywordSettings(depth=3), ref)
    assert [hit.ordinal for hit in hits] == [0, 1, 2]
    assert [hit.rank for hit in hits] == [1, 2, 3]


def test_without_weight_a_heading_is_not_searched() -> None:
    index = index_of(("gap", "words"), ("words", "gap"))
    _, hits = keyword(index, "gap", KeywordSettings(boost_title=0.0), ref)
    assert [hit.ordinal for hit in hits] == [1]
