"""Second turns are asked after the question that they follow, once as typed and once written out."""

from __future__ import annotations

from openbook.evaluation.conversation import FollowUp, Found, before_of, summarise
from openbook.evaluation.gold import Question
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import GateThreshold
from parity.mini_course import MiniCourse


def turn(literal: int | None, rewritten: int | None, queries: tuple[str, ...], kind: str = "paraphrase") -> FollowUp:
    question = Question(id="q", text="why?", kind=kind, relevant=("a/notes#b",) if kind == "paraphrase" else ())  # type: ignore[arg-type]
    found = [Found(rank=rank, recall=float(bool(rank and rank <= 5)), open=True) for rank in (literal, rewritten)]
    return FollowUp(question=question, queries=queries, literal=found[0], rewritten=found[1])


def test_the_means_are_over_what_has_an_answer() -> None:
    turns = [turn(None, 1, ("x",)), turn(4, 4, ()), turn(11, 2, ("y",)), turn(None, None, (), "off-topic")]
    found = summarise(turns)
    assert (found.turns, found.known) == (3, 2)
    assert found.mrr == (0.25 / 3, 1.75 / 3)
    assert found.recall == (1 / 3, 1.0)


def test_a_follow_up_leans_on_the_cited_section_and_on_nothing_after_a_refusal() -> None:
    for cosine, heading in ((0.0, True), (2.0, False)):
        gate = GateThreshold(cosine=cosine, source="configured", corpus="", model="", tokenizer="")
        mini = MiniCourse(gate=gate)
        vector = mini.question_vector(5)
        trace = ask(mini, "Why does a shuffled split leak?", lambda _, v=vector: v, len, lambda: 0.0)
        before = before_of(trace)
        assert before.question == "Why does a shuffled split leak?"
        assert (before.heading in {passage.path[-1] for passage in trace.passages}) == heading
        assert (before.heading == "") != heading
