"""The stages behind the ranking, each on labels of its own: second turns, prompt, quoted answer, citation check.

The ladder says nothing of them: a prompt without its passages, an answer that quotes another sentence, a check that
believes everything rank no worse. Each has one or two figures here, shares of labels that came out right, over all the
labels there are, whatever the stages before them did. So no figure can be had by leaving questions out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from openbook.asking import reference_asker
from openbook.evaluation.answers import Labelled, flat
from openbook.evaluation.citations import FAITHFUL, Sentence, check_gold, right
from openbook.evaluation.conversation import RECALL_AT, measure_conversation
from openbook.evaluation.course import Asked, CourseGold, GoldRun
from openbook.evaluation.gold import Question, section_of
from openbook.evaluation.report import Outcome, StageFigure
from openbook.index.pieces import question_pieces
from openbook.index.read import Index
from openbook.models.encoder import Encoder
from openbook.retrieval.filter import Filter
from openbook.retrieval.passages import collapse
from openbook.retrieval.prompt import INSTRUCTION
from openbook.retrieval.trace import AnswerStage, GateStage, Passage, PromptStage, Trace, stage_of

_EVERY: Final = 10
"""Questions of which one is asked of a single lecture too."""

_ASKED: Final = 2
"""Times that a prompt has its question: before the passages and behind them."""

_LINE: Final = 40
"""Characters of a passage, in a row, that a prompt must have for the passage to count as shown."""


def measure_downstream(index: Index, run: GoldRun, gold: CourseGold, encoder: Encoder) -> tuple[StageFigure, ...]:
    """Measure every stage that there are labels for, in the order of the pipeline.

    Args:
        index: with the gate's threshold that the site has.
        run: the questions that are asked.
        gold: the labels; those of other questions are left out.
        encoder: of the index.
    """
    asked = list(run.traces(index))
    figures = [
        *_second_turns(index, run.questions, gold, encoder),
        StageFigure(stage="filter", measure="within", outcomes=tuple(_filtered(index, asked, encoder))),
        StageFigure(stage="prompt", measure="holds", outcomes=tuple(_prompts(asked))),
        *_answers(asked, gold.answers),
        *check_figures(index, gold.sentences, encoder),
    ]
    return tuple(figure for figure in figures if figure.outcomes)


def _outcome(label: Question | Sentence, right: bool) -> Outcome:
    return Outcome(id=label.id, text=label.text, split=label.split, right=right)


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
        _outcome(turn.question, turn.rewritten.rank is not None and turn.rewritten.rank <= RECALL_AT)
        for turn in report.turns
    )
    yield StageFigure(stage="rewrite", measure="found", outcomes=tuple(found))
    mistaken = {question.id for question in report.mistaken}
    alone = (_outcome(one, one.id not in mistaken) for one in questions)
    yield StageFigure(stage="rewrite", measure="left_alone", outcomes=tuple(alone))


def _filtered(index: Index, asked: Asked, encoder: Encoder) -> Iterator[Outcome]:
    """Some of the questions, asked of one lecture: that of the last passage, so that most would be found elsewhere."""
    reference = reference_asker(index, encoder, clock=lambda: 0.0)
    for question, trace in asked[::_EVERY]:
        if trace.passages:
            lecture = trace.passages[-1].lecture
            found = reference(question.text, filter=Filter(lecture=lecture)).passages
            yield _outcome(question, bool(found) and all(passage.lecture == lecture for passage in found))


def _prompts(asked: Asked) -> Iterator[Outcome]:
    for question, trace in asked:
        if question.answerable:
            yield _outcome(question, any(section_of(passage.id) in question.relevant for passage in _shown(trace)))


def _shown(trace: Trace) -> Iterator[Passage]:
    """The passages that a model would really read: under their numbers, between what it is told and what is asked."""
    stage = stage_of(trace, PromptStage)
    asks = stage.text.count(collapse(trace.question)) >= _ASKED
    if stage.state != "done" or not asks or INSTRUCTION not in stage.text:
        return
    passages = {passage.number: passage for passage in trace.passages}
    for part in stage.parts:
        passage = passages.get(part.number or 0)
        if part.kind != "passage" or passage is None or part.text not in stage.text:
            continue
        heading, _, body = part.text.partition("\n")
        text = flat(passage.text)
        longest = max((flat(line).strip("… ") for line in body.splitlines()), key=len, default="")
        if heading.startswith(f"[{part.number}] ") and longest in text and len(longest) >= min(_LINE, len(text)):
            yield passage


def _answers(asked: Asked, labels: Sequence[Labelled]) -> Iterator[StageFigure]:
    by_question = {one.question: frozenset(map(flat, one.sentences)) for one in labels}
    quotes: list[Outcome] = []
    silent: list[Outcome] = []
    quiet: list[Outcome] = []
    for question, trace in asked:
        quoted = set(_quoted(trace))
        if not question.answerable:
            quiet.append(_outcome(question, not quoted and not _goes_on(trace)))
        sentences = by_question.get(question.id)
        if sentences:
            quotes.append(_outcome(question, not quoted.isdisjoint(sentences)))
        elif sentences is not None:
            silent.append(_outcome(question, not quoted))
    yield StageFigure(stage="answer", measure="quotes", outcomes=tuple(quotes))
    yield StageFigure(stage="answer", measure="silent", outcomes=tuple(silent))
    yield StageFigure(stage="answer", measure="quiet", outcomes=tuple(quiet))


def _goes_on(trace: Trace) -> bool:
    """Whether a prompt was made for a question that the gate refuses."""
    return stage_of(trace, GateStage).open is False and stage_of(trace, PromptStage).state == "done"


def _quoted(trace: Trace) -> Iterator[str]:
    """What is quoted; "" for a sentence that stands elsewhere than in the passage that is cited for it."""
    passages = {passage.number: flat(passage.text) for passage in trace.passages}
    for sentence in stage_of(trace, AnswerStage).sentences:
        text = flat(sentence.text)
        yield text if text in passages.get(sentence.number, "") else ""


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
    outcomes = [(one, _outcome(one, right(one, found.verdict))) for one, found in zip(sentences, checked, strict=True)]
    trusted = tuple(outcome for one, outcome in outcomes if one.kind in FAITHFUL)
    caught = tuple(outcome for one, outcome in outcomes if one.kind not in FAITHFUL)
    yield StageFigure(stage="check", measure="trusted", outcomes=trusted)
    yield StageFigure(stage="check", measure="caught", outcomes=caught)
