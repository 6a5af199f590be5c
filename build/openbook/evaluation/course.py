"""A course's gold set at build time: the gate's threshold from its dev half, and what retrieval does on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.chunking import Chunk
from openbook.config import Config
from openbook.course.catalogue import Catalogue
from openbook.errors import BuildWarning, GoldMissingError
from openbook.evaluation.answers import ANSWERS, Labelled, load_answers
from openbook.evaluation.calibration import (
    DEFAULT_ANSWERABILITY,
    DEFAULT_COSINE,
    THIN,
    Calibration,
    calibrate,
)
from openbook.evaluation.citations import CITATIONS, Sentence, load_citations
from openbook.evaluation.gold import Question, load_gold, sections_of
from openbook.evaluation.metrics import Metrics, first_relevant_rank, metrics
from openbook.index.manifest import GoldScores, corpus_hash
from openbook.index.pieces import read_questions
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.vectors import quantize, top_agreement
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX, ModelFiles
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.gate import decide_again
from openbook.retrieval.late_interaction import QuestionPieces
from openbook.retrieval.pipeline import Clock, CrossScore, ask
from openbook.retrieval.prompt import CountTokens
from openbook.retrieval.trace import (
    DenseStage,
    FuseStage,
    GateStage,
    GateThreshold,
    KeywordStage,
    RerankStage,
    ThresholdSource,
    Trace,
    stage_of,
)
from openbook.settings import GateSettings, Settings

_STAGES: Mapping[str, type[KeywordStage | DenseStage | FuseStage | RerankStage]] = {
    "keyword": KeywordStage,
    "dense": DenseStage,
    "hybrid": FuseStage,
    "reranked": RerankStage,
}
CROSS_ENCODER: Final = "cross-encoder"
"""The retriever that is there only where a site offers it."""
_NEVER: Final = 2.0
"""No cosine, and hardly an estimate of one, is as great."""
_ALWAYS: Final = -1.0
"""None is less."""

_Least = TypeVar("_Least", float, None)


class _HasText(Protocol):
    @property
    def text(self) -> str: ...


_Question = TypeVar("_Question", bound=_HasText)

Asked = Sequence[tuple[Question, Trace]]
"""Questions with what became of them."""


class GoldReport(msgspec.Struct, frozen=True, kw_only=True):
    """What retrieval does on the gold set.

    Attributes:
        questions, answerable: how many.
        metrics: by retriever, over the answerable ones.
        agreement: share of the ten best by float32 vectors that int8 vectors find too.
        gate: threshold of the gate and where it comes from.
        refused, caught: shares of the answerable and unanswerable questions of the test half that it refuses.
        cross_refused, cross_caught: the same with the cross-encoder switched on; None where none is offered.
    """

    questions: int
    answerable: int
    metrics: dict[str, Metrics]
    agreement: float
    gate: GateThreshold
    refused: float | None
    caught: float | None
    cross_refused: float | None = None
    cross_caught: float | None = None

    def summary(self) -> Iterator[str]:
        """Lines for a person."""
        yield f"gold set: {self.questions} questions, {self.answerable} answerable"
        for name, found in self.metrics.items():
            yield f"  {name:<13} hit@1 {found.hit_1:.2f}  hit@5 {found.hit_5:.2f}  MRR@10 {found.mrr_10:.3f}"
        yield f"  int8 vectors find {self.agreement:.2%} of the ten best of float32"
        if self.refused is not None and self.caught is not None:
            at = f"cosine {self.gate.cosine:.3f} ({self.gate.source})"
            if self.gate.answerability is not None:
                at = f"answerability {self.gate.answerability:.3f} ({self.gate.answerability_source})"
            yield (
                f"  gate at {at}: on the test half it refuses "
                f"{self.refused:.0%} of the answerable and {self.caught:.0%} of the unanswerable questions"
            )
        if self.cross_refused is not None and self.cross_caught is not None:
            yield (
                f"  with the cross-encoder {self.cross_refused:.0%} of the answerable and {self.cross_caught:.0%} of "
                "the unanswerable"
            )


class GoldRun:
    """The questions with their vectors.

    Attributes:
        questions: that can be asked of the released lectures.
        vectors: float32 [questions, dims].
        pieces: their word pieces.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        vectors: NDArray[np.float32],
        pieces: Sequence[QuestionPieces],
        encoder: Encoder,
    ) -> None:
        self.questions = tuple(questions)
        self.vectors = vectors
        self.pieces = tuple(pieces)
        self._encoder = encoder

    @classmethod
    def of(cls, questions: Sequence[Question], encoder: Encoder, cache: EmbeddingCache | None) -> Self:
        """Embed the questions."""
        embedded, pieces = read_questions(encoder, [question.text for question in questions], cache)
        return cls(questions, embedded.vectors, pieces, encoder)

    def only(self, ids: Collection[str]) -> Self:
        """The same for some of the questions."""
        kept = [number for number, question in enumerate(self.questions) if question.id in ids]
        return type(self)(
            [self.questions[number] for number in kept],
            self.vectors[kept],
            [self.pieces[number] for number in kept],
            self._encoder,
        )

    def traces(
        self,
        index: SearchIndex,
        cross_score: CrossScore | None = None,
        clock: Clock | None = None,
    ) -> Iterator[tuple[Question, Trace]]:
        """Ask the questions through all stages, by default with a clock that stands still.

        Args:
            index: to be asked.
            cross_score: a cross-encoder to rerank with; None for what the page does before it has loaded one.
            clock: milliseconds.
        """
        special = self._encoder.count_tokens("")

        def count(text: str) -> int:
            return self._encoder.count_tokens(text) - special

        return ask_each(index, self.questions, self.vectors, self.pieces, count, cross_score, clock)


