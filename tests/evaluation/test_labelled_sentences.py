"""The labelled sentences beside the gold set: their schema, their errors, and how a verdict is judged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from openbook.errors import GoldError
from openbook.evaluation.answers import load_answers
from openbook.evaluation.citations import load_citations, right
from openbook.evaluation.gold import load_gold

CITED = '[[sentence]]\nid = "{id}"\ntext = "{text}"\nkind = "{kind}"\ngiven = ["a/notes#b"]\nsplit = "dev"\n'


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str) -> Path:
        (tmp_path / "labels.toml").write_text(text)
        return tmp_path / "labels.toml"

    return write


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("paraphrase", "It is so.", "cites nothing"),
        ("uncited", "It is so [1].", r"cites \[1\]"),
        ("paraphrase", "It is so [2].", "of 1 passages"),
        ("unknown-citation", "It is so [1].", "of 1 passages"),
        ("other", "It is so [1].", "not valid"),
        ("paraphrase", "It is so [1].", "does not have: a/notes#b"),
    ],
)
def test_a_label_that_cannot_be_right_is_refused(written, kind: str, text: str, message: str) -> None:
    file = written(CITED.format(id="c1", text=text, kind=kind))
    with pytest.raises(GoldError, match=message):
        load_citations(file, sections={"a/notes#c"})


def test_the_same_id_twice_is_refused_with_its_line(written) -> None:
    one = CITED.format(id="c1", text="It is so [1].", kind="paraphrase")
    with pytest.raises(GoldError, match="earlier") as caught:
        load_citations(written(one + one))
    assert caught.value.line == 8


def test_the_shipped_sentences_are_enough_and_evenly_split(root: Path) -> None:
    found = load_citations(root / "gold" / "citations.toml")
    assert len(found) > 100
    counts = Counter((one.kind, one.split) for one in found)
    for kind in {one.kind for one in found}:
        assert abs(counts[kind, "dev"] - counts[kind, "test"]) <= 1


def test_a_verdict_is_right_when_it_is_what_the_kind_asks_for(root: Path) -> None:
    by_kind = {one.kind: one for one in load_citations(root / "gold" / "citations.toml")}
    assert right(by_kind["paraphrase"], "supported")
    assert not right(by_kind["paraphrase"], "weak")
    assert right(by_kind["negated"], "weak")
    assert not right(by_kind["negated"], "supported")
    assert right(by_kind["uncited"], "uncited")
    assert not right(by_kind["unknown-citation"], "unsupported")


def test_answers_name_questions_and_stand_in_the_course(written, root: Path) -> None:
    file = written('[[answer]]\nquestion = "q1"\nsentences = ["It is  so."]\n')
    assert load_answers(file, {"q1"}, ["Yes.\nIt is\nso. No."])[0].sentences == ("It is  so.",)
    with pytest.raises(GoldError, match="no question"):
        load_answers(file, {"q2"})
    with pytest.raises(GoldError, match="stands nowhere"):
        load_answers(file, {"q1"}, ["It was so."])
    questions = {one.id: one for one in load_gold(root / "gold" / "questions.toml")}
    found = load_answers(root / "gold" / "answers.toml", questions)
    halves = Counter(questions[one.question].split for one in found)
    assert halves == {"dev": 60, "test": 60}
