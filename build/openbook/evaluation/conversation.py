"""Second turns: how often a follow-up is known for one, and what writing it out gains.

A gold set holds them as questions that name the one before (``follows``). They are few, so the report gives both halves
and every rank; detection has the whole gold set besides, since every other question of it stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from openbook.asking import reference_asker
from openbook.evaluation.gold import Question, section_of
from openbook.evaluation.metrics import CUTOFF
from openbook.index.read import Index
from openbook.models.encoder import Encoder
from openbook.retrieval.follow_up import Before, leans, rewrite
from openbook.retrieval.trace import AnswerStage, GateStage, RerankStage, Trace, stage_of

RECALL_AT: Final = 5


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What one way of asking finds.

    Attributes:
        rank: of the first relevant section; None when none was found, or none is relevant.
        recall: share of the relevant sections among the first five.
        open: whether the gate let an answer through.
    """

    rank: int | None
    recall: float
    open: bool


class FollowUp(msgspec.Struct, frozen=True, kw_only=True):
    """A second turn.

    Attributes:
        queries: what it is searched for as; empty when it was taken to stand alone.
        literal, rewritten: found by asking it as it was typed, and as written out.
    """

    question: Question
    queries: tuple[str, ...]
    literal: Found
    rewritten: Found


class ConversationReport(msgspec.Struct, frozen=True, kw_only=True):
    """Of a gold set.

    Attributes:
        turns: its second turns.
        alone: how many questions stand alone, by half.
        mistaken: those of them that would be rewritten if another question had gone before.
    """

    turns: tuple[FollowUp, ...]
    alone: dict[str, int]
    mistaken: tuple[Question, ...]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the answerable second turns of a half."""

    turns: int
    known: int
    recall: tuple[float, float]
    mrr: tuple[float, float]


def measure_conversation(index: Index, encoder: Encoder, questions: Sequence[Question]) -> ConversationReport:
    """Ask every second turn twice, after the question before it has been asked.

    Args:
        index: to be asked.
        encoder: of the index.
        questions: the gold set, second turns and what they follow.
    """
    language = index.settings.prompt.language
    asked = reference_asker(index, encoder, clock=lambda: 0.0)
    known = {question.id: question for question in questions}
    turns = []
    for question in questions:
        if question.follows is None:
            continue
        first = asked(known[question.follows].text)
        queries = rewrite(question.text, before_of(first), index.keyword.rarity, language)
        turns.append(
            FollowUp(
                question=question,
                queries=queries,
                literal=_found(asked(question.text), question),
                rewritten=_found(asked(question.text, queries=queries), question),
            )
        )
    alone = [question for question in questions if question.follows is None]
    return ConversationReport(
        turns=tuple(turns),
        alone={half: sum(question.split == half for question in alone) for half in ("dev", "test")},
        mistaken=tuple(question for question in alone if leans(question.text, language)),
    )


def before_of(trace: Trace) -> Before:
    """What a follow-up to that question may lean on."""
    answer = stage_of(trace, AnswerStage)
    cited = answer.sentences[0].number if answer.sentences else 1
    path = next((passage.path for passage in trace.passages if passage.number == cited), ())
    return Before(
        question=trace.rewrite.queries[0] if trace.rewrite else trace.question,
        heading=path[-1] if path and answer.state == "done" else "",
    )


def summarise(turns: Sequence[FollowUp]) -> Summary:
    """Sum up second turns: of each pair of means the first is as typed, the second written out."""
    answerable = [turn for turn in turns if turn.question.answerable]
    both = [[turn.literal for turn in answerable], [turn.rewritten for turn in answerable]]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    recall = [mean([one.recall for one in found]) for found in both]
    mrr = [mean([1 / one.rank if one.rank and one.rank <= CUTOFF else 0.0 for one in found]) for found in both]
    return Summary(
        turns=len(answerable),
        known=sum(turn.queries != () for turn in answerable),
        recall=(recall[0], recall[1]),
        mrr=(mrr[0], mrr[1]),
    )


def _found(trace: Trace, question: Question) -> Found:
    ranking = stage_of(trace, RerankStage).hits
    sections = list(dict.fromkeys(section_of(hit.id) for hit in (trace.rewrite.hits if trace.rewrite else ranking)))
    relevant = [rank for rank, section in enumerate(sections, 1) if section in question.relevant]
    return Found(
        rank=relevant[0] if relevant else None,
        recall=sum(rank <= RECALL_AT for rank in relevant) / len(question.relevant) if question.relevant else 0.0,
        open=stage_of(trace, GateStage).open is True,
    )