def ask_each(
    index: SearchIndex,
    questions: Sequence[_Question],
    vectors: NDArray[np.float32],
    pieces: Sequence[QuestionPieces],
    count: CountTokens,
    cross_score: CrossScore | None = None,
    clock: Clock | None = None,
) -> Iterator[tuple[_Question, Trace]]:
    """Ask questions that have been read through all stages, by default with a clock that stands still.

    Args:
        index: to be asked.
        questions: of a course, or of a labelled set.
        vectors: float32 [questions, dims].
        pieces: a question's word pieces each.
        count: word pieces of a text, special tokens not counted.
        cross_score: a cross-encoder to rerank with; None for what the page does before it has loaded one.
        clock: milliseconds.
    """
    texts = [question.text for question in questions]
    known, read = dict(zip(texts, vectors, strict=True)), dict(zip(texts, pieces, strict=True))
    for question in questions:
        yield (
            question,
            ask(
                index,
                question.text,
                known.__getitem__,
                count,
                clock or (lambda: 0.0),
                read.__getitem__,
                cross_score,
                "cross-encoder" if cross_score is not None else None,
            ),
        )


def measure(
    asked: Asked,
    crossed: Asked,
    gate: GateThreshold,
    vectors: NDArray[np.float32],
    questions: NDArray[np.float32],
) -> GoldReport:
    """Measure each retriever and the gate on questions that have been asked.

    Args:
        asked: the questions with their traces.
        crossed: the same with the cross-encoder switched on; empty where none is offered.
        gate: the threshold, which need not be the one that they were asked with.
        vectors: float32 [chunks, dims] that the index's int8 vectors stand for.
        questions: float32 [questions, dims].
    """
    found = {name: _measured(asked, kind) for name, kind in _STAGES.items()}
    if crossed:
        found[CROSS_ENCODER] = _measured(crossed, RerankStage)
    refused, caught = _refusals(asked, gate)
    cross_refused, cross_caught = _refusals(crossed, gate)
    return GoldReport(
        questions=len(asked),
        answerable=sum(question.answerable for question, _ in asked),
        metrics=found,
        agreement=top_agreement(vectors, quantize(vectors), questions),
        gate=gate,
        refused=refused,
        caught=caught,
        cross_refused=cross_refused,
        cross_caught=cross_caught,
    )


def _measured(asked: Asked, kind: type[KeywordStage | DenseStage | FuseStage | RerankStage]) -> Metrics:
    return metrics(
        [
            first_relevant_rank([hit.id for hit in stage_of(trace, kind).hits], question.relevant)
            for question, trace in asked
            if question.answerable
        ]
    )


