"""Passages: whole sections, each once; and cutting them."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.passages import count_words, cut, join_parts, label, section_ordinals, select_passages
from parity.mini_course import MiniCourse
from parity.vectors import ranking

MINI = MiniCourse()


def test_two_parts_of_a_section_are_one_passage_that_holds_the_whole() -> None:
    (passage,) = (item.passage for item in select_passages(MINI, ranking("l08/notes#gap~3", "l08/notes#gap"), 5))
    assert passage.id == "l08/notes#gap~3"
    assert [MINI.chunk(ordinal).part for ordinal in passage.ordinals] == [1, 2, 3]
    assert passage.text.startswith("A gap keeps")
    assert passage.text.endswith("needs a longer gap.")
    assert passage.label == "Lecture 8, notes: Splitting data / The gap before the test set"


def test_a_page_of_a_site_is_named_by_its_section_alone() -> None:
    page = msgspec.structs.replace(MINI.chunk(MINI.ordinal("l08/notes#gap")), lecture_number=0)
    assert label(page) == "Splitting data / The gap before the test set"


def test_another_section_between_the_parts_in_the_order_of_ids_is_not_taken_in() -> None:
    ordinals = [MINI.ordinal(f"l08/notes#gap{end}") for end in ("", "~2", "~3")]
    assert MINI.ordinal("l08/notes#gap") < MINI.ordinal("l08/notes#gap-year") < MINI.ordinal("l08/notes#gap~2")
    for ordinal in ordinals:
        assert section_ordinals(MINI, ordinal) == ordinals


def test_a_text_that_was_shown_is_not_shown_again() -> None:
    hits = ranking("l08/slides#one-row-apart", "l08/slides#one-row-apart-again", "l08/notes#leakage")
    assert [item.passage.id for item in select_passages(MINI, hits, 5)] == [
        "l08/slides#one-row-apart",
        "l08/notes#leakage",
    ]


def test_parts_that_overlap_are_joined_without_repetition_and_a_gap_is_marked() -> None:
    shared = "the sentence that both parts have."
    assert join_parts([(1, f"First. {shared}"), (2, f"{shared} Last.")]) == f"First. {shared} Last."
    assert join_parts([(1, "First."), (3, "Third.")]) == "First.\n\n…\n\nThird."
    assert join_parts([(1, "ends with a"), (2, "a begins")]) == "ends with a\n\na begins"


def test_a_cut_is_at_the_end_of_a_sentence_when_that_is_near() -> None:
    assert cut("One two. Three four. Five six.", (), 5) == "One two. Three four. …"
    assert cut("One two three four five six seven.", (), 5) == "One two three four five …"
    assert cut("One two. Three", (), 3) == "One two. Three"


def test_code_is_cut_at_a_line() -> None:
    assert cut("a = 1\nb = 2\nc = 3", ((0, 2, "code"),), 7) == "a = 1\nb = 2 …"


def test_a_chinese_character_is_a_word() -> None:
    assert count_words("词元 is 1 单位。") == 7
    assert cut("词元是单位。一个汉字。", (), 8) == "词元是单位。 …"


@given(text=st.text(st.sampled_from("ab. \n中!?"), max_size=80), words=st.integers(1, 20))
def test_a_cut_text_is_a_beginning_and_within_the_budget(text: str, words: int) -> None:
    found = cut(text, (), words)
    if count_words(text) <= words:
        assert found == text
    else:
        assert found.endswith(" …")
        assert text.startswith(found[:-2])
        assert words / 2 <= count_words(found[:-2]) <= words
