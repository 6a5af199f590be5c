"""Comparing two traces: what is a difference, what is a tie, and what follows from one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from openbook.evaluation.agreement import compare_traces
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import GateThreshold, Trace
from parity.mini_course import MiniCourse
from parity.vectors import count_tokens

INDEX = MiniCourse(gate=GateThreshold(cosine=0.0, source="default", corpus="", model="", tokenizer=""))
REFERENCE = ask(INDEX, "How long is the gap?", lambda text: INDEX.question_vector(0), count_tokens, lambda: 0.0)
NAMES = ["keyword", "embed", "dense", "fuse", "rerank", "gate", "prompt", "answer"]


def changed(stage: str, change: Callable[[dict[str, Any]], None]) -> Trace:
    """The reference as JSON, with one stage changed."""
    data = msgspec.json.decode(msgspec.json.encode(REFERENCE))
    change(data["stages"][NAMES.index(stage)])
    return msgspec.convert(data, Trace, strict=False)


def swap(first: int) -> Callable[[dict[str, Any]], None]:
    def change(stage: dict[str, Any]) -> None:
        hits = stage["hits"]
        hits[first], hits[first + 1] = hits[first + 1], hits[first]

    return change


def test_a_trace_agrees_with_itself_whatever_the_time() -> None:
    found = compare_traces(changed("dense", lambda stage: stage.update(ms=99.0, started_ms=5.0)), REFERENCE)
    assert found.differences == ()
    assert found.ties == ()
    assert set(found.largest.values()) == {0.0}


def test_a_score_may_differ_by_a_hundred_thousandth_and_no_more() -> None:
    def raise_by(amount: float) -> Trace:
        return changed("dense", lambda stage: stage["hits"][2].update(score=stage["hits"][2]["score"] + amount))

    near = compare_traces(raise_by(9e-6), REFERENCE)
    assert near.differences == ()
    assert near.largest["dense"] == pytest.approx(9e-6)
    (difference,) = compare_traces(raise_by(2e-5), REFERENCE).differences
    assert (difference.stage, difference.what) == ("dense", "score at rank 3")


@pytest.mark.parametrize("stage", ["keyword", "dense", "fuse", "rerank"])
def test_two_hits_the_other_way_round_are_a_difference(stage: str) -> None:
    found = compare_traces(changed(stage, swap(0)), REFERENCE)
    assert [(one.stage, one.what) for one in found.differences] == [(stage, "rank 1"), (stage, "rank 2")]
    assert found.ties == ()


def test_a_near_tie_is_told_apart_and_what_follows_from_it_too() -> None:
    def change(stage: dict[str, Any]) -> None:
        hits = stage["hits"]
        ids = hits[0]["id"], hits[1]["id"]
        hits[0]["id"], hits[1]["id"] = ids[1], ids[0]
        hits[1]["score"] = hits[0]["score"] - 1e-7

    data = msgspec.json.decode(msgspec.json.encode(REFERENCE))
    reference = msgspec.json.decode(msgspec.json.encode(REFERENCE))
    for one in (data, reference):
        hits = one["stages"][2]["hits"]
        hits[1]["score"] = hits[0]["score"] - 1e-7
    change(data["stages"][2])
    data["stages"][6]["text"] += "!"
    found = compare_traces(msgspec.convert(data, Trace, strict=False), msgspec.convert(reference, Trace, strict=False))
    assert found.differences == ()
    assert [(one.stage, one.what) for one in found.ties] == [
        ("dense", "rank 1"),
        ("dense", "rank 2"),
        ("prompt", "text"),
    ]


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], None], str]] = {
    "a term": ("keyword", lambda stage: stage["terms"][0].update(term="gaps"), "term 1, term"),
    "a weight": ("keyword", lambda stage: stage["terms"][0].update(text_idf=9.0), "term 1, text_idf"),
    "the gate": ("gate", lambda stage: stage.update(open=False), "open"),
    "the threshold": ("gate", lambda stage: stage["parameters"].update(threshold=0.5), "threshold"),
    "the cosine": ("gate", lambda stage: stage.update(cosine=stage["cosine"] + 1e-4), "cosine"),
    "the prompt": ("prompt", lambda stage: stage.update(text=stage["text"] + " "), "text"),
    "its tokens": ("prompt", lambda stage: stage.update(tokens=1), "word pieces"),
    "the answer": ("answer", lambda stage: stage.update(text="42 [1]"), "text"),
    "an offset": ("answer", lambda stage: stage["sentences"][0].update(start=0, end=1), "sentence 1, end"),
    "a count": ("fuse", lambda stage: stage.update(output=1), "counts"),
    "a state": ("prompt", lambda stage: stage.update(state="skipped", reason="why"), "state"),
    "word pieces": ("embed", lambda stage: stage.update(tokens=77), "word pieces"),
}


@pytest.mark.parametrize(("stage", "change", "what"), CHANGES.values(), ids=CHANGES)
def test_anything_else_that_is_not_the_same_is_a_difference(
    stage: str, change: Callable[[dict[str, Any]], None], what: str
) -> None:
    found = compare_traces(changed(stage, change), REFERENCE)
    assert what in [one.what for one in found.differences if one.stage == stage]
    assert {one.stage for one in found.differences} == {stage}


def test_a_hit_that_is_missing_is_a_difference() -> None:
    found = compare_traces(changed("dense", lambda stage: stage["hits"].pop()), REFERENCE)
    assert [one.what for one in found.differences] == ["number of hits"]


def test_another_passage_is_a_difference() -> None:
    data = msgspec.json.decode(msgspec.json.encode(REFERENCE))
    data["passages"][0]["text"] += "!"
    found = compare_traces(msgspec.convert(data, Trace, strict=False), REFERENCE)
    assert [(one.stage, one.what) for one in found.differences] == [("passages", "texts")]
