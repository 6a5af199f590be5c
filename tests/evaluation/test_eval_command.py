"""`openbook eval` as it is used: on a course, against floors, and on a labelled set."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from openbook.cli import main
from tiny_cross_encoder import write_tiny_cross_encoder

COURSE = Path(__file__).parents[1] / "verify" / "course"
DAY = ("--as-of", "2026-12-01")


def evaluate(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["eval", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return Path(shutil.copytree(COURSE, tmp_path / "course"))


def test_the_ladder_names_every_rung_with_what_it_costs_and_none_is_left_out() -> None:
    shown = evaluate(COURSE, *DAY).stdout
    for title in ("textbook BM25", "SQLite FTS5", "MiniSearch", "dense", "hybrid", "hybrid + late interaction *",
                  "late interaction over everything"):  # fmt: skip
        assert re.search(rf"^{re.escape(title)}.* MB$", shown, re.MULTILINE), title
    assert "hybrid + cross-encoder" in shown
    assert "ColBERT (PyLate): not measured" in shown
    assert "p, Holm" in shown
    assert "Gate: answerability of at least" in shown
    assert "questions have nothing relevant among the first ten" in shown


def test_questions_prints_the_rank_of_each_by_each_ranking() -> None:
    shown = evaluate(COURSE, *DAY, "--questions").stdout
    assert re.search(r"^question +kind +split +bm25 +fts5 +keyword +dense", shown, re.MULTILINE)


def test_as_json_it_is_the_whole_document() -> None:
    found = json.loads(evaluate(COURSE, *DAY, "--json", "--split", "dev").stdout)
    assert found["split"] == "dev"
    assert found["date"] == found["subject"]["as_of"] == "2026-12-01"
    assert all(question["split"] == "dev" for question in found["questions"])
    rung = next(rung for rung in found["ladder"] if rung["name"] == "hybrid")
    assert rung["intervals"]["mrr_10"]["low"] <= rung["metrics"]["mrr_10"] <= rung["intervals"]["mrr_10"]["high"]
    assert rung["ms"] > 0


def test_recorded_floors_hold_until_a_setting_makes_retrieval_worse(course: Path) -> None:
    assert evaluate(course, "--check").exit_code == 2
    assert evaluate(course, *DAY, "--record").exit_code == 0
    # Without --as-of it is the day of the floors that is measured, not today.
    held = evaluate(course, "--check")
    assert (held.exit_code, "no figure is below its floor" in held.stdout) == (0, True)

    settings = course / "openbook.toml"
    settings.write_text(
        settings.read_text("utf-8") + "\n[retrieval.keyword]\nboost_title = 0\nk1 = 0\nb = 0\n", "utf-8"
    )
    fallen = evaluate(course, "--check")
    assert fallen.exit_code == 1
    assert re.search(r"^  keyword mrr_10: 1\.000 → 0\.\d{3}$", fallen.stdout, re.MULTILINE)
    assert re.search(r"^  \S+ by keyword: 1 → (\d+|not found)  \w", fallen.stdout, re.MULTILINE)
    verdict = json.loads(evaluate(course, "--check", "--json").stdout)["verdict"]
    assert verdict["falls"]
    assert verdict["worse"][0]["before"] == 1


def test_a_new_question_is_left_out_until_it_is_recorded(course: Path) -> None:
    assert evaluate(course, *DAY, "--record").exit_code == 0
    gold = course / "gold" / "questions.toml"
    gold.write_text(
        gold.read_text("utf-8") + '\n[[question]]\nid = "new"\ntext = "zebra?"\nkind = "off-topic"\n', "utf-8"
    )
    result = evaluate(course, "--check")
    assert result.exit_code == 0
    assert "1 questions are new since the floors were recorded" in result.stderr


@pytest.mark.parametrize("mode", ["off", "late-interaction"])
def test_the_ladder_marks_what_the_settings_make_the_tab_do(course: Path, mode: str) -> None:
    settings = course / "openbook.toml"
    settings.write_text(settings.read_text("utf-8") + f'\n[retrieval.rerank]\nmode = "{mode}"\n', "utf-8")
    found = json.loads(evaluate(course, *DAY, "--json").stdout)
    ships = [rung["name"] for rung in found["ladder"] if rung["ships"]]
    assert ships == [{"off": "hybrid"}.get(mode, mode)]
    assert found["gate"]["decided_by"] == {"off": "cosine"}.get(mode, "answerability")


@pytest.mark.parametrize("options", [("--check", "--split", "dev"), ("--corpus", ".", "--record")])
def test_options_that_contradict_one_another_are_refused(options: tuple[str, ...]) -> None:
    assert evaluate(COURSE, *options).exit_code == 2


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    texts = {
        "gap": ("The gap", "Between the training rows and the test rows lies a gap of six rows."),
        "group": ("Groups", "All rows of one pump stay on one side of the split."),
        "loss": (
            "",
            "The loss is the mean of the squared errors. " + "It is averaged over every row of the batch. " * 60,
        ),
    }
    rows = [json.dumps({"_id": name, "title": title, "text": text}) for name, (title, text) in texts.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    questions = {"q1": "how many rows lie between train and test", "q2": "may a pump be in both parts",
                 "q3": "what is averaged", "q4": "how do I bake bread", "q5": "who won the match"}  # fmt: skip
    lines = [json.dumps({"_id": name, "text": text}) for name, text in questions.items()]
    (tmp_path / "queries.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\tgap\t2\nq1\tgroup\t1\nq2\tgroup\t1\nq3\tloss\t1\n", "utf-8"
    )
    return tmp_path


def test_a_labelled_set_gets_the_same_ladder_and_its_unanswered_questions_try_the_gate(labelled: Path) -> None:
    result = evaluate("--corpus", labelled, "--json")
    found = json.loads(result.stdout)
    assert (found["answerable"], found["subject"]["passages"], found["subject"]["truncated"]) == (3, 3, 1)
    ladder = {rung["name"]: rung for rung in found["ladder"]}
    assert ladder["late-interaction"]["metrics"]["mrr_10"] == 1
    assert ladder["bm25"]["metrics"]["ndcg_10"] > 0.9
    assert found["gate"]["test"]["unanswerable"] + found["gate"]["dev"]["unanswerable"] == 2
    assert "1 of 3 passages are longer than the 256 word pieces" in result.stderr


def test_a_bad_line_of_a_labelled_set_ends_with_its_place(labelled: Path) -> None:
    (labelled / "qrels" / "test.tsv").write_text("q1\tgap\t1\nq1\tgap\tyes\n", "utf-8")
    result = evaluate("--corpus", labelled)
    assert result.exit_code == 1
    assert "CorpusError" in result.stderr
    assert "test.tsv:2" in result.stderr


def test_a_cross_encoder_that_is_here_is_a_rung_with_its_weights_counted(course: Path, tmp_path: Path) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "tiny")
    before = {rung["name"]: rung for rung in json.loads(evaluate(course, *DAY, "--json").stdout)["ladder"]}
    assert before["cross-encoder"]["missing"] == "its weights are not here, see [models.cross_encoder]"
    settings = course / "openbook.toml"
    settings.write_text(settings.read_text("utf-8") + f'\n[models.cross_encoder]\npath = "{folder}"\n', "utf-8")
    ladder = {rung["name"]: rung for rung in json.loads(evaluate(course, *DAY, "--json").stdout)["ladder"]}
    rung = ladder["cross-encoder"]
    assert rung["missing"] == ""
    assert rung["model_bytes"] > ladder["hybrid"]["model_bytes"]
    assert rung["metrics"]["recall_50"] == ladder["hybrid"]["metrics"]["recall_50"]
    # Its weights are drawn at random, so it ranks worse than what it was given.
    assert rung["metrics"]["mrr_10"] < ladder["hybrid"]["metrics"]["mrr_10"]
