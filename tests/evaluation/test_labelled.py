"""Labelled sets from folders: the layouts, and that a bad line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from openbook.errors import CorpusError
from openbook.evaluation.labelled import load_labelled

CORPUS = [
    {"_id": "d1", "title": "Gaps", "text": "Six rows."},
    {"_id": "d2", "text": "Eight\u2028rows."},
    {"_id": 3, "text": ""},
]
QUERIES = [{"_id": f"q{number}", "text": f"Question {number}?"} for number in range(6)]
QRELS = "query-id\tcorpus-id\tscore\nq0\td1\t2\nq0\td2\t0\nq2\td2\t1\nq3\t3\t1\n"


def write(folder: Path, qrels: dict[str, str] | None = None, **files: str) -> Path:
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(files.get(name, text), "utf-8")
    for name, text in (qrels or {"qrels.tsv": QRELS}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_flat_set_is_halved_by_position_and_questions_without_labels_have_no_answer(tmp_path: Path) -> None:
    found = load_labelled(write(tmp_path))
    assert [document.id for document in found.documents] == ["d1", "d2", "3"]
    assert (found.documents[0].embedded, found.documents[1].embedded) == ("Gaps\n\nSix rows.", "Eight\u2028rows.")
    assert found.split == "all"
    answerable = [one for one in found.questions if one.answerable]
    assert [(one.id, one.split, one.grades) for one in answerable] == [
        ("q0", "dev", {"d1": 2, "d2": 0}), ("q2", "test", {"d2": 1}), ("q3", "dev", {"3": 1}),
    ]  # fmt: skip
    assert [(one.id, one.kind, one.split) for one in found.questions if not one.answerable] == [
        ("q1", "unanswerable", "dev"), ("q4", "unanswerable", "test"), ("q5", "unanswerable", "dev"),
    ]  # fmt: skip


def test_of_beirs_folder_the_test_labels_are_measured_and_no_trained_question_is_called_unanswerable(
    tmp_path: Path,
) -> None:
    parts = {"qrels/train.tsv": "q1\td1\t1\n", "qrels/dev.tsv": "q4\td1\t1\n", "qrels/test.tsv": QRELS}
    folder = write(tmp_path, parts)
    found = load_labelled(folder)
    assert found.split == "test"
    assert [one.id for one in found.questions if one.answerable] == ["q0", "q2", "q3"]
    assert [one.id for one in found.questions if not one.answerable] == ["q5"]
    assert [one.id for one in load_labelled(folder, "dev").questions if one.answerable] == ["q4"]
    every = [one for one in load_labelled(folder, "all").questions if one.answerable]
    assert {(one.id, one.split) for one in every} >= {("q1", "dev"), ("q4", "dev"), ("q0", "test")}


def test_further_files_of_questions_are_unanswerable_by_the_kind_in_their_name(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "queries.offtopic.jsonl").write_text('{"_id": "x", "text": "Bread?"}\n', "utf-8")
    assert [one.id for one in load_labelled(tmp_path).questions if one.kind == "offtopic"] == ["x"]


def test_labels_of_what_is_not_there_are_counted_and_told(tmp_path: Path) -> None:
    write(tmp_path, {"qrels.tsv": "q0\td1\t1\nq0\td9\t1\nq9\td1\t1\nq8\td1\t1\nq1\td1\t0\n"})
    found = load_labelled(tmp_path)
    (answerable,) = (one for one in found.questions if one.answerable)
    # What nothing can find counts against recall all the same.
    assert answerable.grades == {"d1": 1, "d9": 1}
    told = [(one.kind, one.line, one.message.split(" ")[0]) for one in found.warnings]
    assert told == [("unknown-label-id", 3, "2"), ("unknown-label-id", 2, "1"), ("unjudged", None, "1"),
                    ("unjudged", None, "4")]  # fmt: skip


def test_without_a_heading_the_first_line_counts_and_a_grade_may_be_written_with_a_point(tmp_path: Path) -> None:
    write(tmp_path, {"qrels.tsv": "\nq0\td1\t1.0\nq2\td1\t2\n"})
    assert [one.id for one in load_labelled(tmp_path).questions if one.answerable] == ["q0", "q2"]
    write(tmp_path, {"qrels.tsv": "\nquery-id\tcorpus-id\tscore\nq0\td1\t1\n"})
    assert [one.id for one in load_labelled(tmp_path).questions if one.answerable] == ["q0"]


def test_questions_without_an_answer_are_of_the_half_that_is_measured(tmp_path: Path) -> None:
    write(tmp_path, {"qrels/test.tsv": QRELS})
    assert {one.split for one in load_labelled(tmp_path).questions if not one.answerable} == {"test"}


GOOD_LINE = '{"_id": "d1", "text": "a"}\n'
BAD = {
    "no JSON": ({"corpus": GOOD_LINE + "{_id: 2}\n"}, r"corpus\.jsonl:2: is not JSON"),
    "a list": ({"corpus": GOOD_LINE + "[1]\n"}, r"corpus\.jsonl:2: is not a JSON object"),
    "no id": ({"corpus": GOOD_LINE + '\n{"text": "a"}\n'}, r'corpus\.jsonl:3: has no "_id"'),
    "no text": ({"corpus": '{"_id": "d1"}\n'}, r'corpus\.jsonl:1: has no "text"'),
    "a title of numbers": ({"corpus": '{"_id": "d1", "title": 7, "text": ""}\n'}, r"corpus\.jsonl:1: .*title"),
    "an id twice": ({"corpus": GOOD_LINE + GOOD_LINE}, r"corpus\.jsonl:2: the id 'd1' is taken"),
    "no passage": ({"corpus": "\n"}, r"corpus\.jsonl: holds no passage"),
    "an empty question": ({"queries": '{"_id": "q0", "text": " "}\n'}, r"queries\.jsonl:1: the question 'q0' is empty"),
    "two columns": ({"qrels": "q0\td1\n"}, r"qrels\.tsv:1: has 2 columns"),
    "spaces": ({"qrels": "q0 d1 1\n"}, r"qrels\.tsv:1: has 1 columns"),
    "a grade in words": ({"qrels": "q0\td1\t1\nq1\td1\tyes\n"}, r"qrels\.tsv:2: the grade 'yes'"),
    "two grades": ({"qrels": "q0\td1\t1\nq0\td1\t2\n"}, r"qrels\.tsv:2: 'q0' and 'd1' were graded otherwise"),
    "nothing relevant": ({"qrels": "q0\td1\t0\n"}, r"no question has a relevant passage"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named(tmp_path: Path, case: str) -> None:
    files, message = BAD[case]
    qrels = {"qrels.tsv": files["qrels"]} if "qrels" in files else None
    write(tmp_path, qrels, **{name: text for name, text in files.items() if name != "qrels"})
    with pytest.raises(CorpusError, match=message):
        load_labelled(tmp_path)


def test_a_folder_without_the_files_says_which_there_must_be(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"corpus\.jsonl: cannot be read: .*qrels\.tsv or qrels/test\.tsv"):
        load_labelled(tmp_path)
