"""The gold set's file: what it may say, and that a mistake is found with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from openbook.errors import GoldError
from openbook.evaluation.gold import load_gold, section_of, sections_of

GOOD = """\
[[question]]
id = "gap"
text = "How long is the gap?"
kind = "paraphrase"
relevant = ["l08/notes#gap", "l08/slides#gap"]

# a comment, and a key in it: kind = "nonsense"
[[question]]
id = "gap-again"
text = "And for a week?"
kind = "paraphrase"
relevant = ["l08/notes#gap"]
split = "test"
follows = "gap"
note = "h - 1"

[[question]]
id = "bread"
text = "How do I bake bread?"
kind = "off-topic"
"""
SECTIONS = {"l08/notes#gap", "l08/slides#gap", "l08/notes#leakage"}


def load(tmp_path: Path, text: str, sections: set[str] | None = None):
    file = tmp_path / "questions.toml"
    file.write_text(text, encoding="utf-8")
    return load_gold(file, sections)


def test_a_good_file_is_read_in_order(tmp_path: Path) -> None:
    first, second, third = load(tmp_path, GOOD, SECTIONS)
    assert (first.id, first.split, first.answerable, first.follows) == ("gap", "dev", True, None)
    assert first.relevant == ("l08/notes#gap", "l08/slides#gap")
    assert (second.split, second.follows, second.note) == ("test", "gap", "h - 1")
    assert not third.answerable
    assert third.relevant == ()


def test_an_empty_file_is_an_empty_set(tmp_path: Path) -> None:
    assert load(tmp_path, "") == ()


MISTAKES = {
    "an unknown key": ('note = "h - 1"', 'nota = "h - 1"', r":15: .*nota"),
    "an unknown kind": ('kind = "off-topic"', 'kind = "offtopic"', r":20: .*kind"),
    "a bad id": ('id = "bread"', 'id = "Bread!"', r":18: .*id"),
    "no text": ('text = "How do I bake bread?"', 'text = ""', r":19: .*text"),
    "a missing key": ('text = "How do I bake bread?"\n', "", r":17: .*`text`"),
    "a taken id": ('id = "bread"', 'id = "gap"', r":18: the id 'gap' is taken"),
    "an answer that is nowhere": ('relevant = ["l08/notes#gap", "l08/slides#gap"]', "", r":1: 'gap' is of kind"),
    "an answer to an off-topic question": (
        'kind = "off-topic"',
        'kind = "off-topic"\nrelevant = ["l08/notes#gap"]',
        r":21: 'bread' is of kind 'off-topic'",
    ),
    "a turn that follows nothing": ('follows = "gap"', 'follows = "bread"', r":14: .*not the id of an earlier"),
    "the same question twice": (
        'text = "How do I bake bread?"', 'text = "how long  is the gap?"', r":19: 'bread' asks the same as 'gap'",
    ),
    "broken TOML": ('id = "bread"', 'id = "bread', r":18: is not valid TOML"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_found_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(GoldError, match=rf"questions\.toml{message}"):
        load(tmp_path, GOOD.replace(old, new), SECTIONS)


def test_every_section_that_does_not_exist_is_named_with_a_suggestion(tmp_path: Path) -> None:
    text = GOOD.replace("l08/slides#gap", "l08/slides#gaps").replace('["l08/notes#gap"]', '["l09/notes#other"]')
    with pytest.raises(GoldError) as caught:
        load(tmp_path, text, SECTIONS)
    message = str(caught.value)
    assert "questions.toml:5: " in message
    assert "line 5: 'gap' names 'l08/slides#gaps' (is it 'l08/slides#gap'?)" in message
    assert "line 12: 'gap-again' names 'l09/notes#other'" in message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="cannot be read"):
        load_gold(tmp_path / "none.toml")


def test_a_section_is_a_chunk_without_the_number_of_its_part() -> None:
    assert section_of("l08/notes#gap~12") == "l08/notes#gap"
    assert section_of("l08/notes#a~b") == "l08/notes#a~b"
    assert sections_of(["a/notes#x", "a/notes#x~2", "a/notes#y"]) == {"a/notes#x", "a/notes#y"}


def test_the_gold_set_that_ships_is_valid(root: Path) -> None:
    questions = load_gold(root / "gold" / "questions.toml")
    assert len(questions) >= 12
    assert {question.kind for question in questions} >= {"identifier", "paraphrase", "off-topic", "near-miss"}
