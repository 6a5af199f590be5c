"""Five questions for a first visit, each showing what one stage is for, and each checked on its trace at build time.

They come from the course's own gold set; what cannot be shown truthfully on this course is left out. A question is
chosen by what became of it, then asked of the finished index in the words it is offered in (``shown``, where the gold
set has it), and offered only when the stage does there what it is shown for and the answer quotes the section that it
is labelled with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from openbook.evaluation.gold import Question, sections_of
from openbook.index.manifest import Example, GuideKind, GuideStage
from openbook.retrieval.gate import decide_again
from openbook.retrieval.trace import (
    AnswerStage,
    DenseStage,
    FuseStage,
    GateStage,
    GateThreshold,
    KeywordStage,
    RerankStage,
    Trace,
    stage_of,
)

FAR: Final = 60
"""Stands for the rank of what a list does not hold."""


CLEAR: Final = 0.03
"""How far below the threshold a question must score that shows what a refusal is: by eye, on the number line."""


class _Seen(NamedTuple):
    """Where the best labelled section stood after each stage, from 1; ``FAR`` where it was not found."""

    question: Question
    keyword: int
    dense: int
    fused: int
    right: bool
    """The gate opens, and a labelled section came first."""
    refused: bool
    score: float
    margin: float


Strength = Callable[[_Seen], int | None]
"""How plainly a trace shows what the stage is for; None when it does not."""


def _keyword(seen: _Seen) -> int | None:
    if not (seen.right and seen.question.kind == "identifier" and seen.keyword == 1):
        return None
    return seen.dense - 1


def _embed(seen: _Seen) -> int | None:
    if not (seen.right and seen.question.kind == "paraphrase" and seen.dense <= 3):
        return None
    return seen.keyword - seen.dense if seen.keyword > seen.dense else None


def _rerank(seen: _Seen) -> int | None:
    if not (seen.right and seen.question.kind == "near-duplicate"):
        return None
    return seen.fused - 1


def _fuse(seen: _Seen) -> int | None:
    """First of the fused list, and of neither list before."""
    in_both = min(seen.keyword, seen.dense) > 1 and max(seen.keyword, seen.dense) < FAR
    return min(seen.keyword, seen.dense) if in_both and seen.right and seen.fused == 1 else None


def _gate(seen: _Seen) -> int | None:
    if not seen.refused or seen.question.answerable:
        return None
    if seen.margin > -CLEAR:
        # Too near the threshold to be told from it; the farther, the better it stands in where there is no other.
        return round(-1000 * seen.margin) - 1000
    # The nearer a miss, the more it says of a gate.
    return (100 if seen.question.kind == "near-miss" else 0) + max(1, round(100 * seen.score))


_GUIDE: Final[tuple[tuple[GuideKind, GuideStage, Strength], ...]] = (
    ("identifier", "keyword", _keyword),
    ("paraphrase", "embed", _embed),
    ("both-searches", "fuse", _fuse),
    ("near-duplicate", "rerank", _rerank),
    ("not-in-the-notes", "gate", _gate),
)


def guide(
    asked: Sequence[tuple[Question, Trace]],
    threshold: GateThreshold,
    ask: Callable[[Question], Trace],
    follow_up: Example | None = None,
) -> tuple[Example, ...]:
    """Choose the questions, in the order of the stages.

    Args:
        asked: the gold set with its traces, up to the gate.
        threshold: of the finished index.
        ask: asks the finished index.
        follow_up: as :func:`conversation` gives it; stands before the question that is refused.
    """
    seen = [_see(question, trace, threshold) for question, trace in asked]
    chosen: dict[str, Example] = {}
    for kind, stage, strength in _GUIDE:
        for one in sorted(seen, key=lambda one: _order(one, strength)):
            question = _offered(one.question)
            if strength(one) is None or question.text in chosen:
                continue
            trace = ask(question)
            if _shows(_see(question, trace, threshold), one, strength) and _holds(question, trace):
                chosen[question.text] = Example(question=question.text, kind=kind, stage=stage)
                break
    examples = list(chosen.values())
    if follow_up is not None:
        refused = [place for place, one in enumerate(examples) if one.stage == "gate"]
        examples.insert(refused[0] if refused else len(examples), follow_up)
    return tuple(examples)


def conversation(
    turns: Sequence[tuple[Question, Question]],
    ask: Callable[[str, tuple[str, ...]], Trace],
    write_out: Callable[[str, Trace], tuple[str, ...]],
) -> Example | None:
    """Choose a question and what may be asked after it: one that is answered only when it has been written out.

    Args:
        turns: second turns, each with the question that it follows.
        ask: asks the finished index a question, or the queries that it was written out as.
        write_out: a second turn, after the trace of the first; nothing where it stands alone.

    Returns:
        None where each second turn is answered as it was typed, or not at all.
    """
    for question, then in sorted(turns, key=lambda pair: not _reads(pair[0])):
        first = _offered(question)
        before = ask(first.text, ())
        queries = write_out(then.text, before) if _holds(first, before) else ()
        if queries and not _holds(then, ask(then.text, ())) and _holds(then, ask(then.text, queries)):
            return Example(question=first.text, kind="follow-up", stage="keyword", follow_up=then.text)
    return None


def _offered(question: Question) -> Question:
    return msgspec.structs.replace(question, text=question.shown or question.text)


def _shows(seen: _Seen, before: _Seen, strength: Strength) -> bool:
    """Whether the words that are offered show the stage, and plainly if those of the gold set do."""
    found = strength(seen)
    return found is not None and (found > 0 or (strength(before) or 0) <= 0)


def _order(seen: _Seen, strength: Strength) -> tuple[bool, bool, bool, int, int]:
    """What shows the stage first; of two alike the one that reads as a question, then the plainer, then the shorter."""
    found = strength(seen)
    text = _offered(seen.question).text
    return found is None, (found or 0) <= 0, not _reads(seen.question), -min(found or 0, 200), len(text)


def _reads(question: Question) -> bool:
    """Whether what is offered reads as a question."""
    text = _offered(question).text
    return bool(question.shown) or (text[:1] != text[:1].lower() and text.endswith(("?", "？")))


def _see(question: Question, trace: Trace, threshold: GateThreshold) -> _Seen:
    relevant = set(question.relevant)

    def rank(stage: KeywordStage | DenseStage | FuseStage | RerankStage) -> int:
        return next((hit.rank for hit in stage.hits if sections_of([hit.id]) & relevant), FAR)

    verdict = decide_again(stage_of(trace, GateStage), threshold)
    return _Seen(
        question=question,
        keyword=rank(stage_of(trace, KeywordStage)),
        dense=rank(stage_of(trace, DenseStage)),
        fused=rank(stage_of(trace, FuseStage)),
        right=verdict is not None and verdict.open and rank(stage_of(trace, RerankStage)) == 1,
        refused=verdict is not None and not verdict.open,
        score=0.0 if verdict is None else verdict.margin + verdict.threshold,
        margin=0.0 if verdict is None else verdict.margin,
    )


def _holds(question: Question, trace: Trace) -> bool:
    """Whether the finished page says what it should: a labelled section is quoted, or the question is refused."""
    cited = {sentence.number for sentence in stage_of(trace, AnswerStage).sentences}
    quoted = sections_of(passage.id for passage in trace.passages if passage.number in cited)
    if not question.answerable:
        return stage_of(trace, GateStage).open is False
    return bool(quoted & set(question.relevant))
