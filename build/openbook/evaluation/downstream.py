"""The stages behind the ranking, each on labels of its own: second turns, prompt, quoted answer, citation check.

The ladder says nothing of them: a prompt without its passages, an answer that quotes another sentence, a check that
believes everything rank no worse. Each has one or two figures here, shares of labels that came out right, over all the
labels there are, whatever the stages before them did. So no figure can be had by leaving questions out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from openbook.errors import GateError
from openbook.evaluation.answers import Labelled, flat
from openbook.evaluation.citations import FAITHFUL, Sentence, check_gold, right
from openbook.evaluation.conversation import RECALL_AT, measure_conversation
from openbook.evaluation.course import Asked, CourseGold, opens
from openbook.evaluation.gold import Question, section_of
from openbook.evaluation.report import Outcome, StageFigure
from openbook.index.pieces import question_pieces
from openbook.index.read import Index
from openbook.models.encoder import Encoder
from openbook.retrieval.trace import AnswerStage, PromptStage, Trace, stage_of


def measure_downstream(index: Index, asked: Asked, gold: CourseGold, encoder: Encoder) -> tuple[StageFigure, ...]:
    """Measure every stage that there are labels for, in the order of the pipeline.

    Args:
        index: with the gate's threshold that the site has.
        asked: questions with their traces ``without_gate``.
        gold: the labels; those of other questions are left out.
        encoder: of the index.

    Raises:
        GateError: the index has no threshold.
    """
    threshold = index.gate
    if threshold is None:
        raise GateError("the index has no threshold for the abstention gate.", hint="Build it again.")
    let_through = {question.id for question, trace in asked if opens(trace, threshold)}
    figures = [
        *_second_turns(index, [question for question, _ in asked], gold, encoder),
        StageFigure(stage="prompt", measure="holds", outcomes=tuple(_prompts(asked, let_through))),
        *_answers(asked, let_through, gold.answers),
        *check_figures(index, gold.sentences, encoder),
    ]
    return tuple(figure for figure in figures if figure.outcomes)


def _second_turns(
    index: Index, questions: Sequence[Question], gold: CourseGold, encoder: Encoder
) -> Iterator[StageFigure]:
    """A second turn is right when its section is among the first five of what it was written out as."""
    ids = {question.id for question in questions}
    turns = [turn for first, turn in gold.turns if first.id in ids]
    if not turns:
        return
    report = measure_conversation(index, encoder, [*questions, *turns])
    found = (
        Outcome(
            id=turn.question.id,
            text=turn.question.text,
            split=turn.question.split,
            right=turn.rewritten.rank is not None and turn.rewritten.rank <= RECALL_AT,
        )
        for turn in report.turns
    )
    yield StageFigure(stage="rewrite", measure="found", outcomes=tuple(found))
    mistaken = {question.id for question in report.mistaken}
    alone = (Outcome(id=one.id, text=one.text, split=one.split, right=one.id not in mistaken) for one in questions)
    yield StageFigure(stage="rewrite", measure="left_alone", outcomes=tuple(alone))


def _prompts(asked: Asked, let_through: Collection[str]) -> Iterator[Outcome]:
    for question, trace in asked:
        if question.answerable:
            held = {section_of(passage.id) for passage in trace.passages if passage.number in _shown(trace)}
            right = question.id in let_through and not held.isdisjoint(question.relevant)
            yield Outcome(id=question.id, text=question.text, split=question.split, right=right)


def _shown(trace: Trace) -> set[int]:
    """Numbers of the passages that the prompt holds."""
    parts = stage_of(trace, PromptStage).parts
    return {part.number for part in parts if part.kind == "passage" and part.number is not None}


def _answers(asked: Asked, let_through: Collection[str], labels: Sequence[Labelled]) -> Iterator[StageFigure]:
    by_question = {one.question: frozenset(map(flat, one.sentences)) for one in labels}
    quotes: list[Outcome] = []
    silent: list[Outcome] = []
    for question, trace in asked:
        sentences = by_question.get(question.id)
        if sentences is None:
            continue
        said = stage_of(trace, AnswerStage).sentences if question.id in let_through else ()
        quoted = {flat(one.text) for one in said}
        right = not quoted.isdisjoint(sentences) if sentences else not quoted
        outcome = Outcome(id=question.id, text=question.text, split=question.split, right=right)
        (quotes if sentences else silent).append(outcome)
    yield StageFigure(stage="answer", measure="quotes", outcomes=tuple(quotes))
    yield StageFigure(stage="answer", measure="silent", outcomes=tuple(silent))


def check_figures(index: Index, sentences: Sequence[Sentence], encoder: Encoder) -> Iterator[StageFigure]:
    """What the check of citations says of labelled sentences: faithful ones supported, faulty ones not."""
    special = encoder.count_tokens("")
    checked = check_gold(
        index,
        sentences,
        lambda text: question_pieces(encoder, text),
        lambda text: encoder.count_tokens(text) - special,
        index.settings.check,
    )
    outcomes = [
        (one, Outcome(id=one.id, text=one.text, split=one.split, right=right(one, found.verdict)))
        for one, found in zip(sentences, checked, strict=True)
    ]
    trusted = tuple(outcome for one, outcome in outcomes if one.kind in FAITHFUL)
    caught = tuple(outcome for one, outcome in outcomes if one.kind not in FAITHFUL)
    yield StageFigure(stage="check", measure="trusted", outcomes=trusted)
    yield StageFigure(stage="check", measure="caught", outcomes=caught)
