"""The check of citations: how an answer is split, and what each verdict takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.check import check, cited_sentences, finished_sentences
from openbook.retrieval.objections import numbers, object_to
from openbook.retrieval.passages import select_passages
from openbook.retrieval.sentences import utf16_length
from openbook.retrieval.trace import CheckedSentence
from openbook.settings import CheckSettings
from parity.mini_course import MiniCourse
from parity.vectors import ranking

MINI = MiniCourse()
PASSAGES = select_passages(MINI, ranking("l08/notes#gap", "l08/notes#leakage", "l11/notes#what-zero_grad-does"), 5)


def split(answer: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.text, one.citations) for one in cited_sentences(answer, [1, 2, 3])]


def checked(answer: str) -> list[CheckedSentence]:
    return list(check(answer, PASSAGES, MINI.keyword.rarity, None, CheckSettings()))


def verdicts(answer: str) -> list[str]:
    return [one.verdict for one in checked(answer)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("A gap helps [1]. It costs rows [2].", [("A gap helps.", (1,)), ("It costs rows.", (2,))]),
        ("A gap helps. [1] It costs rows. [2]", [("A gap helps.", (1,)), ("It costs rows.", (2,))]),
        ("[1] A gap helps. [2] It costs rows.", [("A gap helps.", (1,)), ("It costs rows.", (2,))]),
        ("A gap helps [1][3].", [("A gap helps.", (1, 3))]),
        ("A gap helps [1, 3].", [("A gap helps.", (1, 3))]),
        ("A gap helps [1-3].", [("A gap helps.", (1, 2, 3))]),
        ("A gap helps [Passage 2].", [("A gap helps.", (2,))]),
        ("A gap helps[2].", [("A gap helps.", (2,))]),
        ("Take x[0] and rows[12].", [("Take x[0] and rows[12].", ())]),
        ("Take `f([1])` here [2].", [("Take `f([1])` here.", (2,))]),
        ("- one [1]\n- two [2]", [("one", (1,)), ("two", (2,))]),
        ("[1]", []),
        ("", []),
    ],
)
def test_an_answer_is_split_into_sentences_with_what_they_cite(answer: str, expected: object) -> None:
    assert split(answer) == expected


def test_while_it_is_written_the_last_sentence_waits_and_an_open_bracket_too() -> None:
    def texts(answer: str) -> list[tuple[str, tuple[int, ...]]]:
        return [(one.text, one.citations) for one in finished_sentences(answer, [1, 2])]

    assert texts("A gap helps.") == []
    assert texts("A gap helps. [") == []
    assert texts("A gap helps. [1") == []
    assert texts("A gap helps. [1] It") == [("A gap helps.", (1,))]
    assert texts("A gap helps [1]. It costs") == [("A gap helps.", (1,))]


@given(
    st.lists(
        st.sampled_from(["A gap helps", " [1]", "[2, 3]", ".", "! ", "\n", "x[0]", "📉", "词元。", " [99] "]),
        max_size=12,
    )
)
def test_sentences_are_in_order_and_cover_every_word(pieces: list[str]) -> None:
    answer = "".join(pieces)
    found = cited_sentences(answer, [1, 2, 3])
    places = [place for one in found for place in (one.start, one.end)]
    assert places == sorted(places)
    covered = {place for one in found for place in range(one.start, one.end)}
    left = "".join(character for place, character in enumerate(answer) if place not in covered)
    assert "gap" not in left
    assert "词" not in left
    for one in checked(answer):
        assert 0 <= one.start <= one.end <= utf16_length(answer)


def test_a_quotation_is_supported_and_the_place_it_comes_from_is_named() -> None:
    (found,) = checked("Leakage is the use of information that will not be there when the model predicts [2].")
    assert found.verdict == "supported"
    assert found.evidence is not None
    assert found.evidence.number == 2
    units = MINI.texts[found.evidence.ordinal].text.encode("utf-16-le")
    assert units[2 * found.evidence.start : 2 * found.evidence.end].decode("utf-16-le") == found.evidence.text
    assert "Leakage is the use" in found.evidence.text


def test_the_same_from_another_passage_is_not_supported() -> None:
    assert verdicts("Leakage is the use of information that will not be there when the model predicts [3].") == [
        "unsupported"
    ]


def test_a_changed_number_is_at_most_weak() -> None:
    said = "For a forecast of h days it is h - 1 rows, e.g. {} rows for a week [1]."
    assert verdicts(said.format(6)) == ["supported"]
    (found,) = checked(said.format(8))
    assert (found.verdict, [(one.kind, one.what) for one in found.objections]) == ("weak", [("number", "8")])


def test_a_lost_not_is_at_most_weak() -> None:
    (found,) = checked("Leakage is the use of information that will be there when the model predicts [2].")
    assert found.verdict == "weak"
    assert {one.kind for one in found.objections} == {"negation"}


def test_citing_nothing_or_what_was_not_given_is_said() -> None:
    assert verdicts("Leakage is the use of information. A gap keeps rows away [7]. Yes.") == [
        "uncited", "unknown-citation", "no-claim",
    ]  # fmt: skip


def test_the_refusal_claims_nothing() -> None:
    assert verdicts("Not in the notes.") == ["no-claim"]
    assert verdicts("**Not in the notes**") == ["no-claim"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234 of 5,5 and 1.0.21", ["1234", "5.5", "1.0.21"]),
        ("twenty of a third, one first", ["20", "3"]),
        ("no number", []),
        ("a quarter of a million, and 250,000", ["250000"]),
        ("ten thousand of 3.5 million", ["10000", "3500000"]),
        ("twenty-five, then twenty and five", ["25", "20", "5"]),
        ("half of two dozen, twice", ["50", "2", "12"]),
        ("hundreds of them", ["100"]),
    ],
)
def test_numbers_are_read_in_digits(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("said", "quoted", "kinds"),
    [
        ("It is 97 % sure.", "It is sure at 0.97.", []),
        ("About 98 per cent.", "98.2 per cent", []),
        ("It has a denominator.", "It has no denominator.", ["negation"]),
        ("It does not leak.", "It leaks, and nobody sees it.", ["negation"]),
        ("The rate is lower.", "Rates must never be kept; this rate is lower.", []),
        ("MAPE predicts too high.", "MAPE predicts too low.", ["opposite"]),
        ("A thousand times steeper.", "A quarter of a million times steeper, and ten thousand steps.", ["number"]),
        ("250,000 times steeper.", "A quarter of a million times steeper.", []),
        ("Joins keep the machines.", "Joins dropped the machines.", ["opposite"]),
        ("Joins keep the small ones.", "Joins keep the large ones and drop the small ones.", []),
        ("The right-hand neighbour is there.", "The right-hand neighbour does not exist yet.", ["negation"]),
        ("The right-hand neighbour is not there.", "The right-hand neighbour does not exist yet.", []),
        ("The left one is there.", "The right-hand neighbour does not exist yet.", []),
        ("Answers are logged and nobody acts.", "Its answers are logged, and nobody acts on them.", []),
    ],
)
def test_what_speaks_against_a_sentence(said: str, quoted: str, kinds: list[str]) -> None:
    assert [one.kind for one in object_to(said, quoted, quoted)] == kinds
