"""Floors: recorded, compared, and what they say when something was broken.

The stages are broken one at a time on the course that ships, with every fourth question of its gold set, so that the
tests are quick; `make test` compares the whole set with the floors in the repository.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from openbook.config import Config, load_config
from openbook.errors import FloorsError
from openbook.evaluation import conversation, downstream, ladder
from openbook.evaluation import evaluate as evaluating
from openbook.evaluation.evaluate import evaluate_course
from openbook.evaluation.exhaustive import search_all
from openbook.evaluation.floors import Verdict, check, load_floors, record
from openbook.evaluation.report import Evaluation, Outcome, StageFigure
from openbook.index import keyword as index_keyword
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import Prepared, prepare
from openbook.progress import Reporter
from openbook.retrieval import answer as answering
from openbook.retrieval import check as checking
from openbook.retrieval import gate as gating
from openbook.retrieval import keyword as searching
from openbook.retrieval import pipeline
from openbook.retrieval import prompt as prompting
from openbook.settings import FusionSettings, KeywordSettings

AS_OF = date(2026, 12, 1)

Measure = Callable[..., Evaluation]


@pytest.fixture(scope="module")
def course(root: Path) -> Config:
    return load_config(root)


@pytest.fixture(scope="module")
def prepared(course: Config) -> Prepared:
    """The course, read and embedded once."""
    return prepare(course, AS_OF, Reporter(), EmbeddingCache())


@pytest.fixture(scope="module")
def measure(course: Config, prepared: Prepared) -> Measure:
    """Measures the course anew, whatever a test has broken meanwhile."""
    fourth = {question.id for question in prepared.run.questions[::4]} | {first.id for first, _ in prepared.gold.turns}

    # No test breaks this rung, which takes longest, so it is searched once.
    everything = lru_cache(maxsize=None)(lambda: search_all(prepared.token_vectors, pieces, ladder.DEPTH))
    answerable = [question for question in prepared.run.only(fourth).questions if question.answerable]
    pieces = [prepared.run.pieces[prepared.run.questions.index(question)] for question in answerable]
    # The check sees nothing of the ranking, so only the test that breaks it asks it again.
    real_check = downstream.check_figures
    kept: list[StageFigure] = []

    def with_settings(config: Config, *_: Any) -> Prepared:
        return dataclasses.replace(prepared, retrieval=config.settings.retrieval)

    def once(index: Any, sentences: Any, encoder: Any) -> Any:
        if not kept:
            kept.extend(real_check(index, sentences, encoder))
        return kept

    def again(config: Config = course, *, check_too: bool = False) -> Evaluation:
        with pytest.MonkeyPatch.context() as patch:
            if not check_too:
                patch.setattr(downstream, "check_figures", once)
            patch.setattr(evaluating, "prepare", with_settings)
            patch.setattr(ladder, "search_all", lambda *_: everything())
            return evaluate_course(config, as_of=AS_OF, only=fourth, timed=False).evaluation

    return again


@pytest.fixture(scope="module")
def whole(measure: Measure) -> Evaluation:
    """With nothing broken."""
    return measure()


@pytest.fixture(scope="module")
def floors(whole: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("floors") / "floors.toml"
    record(whole, path)
    return path


def compare(evaluation: Evaluation, path: Path) -> Verdict:
    return check(evaluation, load_floors(path), path)


def test_the_same_course_reaches_its_floors_with_every_rank_as_it_was(measure: Measure, floors: Path) -> None:
    verdict = compare(measure(), floors)
    assert verdict.ok
    assert verdict.changed == 0
    assert verdict.ranks > 300
    assert verdict.worse == ()


def test_the_floors_of_the_repository_can_be_read(root: Path) -> None:
    floors = load_floors(root / "gold" / "floors.toml")
    assert floors.as_of == AS_OF
    assert set(floors.floors) >= {"bm25", "keyword", "dense", "hybrid", "late-interaction", "gate"}
    assert len(floors.ranks) > 250


def worst_first(hits: Any, *arguments: Any) -> Any:
    return [msgspec.structs.replace(hit, rank=rank) for rank, hit in enumerate(reversed(hits), 1)]


def with_keyword(course: Config, settings: KeywordSettings, fusion: FusionSettings | None = None) -> Config:
    retrieval = msgspec.structs.replace(course.settings.retrieval, keyword=settings)
    if fusion is not None:
        retrieval = msgspec.structs.replace(retrieval, fusion=fusion)
    return msgspec.structs.replace(course, settings=msgspec.structs.replace(course.settings, retrieval=retrieval))


def test_a_reranker_that_puts_the_worst_first_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline.rerank
    monkeypatch.setattr(pipeline, "rerank", lambda *arguments: worst_first(real(*arguments)))
    verdict = compare(measure(), floors)
    assert not verdict.ok
    fallen = {fall.rung for fall in verdict.falls}
    assert {"late-interaction", "prompt"} <= fallen
    assert fallen.isdisjoint({"keyword", "dense", "hybrid", "check"})
    first = verdict.worse[0]
    assert (first.rung, first.before) == ("late-interaction", 1)
    assert first.now is None or first.now > 10
    assert first.text in str(first)
    assert "1 → " in str(first)


def test_questions_that_are_split_otherwise_than_the_passages_are_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "tokenize", str.split)
    verdict = compare(measure(), floors)
    assert {"keyword", "hybrid"} <= {fall.rung for fall in verdict.falls}
    assert "dense" not in {fall.rung for fall in verdict.falls}


def test_a_tokenizer_that_forgets_identifiers_on_both_sides_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def letters(text: str) -> list[str]:
        return [token for token in searching_tokens(text) if token.isalpha()]

    searching_tokens = searching.tokenize
    monkeypatch.setattr(searching, "tokenize", letters)
    monkeypatch.setattr(index_keyword.serialise, "__defaults__", (index_keyword.FIELDS, letters))
    assert "keyword" in {fall.rung for fall in compare(measure(), floors).falls}


def test_fusion_that_counts_ranks_the_wrong_way_is_noticed(
    measure: Measure, floors: Path, course: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline.fuse
    monkeypatch.setattr(pipeline, "fuse", lambda *arguments: worst_first(real(*arguments)))
    assert {"hybrid", "late-interaction"} <= {fall.rung for fall in compare(measure(), floors).falls}


def test_a_gate_that_lets_everything_pass_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    covered = gating.Coverage(1.0, ())
    monkeypatch.setattr(pipeline, "gate", lambda *given: gating.gate(0.99, 0.99, covered, given[3]))
    verdict = compare(measure(), floors)
    assert {(fall.rung, fall.metric) for fall in verdict.falls} >= {("gate", "test_auroc")}
    assert {fall.rung for fall in verdict.falls} == {"gate"}


def test_a_prompt_without_its_first_passages_is_noticed_and_the_questions_are_named(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline.prompt

    def late(text: str, passages: Any, *more: Any, **named: Any) -> Any:
        return real(text, passages[3:], *more, **named)

    monkeypatch.setattr(pipeline, "prompt", late)
    verdict = compare(measure(), floors)
    assert {fall.rung for fall in verdict.falls} == {"prompt"}
    assert {lost.stage for lost in verdict.lost} == {"prompt"}
    lost = verdict.lost[0]
    assert str(lost) == f"{lost.id} by prompt (holds): right → wrong  {lost.text}"


BROKEN: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "passages without their text": lambda patch: patch.setattr(prompting, "shorten", lambda *_, **__: ""),
    "another instruction": lambda patch: patch.setattr(prompting, "instruction", lambda *_: "Write a poem."),
    "the question once": lambda patch: patch.setattr(prompting, "QUESTION", "{question:.0}"),
    "other numbers": lambda patch: patch.setattr(prompting, "PASSAGE", "[9{number}] {mark} {label}\n{text}"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_prompt_that_a_model_could_not_answer_from_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    BROKEN[case](monkeypatch)
    assert {fall.rung for fall in compare(measure(), floors).falls} == {"prompt"}


def test_a_pipeline_that_answers_in_spite_of_its_gate_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline._Asking.gate
    monkeypatch.setattr(pipeline._Asking, "gate", lambda *given: real(*given) and "")
    assert ("answer", "dev_quiet") in {(fall.rung, fall.metric) for fall in compare(measure(), floors).falls}


def test_sentences_that_are_cited_for_another_passage_are_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline.answer

    def beside(*given: Any) -> Any:
        found = real(*given)
        moved = (msgspec.structs.replace(one, number=one.number % 5 + 1) for one in found.sentences)
        return msgspec.structs.replace(found, sentences=tuple(moved))

    monkeypatch.setattr(pipeline, "answer", beside)
    assert {fall.rung for fall in compare(measure(), floors).falls} == {"answer"}


def test_a_filter_that_lets_everything_through_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "allowed_by", lambda *_: None)
    assert {fall.rung for fall in compare(measure(), floors).falls} == {"filter"}


def test_an_answer_that_quotes_whatever_stands_first_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "_choose", lambda candidates: candidates[:1])
    assert {fall.rung for fall in compare(measure(), floors).falls} == {"answer"}


def test_a_check_that_believes_everything_is_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_verdict", lambda *_: "supported")
    verdict = compare(measure(check_too=True), floors)
    assert {fall.metric for fall in verdict.falls} == {"dev_caught", "test_caught"}
    assert {lost.id[0] for lost in verdict.lost} == {"c"}


def test_follow_ups_that_are_taken_as_they_were_typed_and_too_many_of_them_are_noticed(
    measure: Measure, floors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "rewrite", lambda *_: ())
    assert "rewrite" in {fall.rung for fall in compare(measure(), floors).falls}
    monkeypatch.undo()
    monkeypatch.setattr(conversation, "leans", lambda *_: "pronoun")
    assert {fall.metric for fall in compare(measure(), floors).falls} == {"dev_left_alone", "test_left_alone"}


def test_a_label_that_is_gone_must_be_taken_out_of_the_floors_and_a_new_one_waits_for_them(
    whole: Evaluation, floors: Path
) -> None:
    def with_outcomes(change: Callable[[Any], Any]) -> Evaluation:
        figures = [msgspec.structs.replace(one, outcomes=change(one.outcomes)) for one in whole.downstream]
        return msgspec.structs.replace(whole, downstream=tuple(figures))

    wrong = [Outcome(id=f"new-{number}", text="?", split="dev", right=False) for number in range(50)]
    assert compare(with_outcomes(lambda outcomes: (*outcomes, *wrong)), floors).ok
    for fewer in (with_outcomes(lambda outcomes: outcomes[1:]), msgspec.structs.replace(whole, downstream=())):
        with pytest.raises(FloorsError, match="labels of the stage 'rewrite' that are gone"):
            compare(fewer, floors)


def test_a_setting_that_costs_something_is_noticed(measure: Measure, floors: Path, course: Config) -> None:
    worse = with_keyword(course, KeywordSettings(b=0.0, k1=0.0))
    assert "keyword" in {fall.rung for fall in compare(measure(worse), floors).falls}


def test_tolerances_survive_a_new_record(whole: Evaluation, floors: Path, tmp_path: Path) -> None:
    path = tmp_path / "floors.toml"
    path.write_text(floors.read_text("utf-8").replace("tolerance = 0.005", "tolerance = 0.2", 1), "utf-8")
    record(whole, path)
    assert load_floors(path).tolerance == 0.2


def test_a_question_that_is_gone_must_be_taken_out_of_the_floors_too(whole: Evaluation, floors: Path) -> None:
    fewer = msgspec.structs.replace(whole, questions=whole.questions[1:], gate=None)
    with pytest.raises(FloorsError, match="are gone or cannot be asked on 2026-12-01"):
        compare(fewer, floors)


def test_a_rung_that_was_not_measured_is_said_not_hidden(whole: Evaluation, floors: Path) -> None:
    ladder = tuple(
        msgspec.structs.replace(rung, missing="its weights are not here") if rung.name == "dense" else rung
        for rung in whole.ladder
    )
    verdict = compare(msgspec.structs.replace(whole, ladder=ladder), floors)
    assert (verdict.unmeasured, verdict.ok) == (("dense",), False)


def test_a_setting_that_makes_the_tab_rank_worse_is_noticed_though_every_rung_is_as_it_was(
    whole: Evaluation, floors: Path
) -> None:
    ladder = tuple(msgspec.structs.replace(rung, ships=rung.name == "hybrid") for rung in whole.ladder)
    verdict = compare(msgspec.structs.replace(whole, ladder=ladder), floors)
    assert {(fall.rung, fall.metric) for fall in verdict.falls} >= {("hybrid", "mrr_10"), ("hybrid", "hit_1")}


def test_half_a_gold_set_has_no_floors(whole: Evaluation, tmp_path: Path) -> None:
    half = msgspec.structs.replace(whole, split="test")
    with pytest.raises(FloorsError, match="both halves"):
        record(half, tmp_path / "floors.toml")


BAD = {
    "none": (None, "there are no floors.*--record"),
    "no TOML": ("as_of = 2026-12-01\nfloors = [\n=", r"floors\.toml:3: is not valid TOML"),
    "an unknown key": ('as_of = 2026-12-01\nflores = 1\n[floors]\n[ranks]\n', "unknown field `flores`"),
    "words for ranks": ('as_of = 2026-12-01\n[floors]\n[ranks]\nq = { dense = "first" }\n', "Expected `int`"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_says_what_to_do(tmp_path: Path, case: str) -> None:
    text, message = BAD[case]
    path = tmp_path / "floors.toml"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(FloorsError, match=message):
        load_floors(path)
