"""Sentences: a table of cases, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.sentences import SPACE, ends_like_a_sentence, split_sentences, utf16_length

CASES = {
    "plain": ("One here. Two there! Three?", ["One here.", "Two there!", "Three?"]),
    "abbreviations": (
        "See Fig. 3, e.g. the left. Dr. Who cf. Eq. 2 agrees.",
        ["See Fig. 3, e.g. the left.", "Dr. Who cf. Eq. 2 agrees."],
    ),
    "no is a word unless a number follows": ("Say no. Then go to no. 7.", ["Say no.", "Then go to no. 7."]),
    "initials": ("J. Smith and A. B. Jones wrote it. It is old.", ["J. Smith and A. B. Jones wrote it.", "It is old."]),
    "numbers": ("Version 1.0.21 is 3.5 times faster. Use it.", ["Version 1.0.21 is 3.5 times faster.", "Use it."]),
    "code in prose": ("Call np.argmax(x). zero_grad() clears it.", ["Call np.argmax(x).", "zero_grad() clears it."]),
    "small words go on": ("It is 5 p.m. in Rome. Well ... maybe.", ["It is 5 p.m. in Rome.", "Well ... maybe."]),
    "quotes and brackets": ("He said “Stop.” (And left.) Then not.", ["He said “Stop.”", "(And left.)", "Then not."]),
    "Chinese": ("词元是单位。是吗？是！完", ["词元是单位。", "是吗？", "是！", "完"]),
    "a list's items": ("- one. Two\n- three\n2. four", [["one.", "Two"][0], "Two", "three", "four"]),
    "a title goes with its text": (
        "Definition: leakage\nLeakage is use. More.",
        ["Definition: leakage\nLeakage is use.", "More."],
    ),
    "a title above a list does not": ("At a glance\n- one\n- two", ["At a glance", "one", "two"]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_case(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in split_sentences(text)] == expected


def test_code_is_one_span_whatever_is_in_it() -> None:
    text = "Before. Yes.\n\nx = 1. y\n\nz()\n\nAfter."
    spans = split_sentences(text, [(2, 4, "code")])
    assert [(span.kind, text[span.start : span.end]) for span in spans] == [
        ("sentence", "Before."),
        ("sentence", "Yes."),
        ("code", "x = 1. y\n\nz()"),
        ("sentence", "After."),
    ]


texts = st.text(st.sampled_from("aB1 .!?\n-…。“)\t_`中📉"), max_size=60)


@given(text=texts)
def test_spans_are_in_order_apart_and_bare(text: str) -> None:
    end = 0
    for span in split_sentences(text):
        assert end <= span.start < span.end <= len(text)
        assert text[span.start] not in SPACE
        assert text[span.end - 1] not in SPACE
        end = span.end


@given(text=texts)
def test_between_spans_are_only_spaces_and_list_markers(text: str) -> None:
    covered = {place for span in split_sentences(text) for place in range(span.start, span.end)}
    left = "".join(character for place, character in enumerate(text) if place not in covered)
    assert set(left) <= set(SPACE) | set("-1.)")


@given(text=texts, data=st.data())
def test_verbatim_lines_are_never_cut(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    first = data.draw(st.integers(0, len(lines) - 1))
    last = data.draw(st.integers(first, len(lines) - 1))
    whole = "\n".join(lines[first : last + 1]).strip(SPACE)
    found = [
        text[span.start : span.end] for span in split_sentences(text, [(first, last, "code")]) if span.kind == "code"
    ]
    assert found == ([whole] if whole else [])


def test_what_ends_like_a_sentence() -> None:
    assert all(map(ends_like_a_sentence, ("Yes.", "“No!”", "(Why?)", "好。")))
    assert not any(map(ends_like_a_sentence, ("", "Definition: x", "As follows:", "”", "a, b")))


def test_length_in_code_units() -> None:
    assert [utf16_length(text) for text in ("", "aé中", "📉", "a𝐀b")] == [0, 3, 2, 4]
