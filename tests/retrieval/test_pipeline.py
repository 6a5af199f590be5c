"""The whole way of a question, on a course that can be read."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import msgspec
import numpy as np
import pytest

from openbook.errors import GateError, IndexFormatError
from openbook.retrieval.pipeline import GATE_CLOSED, GATE_SKIPPED, NO_ENCODER, NO_PASSAGES, ask
from openbook.retrieval.trace import (
    AnswerStage,
    DenseStage,
    EmbedStage,
    FuseStage,
    GateStage,
    GateThreshold,
    GenerateStage,
    KeywordStage,
    PromptStage,
    RerankStage,
    Trace,
    trace_from_json,
)
from openbook.settings import PromptSettings, RerankSettings, RetrievalSettings
from parity.mini_course import MiniCourse
from parity.vectors import count_tokens

ORDER = [KeywordStage, EmbedStage, DenseStage, FuseStage, RerankStage, GateStage, PromptStage, AnswerStage]
QUESTION = "How long must the gap be?"


def threshold(cosine: float) -> GateThreshold:
    return GateThreshold(cosine=cosine, source="configured", corpus="c", model="m", tokenizer="t")


def course(cosine: float | None = 0.0, **settings: object) -> MiniCourse:
    off = RetrievalSettings(rerank=RerankSettings(mode="off"), **settings)  # type: ignore[arg-type]
    return MiniCourse(off, None if cosine is None else threshold(cosine))


def clock() -> Callable[[], float]:
    ticks = count()
    return lambda: float(next(ticks))


def traced(index: MiniCourse, question: str = QUESTION) -> Trace:
    return ask(index, question, lambda text: index.question_vector(0), count_tokens, clock())


def test_eight_stages_in_order_each_with_its_time_and_counts() -> None:
    trace = traced(course())
    assert [type(stage) for stage in trace.stages] == ORDER
    starts = [stage.started_ms for stage in trace.stages]
    assert starts == sorted(starts)
    for stage in trace.stages:
        assert stage.state == ("off" if isinstance(stage, RerankStage) else "done")
        assert stage.ms > 0
        assert stage.reason == ""
    fused = next(stage for stage in trace.stages if isinstance(stage, FuseStage))
    assert fused.output == len(fused.hits) <= fused.input
    assert trace.passages[0].number == 1
    assert len(trace.passages) == 5


def test_a_trace_survives_its_export() -> None:
    trace = traced(course())
    exported = msgspec.json.encode(trace)
    assert trace_from_json(exported) == trace
    assert [stage["name"] for stage in msgspec.json.decode(exported)["stages"]] == [
        "keyword", "embed", "dense", "fuse", "rerank", "gate", "prompt", "answer",
    ]  # fmt: skip


def test_a_trace_with_a_models_answer_is_read_as_the_tab_writes_it() -> None:
    exported = msgspec.json.decode(msgspec.json.encode(traced(course())))
    wrote = {
        "name": "generate", "state": "done", "reason": "", "started_ms": 0, "ms": 812.5, "input": 140, "output": 9,
        "engine": "built-in", "model": "the browser's own", "prompt": "Question: …", "prompt_tokens": 140,
        "answer_tokens": None, "first_token_ms": 301.2, "prompt_rate": None, "answer_rate": None,
        "finish": "aborted", "text": "Two minutes [1]",
    }  # fmt: skip
    exported["stages"].append(wrote)
    stage = trace_from_json(msgspec.json.encode(exported)).stages[-1]
    assert isinstance(stage, GenerateStage)
    assert msgspec.to_builtins(stage) == wrote


def test_a_closed_gate_skips_prompt_and_answer_and_keeps_the_passages() -> None:
    trace = traced(course(cosine=1.0))
    *_, gate, prompt, answer = trace.stages
    assert isinstance(gate, GateStage)
    assert gate.open is False
    assert gate.margin is not None
    assert gate.margin < 0
    assert gate.output == 0
    assert (prompt.state, prompt.reason) == ("skipped", GATE_CLOSED)
    assert (answer.state, answer.reason) == ("skipped", GATE_CLOSED)
    assert isinstance(answer, AnswerStage)
    assert answer.sentences == ()
    assert len(trace.passages) == 5


def test_the_gate_opens_at_the_threshold_itself() -> None:
    first = traced(course())
    best = next(stage for stage in first.stages if isinstance(stage, DenseStage)).hits[0].score
    for cosine, opened in ((best, True), (float(np.nextafter(best, 2)), False)):
        gate = next(stage for stage in traced(course(cosine)).stages if isinstance(stage, GateStage))
        assert gate.open is opened


def test_without_an_encoder_there_are_passages_but_no_answer() -> None:
    trace = ask(course(), QUESTION, None, None, clock())
    by_type = {type(stage): stage for stage in trace.stages}
    assert by_type[EmbedStage].reason == by_type[DenseStage].reason == NO_ENCODER
    assert by_type[GateStage].reason == by_type[PromptStage].reason == by_type[AnswerStage].reason == GATE_SKIPPED
    assert msgspec.structs.asdict(by_type[GateStage])["open"] is None
    assert trace.passages
    assert trace.passages[0].lecture == "l08"


def test_without_a_threshold_nothing_is_decided() -> None:
    with pytest.raises(GateError, match="no threshold"):
        traced(course(cosine=None))


def test_a_vector_of_another_model_is_refused() -> None:
    with pytest.raises(IndexFormatError, match="components"):
        ask(course(), QUESTION, lambda text: np.zeros(3, np.float32), count_tokens, clock())


def test_a_question_without_words_is_answered_by_meaning_alone() -> None:
    trace = traced(course(), "???")
    keyword, _, dense, *_ = trace.stages
    assert isinstance(keyword, KeywordStage)
    assert isinstance(dense, DenseStage)
    assert keyword.hits == ()
    assert trace.passages[0].ordinal == dense.hits[0].ordinal
    answer = trace.stages[-1]
    assert isinstance(answer, AnswerStage)
    assert answer.text == ""


def test_as_many_passages_as_the_settings_say() -> None:
    trace = traced(course(prompt=PromptSettings(passages=2)))
    assert len(trace.passages) == 2
    prompt = next(stage for stage in trace.stages if isinstance(stage, PromptStage))
    assert [part.number for part in prompt.parts if part.kind == "passage"] == [1, 2]


def test_no_passage_no_prompt() -> None:
    index = course()
    index.refs, index.texts = index.refs[:0], index.texts[:0]
    trace = ask(index, "gap", None, None, clock())
    assert trace.passages == ()
    assert trace.stages[-1].reason in (NO_PASSAGES, GATE_SKIPPED)
