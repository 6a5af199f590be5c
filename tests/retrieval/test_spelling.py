"""What a question may have been meant to say. ``tests/parity/spelling.json`` holds cases and what comes of them;
``web/test/spelling.test.ts`` reads the same file. Write it anew with::

    python tests/retrieval/test_spelling.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.keyword import query_terms
from openbook.retrieval.spelling import nearest, respell, slips
from openbook.retrieval.trace import QueryTerm

PARITY = Path(__file__).resolve().parents[1] / "parity" / "spelling.json"

VOCABULARY = {
    "softmax": 9, "zero_grad": 5, "zero": 12, "gradient": 40, "groupkfold": 7, "temperature": 11, "attention": 30,
    "wave": 6, "difference": 8, "batch": 3, "batches": 1, "confusion": 4, "matrix": 22, "müller": 2, "2016": 5,
    "confession": 2, "squared": 14, "once_only": 1, "return": 20,
}  # fmt: skip

QUESTIONS: dict[str, tuple[str, ...]] = {
    "sofmax  temperture?": ("so", "##fm", "##ax", "temper", "##ture", "?"),
    "what does `zero_gard` do": ("what", "does", "`", "zero", "_", "ga", "##rd", "`", "do"),
    "forgot zerograd": ("forgot", "zero", "##grad"),
    "GroupKFlod and GroupKFlod": ("group", "##k", "##fl", "##od", "and", "group", "##k", "##fl", "##od"),
    "wages were counted twice": ("wages", "were", "counted", "twice"),
    "a confussion matrix (confussion)": ("a", "con", "##fus", "##sion", "matrix", "(", "con", "##fus", "##sion", ")"),
    "Muller, müler": ("mu", "##ller", ",", "mu", "##ler"),
    "onze_only 2015 zzz": ("on", "##ze", "_", "only", "2015", "z", "##zz"),
    "softmax of the attention": ("soft", "##max", "of", "the", "attention"),
    "gardient": ("gard", "##ient"),
    "retrun retrn": ("re", "##tr", "##un", "re", "##tr", "##n"),
    "gradiente y atencion del softmax": (
        "gradient",
        "##e",
        "y",
        "ate",
        "##nc",
        "##ion",
        "del",
        "soft",
        "##max",
    ),
    "gradeint with batch, matrix, zzz, yyy": (
        "grade",
        "##int",
        "with",
        "batch",
        ",",
        "matrix",
        ",",
        "z",
        "##zz",
        ",",
        "y",
        "##yy",
    ),
    "zero gradeint of wave, batch, matrix, zzz, yyy": (
        "zero",
        "grade",
        "##int",
        "of",
        "wave",
        ",",
        "batch",
        ",",
        "matrix",
        ",",
        "z",
        "##zz",
        ",",
        "y",
        "##yy",
    ),
    "": (),
}


def asked(question: str) -> list[QueryTerm]:
    return [
        QueryTerm(term=term, title_chunks=0, text_chunks=VOCABULARY.get(term, 0), title_idf=0.0, text_idf=0.0)
        for term in query_terms(question)
    ]


def meant(question: str) -> str | None:
    def beginning_with(prefix: str) -> dict[str, int]:
        return {term: chunks for term, chunks in VOCABULARY.items() if term.startswith(prefix)}

    return respell(question, asked(question), QUESTIONS[question], beginning_with)


def make() -> dict[str, Any]:
    pairs = [
        ("grad", "gard", 1),
        ("grad", "grid", 1),
        ("grad", "gird", 1),
        ("abcd", "ab", 2),
        ("abc", "xyz", 2),
        ("", "ab", 2),
    ]
    return {
        "vocabulary": VOCABULARY,
        "questions": [{"question": one, "pieces": QUESTIONS[one], "meant": meant(one)} for one in QUESTIONS],
        "slips": [{"first": a, "second": b, "most": most, "slips": slips(a, b, most)} for a, b, most in pairs],
    }


def test_the_parity_file_is_what_this_side_gives() -> None:
    assert json.loads(PARITY.read_text("utf-8")) == json.loads(json.dumps(make()))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("sofmax  temperture?", "softmax temperature?"),
        ("what does `zero_gard` do", "what does `zero_grad` do"),
        ("forgot zerograd", "forgot zero_grad"),
        ("GroupKFlod and GroupKFlod", "groupkfold and groupkfold"),
        ("a confussion matrix (confussion)", "a confusion matrix (confusion)"),
        ("gardient", None),
    ],
)
def test_a_slip_inside_a_word_is_mended_and_all_else_left_as_it_was_typed(question: str, expected: str | None) -> None:
    assert meant(question) == expected


def test_a_word_that_the_encoder_knows_whole_was_meant() -> None:
    assert meant("wages were counted twice") is None
    assert nearest("waves", {"wades": 3}) == "wades"


def test_what_the_course_holds_once_is_not_offered_and_numbers_are_not_mended() -> None:
    assert meant("onze_only 2015 zzz") is None


def test_nothing_is_mended_where_three_words_and_half_of_the_question_stand_nowhere() -> None:
    assert meant("gradiente y atencion del softmax") is None
    assert meant("gradeint with batch, matrix, zzz, yyy") is None
    assert meant("zero gradeint of wave, batch, matrix, zzz, yyy") == "zero gradient of wave, batch, matrix, zzz, yyy"


def test_a_question_without_a_slip_is_left_alone() -> None:
    assert meant("softmax of the attention") is None


words = st.text("abc", max_size=7)


@given(words, words)
def test_slips_are_counted_alike_both_ways_and_never_more_than_replacing_all(first: str, second: str) -> None:
    found = slips(first, second, 7)
    assert found == slips(second, first, 7)
    assert abs(len(first) - len(second)) <= found <= max(len(first), len(second))
    assert (found == 0) == (first == second)
    for most in range(found):
        assert slips(first, second, most) == most + 1


@given(words, st.integers(0, 6))
def test_two_neighbours_exchanged_are_one_slip(word: str, place: int) -> None:
    if place + 1 < len(word) and word[place] != word[place + 1]:
        exchanged = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        assert slips(word, exchanged, 2) == 1


if __name__ == "__main__":
    PARITY.write_text(json.dumps(make(), ensure_ascii=False, indent=1) + "\n", "utf-8")
