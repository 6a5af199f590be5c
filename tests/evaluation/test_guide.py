"""Which questions a first visit is offered: only those whose traces show what their stage is for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from openbook.evaluation.gold import Question, QuestionKind
from openbook.evaluation.guide import conversation, guide
from openbook.index.manifest import Example
from openbook.retrieval.trace import (
    AnswerSentence,
    AnswerStage,
    DenseHit,
    DenseStage,
    FieldLengths,
    FusedHit,
    FuseStage,
    GateStage,
    GateThreshold,
    KeywordHit,
    KeywordStage,
    Passage,
    RerankHit,
    RerankStage,
    Trace,
)
from openbook.settings import DenseSettings, FusionSettings, KeywordSettings, RerankSettings, RetrievalSettings

RIGHT, WRONG = "l01/notes#right", "l01/notes#wrong"
RUN = {"state": "done", "reason": "", "started_ms": 0.0, "ms": 0.0, "input": 1, "output": 1}


def question(kind: QuestionKind, text: str) -> Question:
    answerable = kind not in {"near-miss", "off-topic"}
    return Question(id=kind, text=text, kind=kind, relevant=(RIGHT,) if answerable else ())


def trace(
    *,
    keyword: Sequence[str] = (),
    dense: Sequence[str] = (),
    fused: Sequence[str] = (),
    final: Sequence[str] = (),
    is_open: bool = True,
    score: float = 0.5,
) -> Trace:
    """What each list held, best first; the first passage is quoted when the gate is open."""

    def hit(place: int, name: str) -> dict[str, object]:
        return {"ordinal": place, "id": name, "rank": place + 1, "score": 1.0}

    def hits(names: Sequence[str]) -> list[dict[str, object]]:
        return [hit(place, name) for place, name in enumerate(names)]

    passages = tuple(
        Passage(
            number=place + 1, ordinal=place, ordinals=(place,), id=name, label="", lecture="l01", kind="notes",
            path=(), url="", text="text",
        )
        for place, name in enumerate(final)
    )  # fmt: skip
    quoted = AnswerSentence(number=1, ordinal=0, kind="sentence", start=0, end=4, text="text", score=1.0, terms=())
    stages = (
        KeywordStage(
            **RUN, parameters=KeywordSettings(), average_lengths=FieldLengths(title=1, text=1), terms=(),
            hits=tuple(KeywordHit(**one, exact_title=False, matched_terms=1, terms=()) for one in hits(keyword)),
        ),
        DenseStage(**RUN, parameters=DenseSettings(), hits=tuple(DenseHit(**one) for one in hits(dense))),
        FuseStage(
            **RUN, parameters=FusionSettings(),
            hits=tuple(
                FusedHit(**one, keyword_rank=1, dense_rank=1, keyword_score=0, dense_score=0) for one in hits(fused)
            ),
        ),
        RerankStage(
            **RUN, parameters=RerankSettings(), hits=tuple(RerankHit(**one, rank_before=1) for one in hits(final))
        ),
        GateStage(**RUN, parameters=None, open=is_open, cosine=score, margin=0.0, coverage=1.0),
        AnswerStage(**RUN, text="", sentences=(quoted,) if is_open else ()),
    )  # fmt: skip
    return Trace(
        schema=1, question="", as_of="2026-12-01", settings=RetrievalSettings(), stages=stages, passages=passages
    )


def offered(*asked: tuple[Question, Trace]) -> tuple[Example, ...]:
    """As if the finished index gave the same traces."""
    threshold = GateThreshold(cosine=0.45, source="configured", corpus="", model="", tokenizer="")
    return guide(asked, threshold, dict(asked).__getitem__)


def test_without_a_gold_set_nothing_is_offered() -> None:
    assert offered() == ()


def test_an_identifier_shows_keyword_search_where_meaning_did_not_find_it() -> None:
    both = trace(keyword=[RIGHT], dense=[RIGHT], fused=[RIGHT], final=[RIGHT])
    alone = trace(keyword=[RIGHT], dense=[WRONG], fused=[RIGHT], final=[RIGHT])
    examples = offered((question("identifier", "git reflog"), both), (question("identifier", "np.argmax"), alone))
    assert examples == (Example(question="np.argmax", kind="identifier", stage="keyword"),)


def test_a_paraphrase_shows_the_embedding_where_words_did_not_find_it() -> None:
    alone = trace(keyword=[WRONG], dense=[RIGHT], fused=[WRONG, RIGHT], final=[RIGHT])
    assert [one.stage for one in offered((question("paraphrase", "Other words?"), alone))] == ["embed"]


def test_a_near_duplicate_shows_reranking_where_it_moved_the_right_section_up() -> None:
    still = trace(keyword=[WRONG], dense=[WRONG], fused=[RIGHT], final=[RIGHT])
    moved = trace(keyword=[WRONG], dense=[WRONG], fused=[WRONG, RIGHT], final=[RIGHT])
    near = offered((question("near-duplicate", "Still?"), still), (question("near-duplicate", "Moved?"), moved))
    assert near == (Example(question="Moved?", kind="near-duplicate", stage="rerank"),)


def test_fusion_is_shown_by_what_was_first_in_neither_list() -> None:
    found = trace(keyword=[WRONG, RIGHT], dense=["l02/notes#x", RIGHT], fused=[RIGHT], final=[RIGHT])
    assert [one.stage for one in offered((question("near-duplicate", "Both?"), found))] == ["fuse"]


def test_the_gate_is_shown_by_the_nearest_miss_that_it_refuses() -> None:
    examples = offered(
        (question("off-topic", "Football?"), trace(is_open=False, score=0.2)),
        (question("near-miss", "Far?"), trace(is_open=False, score=0.3)),
        (question("near-miss", "Near?"), trace(is_open=False, score=0.4)),
        (question("near-miss", "Let through?"), trace(score=0.6)),
    )
    assert examples == (Example(question="Near?", kind="not-in-the-notes", stage="gate"),)


def test_a_refusal_is_shown_by_one_clearly_below_the_threshold_where_there_is_one() -> None:
    hair = (question("near-miss", "By a hair?"), trace(is_open=False, score=0.449))
    close = (question("near-miss", "Close?"), trace(is_open=False, score=0.43))
    clear = (question("off-topic", "Clear?"), trace(is_open=False, score=0.004))
    assert [one.question for one in offered(hair, close, clear)] == ["Clear?"]
    assert [one.question for one in offered(hair, close)] == ["Close?"]
    # Clear in the gold set's words, not in those that it is offered in.
    typed = msgspec.structs.replace(question("near-miss", "clear"), shown="Clear as written out?")
    threshold = GateThreshold(cosine=0.45, source="configured", corpus="", model="", tokenizer="")
    assert guide([(typed, trace(is_open=False, score=0.3))], threshold, lambda _: hair[1]) == ()


def test_a_question_that_is_answered_wrongly_or_refused_wrongly_is_not_offered() -> None:
    wrong = trace(keyword=[RIGHT], dense=[RIGHT], fused=[RIGHT], final=[WRONG])
    shut = trace(keyword=[RIGHT], dense=[RIGHT], fused=[RIGHT], final=[RIGHT], is_open=False, score=0.2)
    unquoted = trace(keyword=[RIGHT], dense=[RIGHT], fused=[RIGHT], final=[RIGHT], is_open=False, score=0.5)
    for kind in ("identifier", "paraphrase", "near-duplicate"):
        assert (
            offered((question(kind, "a?"), wrong), (question(kind, "b?"), shut), (question(kind, "c?"), unquoted)) == ()
        )


def test_shorthand_is_offered_as_the_gold_set_writes_it_out_and_asked_in_those_words() -> None:
    typed = msgspec.structs.replace(question("identifier", "argmax ties"), shown="Which maximum does argmax give?")
    alone = trace(keyword=[RIGHT], dense=[WRONG], fused=[RIGHT], final=[RIGHT])
    both = trace(keyword=[RIGHT], dense=[RIGHT], fused=[RIGHT], final=[RIGHT])
    threshold = GateThreshold(cosine=0.45, source="configured", corpus="", model="", tokenizer="")
    asked: list[str] = []

    def ask(one: Question) -> Trace:
        asked.append(one.text)
        return answered

    answered = alone
    assert [one.question for one in guide([(typed, alone)], threshold, ask)] == [typed.shown]
    assert asked == [typed.shown]
    answered = both  # in these words meaning finds it as well, so that keyword search is not what it shows
    assert guide([(typed, alone)], threshold, ask) == ()


def test_a_follow_up_is_offered_when_only_what_it_was_written_out_as_is_answered() -> None:
    first = msgspec.structs.replace(question("identifier", "git reflog"), shown="What does git reflog do?")
    alone, needs = question("paraphrase", "and alone?"), question("paraphrase", "and then?")
    right, wrong = trace(final=[RIGHT]), trace(final=[WRONG])
    answers = {
        (first.shown, ()): right,
        ("and alone?", ()): right,
        ("and then?", ()): wrong,
        ("and then?", ("git reflog then",)): right,
    }

    def ask(text: str, queries: tuple[str, ...]) -> Trace:
        return answers[text, queries]

    def write_out(text: str, before: Trace) -> tuple[str, ...]:
        assert before is right
        return ("git reflog then",)

    found = conversation([(first, alone), (first, needs)], ask, write_out)
    assert found == Example(
        question="What does git reflog do?", kind="follow-up", stage="keyword", follow_up="and then?"
    )
    assert conversation([(first, alone)], ask, write_out) is None
    assert conversation([(first, needs)], ask, lambda *_: ()) is None
    refused = trace(is_open=False, score=0.2)
    threshold = GateThreshold(cosine=0.45, source="configured", corpus="", model="", tokenizer="")
    shown = guide([(question("near-miss", "Near?"), refused)], threshold, lambda _: refused, found)
    assert [one.kind for one in shown] == ["follow-up", "not-in-the-notes"]