def _refusals(asked: Asked, gate: GateThreshold) -> tuple[float | None, float | None]:
    """Shares of the answerable and unanswerable questions of the test half that the gate refuses."""
    refusals: dict[bool, list[bool]] = {True: [], False: []}
    for question, trace in asked:
        if question.split == "test":
            refusals[question.answerable].append(not _opens(trace, gate))
    return _share(refusals[True]), _share(refusals[False])


class CourseGold(NamedTuple):
    """A course's gold set, as far as its lectures are released.

    Attributes:
        questions: that stand alone.
        turns: second turns that an answer is labelled for, each with the question that it follows.
        answers: which sentences answer, of the questions that have such labels.
        sentences: sentences with citations, labelled.
        warnings: about what is left out.
    """

    questions: list[Question]
    turns: list[tuple[Question, Question]]
    answers: tuple[Labelled, ...]
    sentences: tuple[Sentence, ...]
    warnings: list[BuildWarning]


def load_course_gold(config: Config, catalogue: Catalogue, chunks: Sequence[Chunk]) -> CourseGold:
    """Read the gold set, if the course has one, and the labels that lie beside it (``answers.toml``,
    ``citations.toml``).

    A label of a lecture that is not released is left out, and so is a question with no other: it cannot be answered
    yet. So is a sentence that was written from such a lecture.

    Raises:
        GoldError: it is not valid, or a section does not exist.
        GoldMissingError: the settings name a file that is not there.
    """
    if not config.gold_path.is_file():
        if config.settings.gold != Settings().gold or config.gold_path.exists():
            raise GoldMissingError(
                f"gold: there is no file {config.settings.gold!r}.",
                source=config.path,
                line=config.line_of("gold"),
                hint="It is relative to the course's root. Without the key the course needs none.",
            )
        return CourseGold([], [], (), (), [])
    hidden = tuple(f"{lecture.id}/" for lecture in catalogue.unreleased)
    sections = sections_of(chunk.id for chunk in chunks)
    every = load_gold(config.gold_path, sections, hidden)
    held_back = {section for question in every for section in question.relevant if section.startswith(hidden)}
    questions = []
    # A second turn means nothing alone; it is measured with the conversation, not here.
    for question in (question for question in every if question.follows is None):
        relevant = tuple(section for section in question.relevant if section not in held_back)
        if relevant or not question.answerable:
            questions.append(msgspec.structs.replace(question, relevant=relevant))
    warnings = []
    left_out = sum(question.follows is None for question in every) - len(questions)
    if left_out:
        message = f"{left_out} questions are about lectures that are not released; left out."
        warnings.append(BuildWarning("gold-unreleased", message, config.settings.gold))
    known = {question.id: question for question in questions}
    turns = [(known[one.follows], one) for one in every if one.follows in known and one.relevant]
    answers, citations = config.gold_path.with_name(ANSWERS), config.gold_path.with_name(CITATIONS)
    return CourseGold(
        questions,
        turns,
        load_answers(answers, {one.id for one in every}) if answers.is_file() else (),
        load_citations(citations, sections, hidden) if citations.is_file() else (),
        warnings,
    )


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The gate's thresholds, and what they were chosen from.

    Attributes:
        threshold: for the manifest.
        cosine, answerability, cross_encoder: how each was calibrated; None where it was configured, is the default
            or has no scores.
    """

    threshold: GateThreshold
    cosine: Calibration | None = None
    answerability: Calibration | None = None
    cross_encoder: Calibration | None = None

    def warnings(self, gold: str) -> list[BuildWarning]:
        """That the threshold which decides may not hold for other questions."""
        decides = self.cosine if self.threshold.answerability is None else self.answerability
        if decides is None or not decides.thin:
            return []
        message = (
            f"{decides.near:.0%} of the dev half's questions score within {THIN / 2:.2f} of the gate's threshold, "
            f"{decides.threshold:.3f}: reworded, they may fall on its other side. More questions make it firmer."
        )
        return [BuildWarning("gate-thin", message, gold)]


def provisional_threshold(chunks: Sequence[Chunk], model: ModelFiles, late_interaction: bool) -> GateThreshold:
    """A gate that no question passes: an index has it until its own is found.

    What lies before the gate does not depend on it, and with the gate closed no prompt is built in vain.
    """
    return GateThreshold(
        cosine=_NEVER,
        source="default",
        corpus=corpus_hash(chunks),
        model=model.sha256[ONNX],
        tokenizer=TOKENIZER_FINGERPRINT,
        answerability=_NEVER if late_interaction else None,
        answerability_source="default",
    )


def choose_threshold(
    configured: GateSettings,
    provisional: GateThreshold,
    asked: Asked,
    crossed: Asked = (),
    *,
    foreign: bool = False,
) -> Chosen:
    """Choose the gate's thresholds: the configured one, else calibrated on the dev half, else the measured default.

    Args:
        configured: of the course.
        provisional: says what the index was made of, and whether it has late interaction.
        asked: the questions with their traces, of that index; calibrated is on the very scores that the page's gate
            will see.
        crossed: the same with the cross-encoder switched on; empty where none is offered.
        foreign: the encoder does not know the course's language; then there is no default, and the gate stays open.
    """
    cosines = [(question, scores.cosine) for question, scores in _scores(asked)]
    cosine, source, by_cosine = _threshold(configured.cosine, cosines, DEFAULT_COSINE)
    if foreign and source == "default":
        cosine, source = _ALWAYS, "language"
    chosen = msgspec.structs.replace(provisional, cosine=cosine, source=source)
    by_pieces = by_pair = None
    if provisional.answerability is not None:
        best = [(question, scores.answerability or 0.0) for question, scores in _scores(asked)]
        least, source, by_pieces = _threshold(configured.answerability, best, DEFAULT_ANSWERABILITY)
        if foreign and source == "default":
            least, source = _ALWAYS, "language"
        chosen = msgspec.structs.replace(chosen, answerability=least, answerability_source=source)
    pairs = [
        (question, scores.cross_encoder) for question, scores in _scores(crossed) if scores.cross_encoder is not None
    ]
    by_model, source, by_pair = _threshold(configured.cross_encoder, pairs, None)
    chosen = msgspec.structs.replace(chosen, cross_encoder=by_model, cross_encoder_source=source)
    return Chosen(threshold=chosen, cosine=by_cosine, answerability=by_pieces, cross_encoder=by_pair)


def gold_scores(asked: Asked, gate: GateThreshold) -> GoldScores:
    """What the gate saw of each question, without the questions: to be drawn beside its threshold."""
    scores = [gate_scores(trace) for _, trace in asked]
    by_cosine = gate.answerability is None
    return GoldScores(
        by="cosine" if by_cosine else "answerability",
        scores=[round(cosine if by_cosine or found is None else found, 4) for cosine, found, _ in scores],
        answerable=[question.answerable for question, _ in asked],
        test=[question.split == "test" for question, _ in asked],
    )


class GateScores(NamedTuple):
    """Best scores of a question; the last that is there decides."""

    cosine: float
    answerability: float | None
    cross_encoder: float | None


def gate_scores(trace: Trace) -> GateScores:
    """What the gate decides by; a cosine of -1 where nothing was found."""
    stage = stage_of(trace, GateStage)
    cosine = -1.0 if stage.cosine is None else stage.cosine
    return GateScores(cosine, stage.answerability, stage.cross_encoder)


def _opens(trace: Trace, gate: GateThreshold) -> bool:
    """Whether a gate lets a question through that was asked with another."""
    verdict = decide_again(stage_of(trace, GateStage), gate)
    return verdict is not None and verdict.open


def _scores(asked: Asked) -> list[tuple[Question, GateScores]]:
    return [(question, gate_scores(trace)) for question, trace in asked]


def _threshold(
    configured: float | None, scores: Sequence[tuple[Question, float]], default: _Least
) -> tuple[float | _Least, ThresholdSource, Calibration | None]:
    if configured is not None:
        return configured, "configured", None
    dev = [(question, score) for question, score in scores if question.split == "dev"]
    found = calibrate(
        [score for question, score in dev if question.answerable],
        [score for question, score in dev if not question.answerable],
    )
    return (default, "default", None) if found is None else (found.threshold, "calibrated", found)


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
