"""The gold set in a build: the gate is calibrated on what the page's gate will see, and each question is asked once."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest

from openbook import asking
from openbook.build import build_site
from openbook.config import load_config
from openbook.evaluation import course as course_gold
from openbook.evaluation.calibration import calibrate
from openbook.evaluation.course import GoldRun, gate_scores
from openbook.evaluation.gold import Question, load_gold
from openbook.index.read import Index, load_index
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.retrieval.trace import GateStage, Trace

COURSE = Path(__file__).parents[1] / "verify" / "course"
AS_OF = date(2026, 12, 1)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("gold") / "dist"
    build_site(load_config(COURSE), out=out, as_of=AS_OF)
    return load_index(out / "index")


@pytest.fixture(scope="module")
def asked(built: Index) -> list[tuple[Question, Trace]]:
    """The same questions, asked of the finished index."""
    questions = load_gold(COURSE / "gold" / "questions.toml")
    return list(GoldRun.of(questions, Encoder(built.model_files()), None).traces(built))


def test_the_thresholds_are_those_of_the_scores_that_the_gate_sees(
    built: Index, asked: list[tuple[Question, Trace]]
) -> None:
    gate = built.gate
    assert gate is not None
    assert (gate.source, gate.answerability_source) == ("calibrated", "calibrated")
    for place, threshold in enumerate((gate.cosine, gate.answerability)):
        by_kind: dict[bool, list[float]] = {True: [], False: []}
        for question, trace in asked:
            score = gate_scores(trace)[place]
            assert score is not None
            by_kind[question.answerable].append(score)
        found = calibrate(by_kind[True], by_kind[False])
        assert found is not None
        assert threshold == found.threshold


def test_the_finished_index_opens_the_gate_for_what_its_examples_ask(
    built: Index, asked: list[tuple[Question, Trace]]
) -> None:
    examples = built.manifest.examples
    assert examples
    opened = {
        question.text: next(stage for stage in trace.stages if isinstance(stage, GateStage)).open
        for question, trace in asked
    }
    assert all(opened[example.question] == (example.kind != "not-in-the-notes") for example in examples)
    assert not opened["How long must sourdough rise?"]


def test_each_question_is_asked_before_and_behind_the_gate_and_the_gold_file_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    ask, load = course_gold.ask, course_gold.load_gold
    for module in (course_gold, asking):
        monkeypatch.setattr(module, "ask", lambda *given, **named: calls.append(given[1]) or ask(*given, **named))
    monkeypatch.setattr(course_gold, "load_gold", lambda *given: calls.append("the file") or load(*given))
    cache = EmbeddingCache(tmp_path / "cache" / "embeddings")
    build_site(load_config(COURSE), out=tmp_path / "dist", as_of=AS_OF, cache=cache)
    questions = [question.text for question in load_gold(COURSE / "gold" / "questions.toml")]
    offered = [example.question for example in load_index(tmp_path / "dist" / "index").manifest.examples]
    # Once before there is a gate, once with it, and some of them of a single lecture.
    filtered = questions[::10]
    assert sorted(calls) == sorted([*questions, *questions, *filtered, *offered, "the file"])


def test_the_scores_that_are_drawn_are_those_that_the_gate_sees(
    built: Index, asked: list[tuple[Question, Trace]]
) -> None:
    drawn = json.loads((built.root / built.manifest.files["gold"].path).read_text("utf-8"))
    assert drawn["by"] == "answerability"
    assert drawn["scores"] == [round(gate_scores(trace)[1] or 0, 4) for _, trace in asked]
    assert drawn["answerable"] == [question.answerable for question, _ in asked]
    assert drawn["test"] == [question.split == "test" for question, _ in asked]


def test_a_threshold_among_many_scores_is_a_warning_that_can_be_silenced(tmp_path: Path) -> None:
    folder = tmp_path / "course"
    shutil.copytree(COURSE, folder)
    gold = folder / "gold" / "questions.toml"
    # The same question but for a mark, once as if the notes answered it and once as if they did not.
    gold.write_text(
        """
[[question]]
id = "leak"
text = "Why does a shuffled split leak?"
kind = "paraphrase"
relevant = ["l01-gaps/notes#why-a-shuffled-split-leaks"]

[[question]]
id = "leak-again"
text = "Why does a shuffled split leak"
kind = "near-miss"
""",
        encoding="utf-8",
    )
    report = build_site(load_config(folder), out=tmp_path / "dist", as_of=AS_OF)
    (thin,) = [warning for warning in report.warnings if warning.kind == "gate-thin"]
    assert "50% of the dev half's questions score within 0.01 of the gate's threshold" in thin.message
    settings = folder / "openbook.toml"
    settings.write_text(settings.read_text("utf-8") + '\n[warnings]\nignore = ["gate-thin"]\n', encoding="utf-8")
    silenced = build_site(load_config(folder), out=tmp_path / "dist", as_of=AS_OF)
    assert "gate-thin" not in [warning.kind for warning in silenced.warnings]
