"""A filter decides what is searched, before anything is ranked; it changes no score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.retrieval.dense import cosines, dense
from openbook.retrieval.filter import Filter, allowed_by
from openbook.retrieval.keyword import keyword
from openbook.retrieval.pipeline import NOTHING_ALLOWED, ask
from openbook.retrieval.trace import GateThreshold, Trace
from openbook.settings import DenseSettings, KeywordSettings
from parity.mini_course import MiniCourse
from parity.vectors import count_tokens

GATE = GateThreshold(cosine=0.0, source="configured", corpus="", model="", tokenizer="")
MINI = MiniCourse(gate=GATE)
QUESTION = "How long is the gap?"

FILTERS = st.builds(
    Filter,
    lecture=st.sampled_from([None, "l08", "l11", "l17", "l99"]),
    week=st.sampled_from([None, 4, 6, 9]),
    kind=st.sampled_from([None, "notes", "slides"]),
    tags=st.lists(st.sampled_from(["data", "evaluation", "training"]), unique=True).map(tuple),
)


def asked(wanted: Filter | None) -> Trace:
    vector = MINI.question_vector(5)
    return ask(MINI, QUESTION, lambda _: vector, count_tokens, lambda: 0.0, filter=wanted)


def test_each_part_of_a_filter_narrows_what_is_searched() -> None:
    def ids(wanted: Filter) -> set[str]:
        return {MINI.chunk(one).id.split("#")[0] for one in allowed_by(MINI, wanted) or ()}

    assert ids(Filter(lecture="l08")) == {"l08/notes", "l08/slides"}
    assert ids(Filter(kind="slides")) == {"l08/slides"}
    assert ids(Filter(week=6)) == {"l11/notes"}
    assert ids(Filter(tags=("evaluation",))) == {"l08/notes", "l08/slides", "l11/notes"}
    assert ids(Filter(tags=("evaluation", "data"), kind="notes")) == {"l08/notes"}
    assert ids(Filter(lecture="l17", week=4)) == set()
    assert allowed_by(MINI, None) is None


@given(FILTERS)
def test_every_stage_sees_only_what_the_filter_lets_through(wanted: Filter) -> None:
    allowed = allowed_by(MINI, wanted)
    assert allowed is not None
    trace = asked(wanted)
    for stage in trace.stages:
        for hit in getattr(stage, "hits", ()):
            assert hit.ordinal in allowed
    assert all(set(passage.ordinals) <= allowed for passage in trace.passages)
    assert trace.filter == (None if wanted == Filter() else wanted)


@given(FILTERS, st.integers(1, 4))
def test_the_best_of_a_part_are_found_however_far_down_they_stand_in_the_whole(wanted: Filter, depth: int) -> None:
    allowed = allowed_by(MINI, wanted)
    assert allowed is not None
    vector = MINI.question_vector(5)
    scores = cosines(MINI.vectors, vector)
    expected = sorted(allowed, key=lambda one: (-scores[one], one))[:depth]
    hits = dense(MINI.vectors, vector, DenseSettings(depth=depth), lambda one: MINI.chunk(one).id, allowed)
    assert [(hit.ordinal, hit.score) for hit in hits] == [(one, float(scores[one])) for one in expected]

    everything = keyword(MINI.keyword, QUESTION, KeywordSettings(depth=500), MINI.chunk)[1]
    whole = [(hit.ordinal, hit.score) for hit in everything if hit.ordinal in allowed][:depth]
    part = keyword(MINI.keyword, QUESTION, KeywordSettings(depth=depth), MINI.chunk, allowed)[1]
    assert [(hit.ordinal, hit.score) for hit in part] == whole


def test_the_gate_decides_by_the_best_of_the_part() -> None:
    vector = MINI.question_vector(5)
    scores = cosines(MINI.vectors, vector)
    slides = allowed_by(MINI, Filter(kind="slides"))
    assert slides is not None
    best = max(float(scores[one]) for one in slides)
    assert best < float(np.max(scores))
    gate = next(stage for stage in asked(Filter(kind="slides")).stages if type(stage).__name__ == "GateStage")
    assert gate.cosine == best  # type: ignore[union-attr]


def test_a_filter_that_leaves_nothing_says_so() -> None:
    trace = asked(Filter(lecture="l17", week=4))
    assert trace.passages == ()
    assert {stage.reason for stage in trace.stages} >= {NOTHING_ALLOWED}


@pytest.mark.parametrize("nothing", [None, Filter()])
def test_a_filter_that_asks_for_nothing_changes_nothing(nothing: Filter | None) -> None:
    assert asked(nothing) == asked(None)
