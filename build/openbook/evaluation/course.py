"""A course's gold set at build time: the gate's threshold from its dev half, and what retrieval does on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.chunking import Chunk
from openbook.config import Config
from openbook.course.catalogue import Catalogue
from openbook.errors import BuildWarning
from openbook.evaluation.calibration import DEFAULT_COSINE, DEFAULT_LATE_INTERACTION, Calibration, calibrate
from openbook.evaluation.gold import Question, load_gold, sections_of
from openbook.evaluation.metrics import Metrics, first_relevant_rank, metrics
from openbook.index.manifest import corpus_hash
from openbook.index.pieces import read_questions
from openbook.index.read import Index
from openbook.index.token_vectors import TokenVectors
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.vectors import quantize, top_agreement
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX, ModelFiles
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.dense import Vectors, dense
from openbook.retrieval.late_interaction import PieceWeights, QuestionPieces, make_tables, max_sim
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import (
    DenseHit,
    DenseStage,
    FuseStage,
    GateStage,
    GateThreshold,
    KeywordStage,
    RerankStage,
    ThresholdSource,
    Trace,
)
from openbook.settings import DenseSettings

_STAGES: Mapping[str, type[KeywordStage | DenseStage | FuseStage | RerankStage]] = {
    "keyword": KeywordStage,
    "dense": DenseStage,
    "hybrid": FuseStage,
    "reranked": RerankStage,
}
RETRIEVERS = tuple(_STAGES)
EXAMPLE_KINDS = ("identifier", "paraphrase", "near-duplicate", "near-miss")


class GoldReport(msgspec.Struct, frozen=True, kw_only=True):
    """What retrieval does on the gold set.

    Attributes:
        questions, answerable: how many.
        metrics: by retriever, over the answerable ones.
        agreement: share of the ten best by float32 vectors that int8 vectors find too.
        gate: threshold of the gate and where it comes from.
        refused, caught: shares of the answerable and unanswerable questions of the test half that it refuses.
    """

    questions: int
    answerable: int
    metrics: dict[str, Metrics]
    agreement: float
    gate: GateThreshold
    refused: float | None
    caught: float | None

    def summary(self) -> Iterator[str]:
        """Lines for a person."""
        yield f"gold set: {self.questions} questions, {self.answerable} answerable"
        for name, found in self.metrics.items():
            yield f"  {name:<8} hit@1 {found.hit_1:.2f}  hit@5 {found.hit_5:.2f}  MRR@10 {found.mrr_10:.3f}"
        yield f"  int8 vectors find {self.agreement:.2%} of the ten best of float32"
        if self.refused is not None and self.caught is not None:
            at = f"cosine {self.gate.cosine:.3f} ({self.gate.source})"
            if self.gate.late_interaction is not None:
                at = f"MaxSim {self.gate.late_interaction:.3f} ({self.gate.late_interaction_source})"
            yield (
                f"  gate at {at}: on the test half it refuses "
                f"{self.refused:.0%} of the answerable and {self.caught:.0%} of the unanswerable questions"
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

    def traces(self, index: SearchIndex) -> Iterator[tuple[Question, Trace]]:
        """Ask every question through all stages, with a clock that stands still."""
        special = self._encoder.count_tokens("")

        def count(text: str) -> int:
            return self._encoder.count_tokens(text) - special

        known = {question.text: vector for question, vector in zip(self.questions, self.vectors, strict=True)}
        pieces = {question.text: found for question, found in zip(self.questions, self.pieces, strict=True)}
        for question in self.questions:
            yield (
                question,
                ask(index, question.text, known.__getitem__, count, lambda: 0.0, pieces.__getitem__),
            )

    def measure(self, index: Index, vectors: NDArray[np.float32]) -> GoldReport:
        """Measure each retriever and the gate on an index.

        Args:
            index: as it was written.
            vectors: float32 [chunks, dims] that its int8 vectors stand for.
        """
        ranks: dict[str, list[int | None]] = {name: [] for name in RETRIEVERS}
        refusals: dict[bool, list[bool]] = {True: [], False: []}
        for question, trace in self.traces(index):
            for name, kind in _STAGES.items():
                if question.answerable:
                    stage = next(stage for stage in trace.stages if isinstance(stage, kind))
                    ranks[name].append(first_relevant_rank([hit.id for hit in stage.hits], question.relevant))
            if question.split == "test":
                gate = next(stage for stage in trace.stages if isinstance(stage, GateStage))
                refusals[question.answerable].append(gate.open is False)
        if index.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        return GoldReport(
            questions=len(self.questions),
            answerable=sum(question.answerable for question in self.questions),
            metrics={name: metrics(found) for name, found in ranks.items()},
            agreement=top_agreement(vectors, quantize(vectors), self.vectors),
            gate=index.gate,
            refused=_share(refusals[True]),
            caught=_share(refusals[False]),
        )


def load_course_gold(
    config: Config, catalogue: Catalogue, chunks: Sequence[Chunk]
) -> tuple[list[Question], list[BuildWarning]]:
    """Read the gold set, if the course has one.

    A label of a lecture that is not released is left out, and so is a question with no other: it cannot be answered
    yet.

    Raises:
        GoldError: it is not valid, or a section does not exist.
    """
    if not config.gold_path.is_file():
        return [], []
    hidden = tuple(f"{lecture.id}/" for lecture in catalogue.unreleased)
    every = load_gold(config.gold_path)
    held_back = {section for question in every for section in question.relevant if section.startswith(hidden)}
    load_gold(config.gold_path, sections_of(chunk.id for chunk in chunks) | held_back)
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
    return questions, warnings


def choose_threshold(
    config: Config,
    chunks: Sequence[Chunk],
    vectors: NDArray[np.float32],
    token_vectors: TokenVectors | None,
    model: ModelFiles,
    run: GoldRun,
) -> tuple[GateThreshold, list[str]]:
    """Choose the gate's thresholds: the configured one, else calibrated on the dev half, else the measured default.

    Returns:
        The thresholds, and questions to offer on an empty page: one of each kind whose answer is right.
    """
    rows = Vectors(*quantize(vectors))
    nearest = [dense(rows, vector, DenseSettings(), lambda ordinal: chunks[ordinal].id) for vector in run.vectors]
    cosines = [hits[0].score if hits else -1.0 for hits in nearest]
    configured = config.settings.retrieval.gate
    cosine, source = _threshold(configured.cosine, run.questions, cosines, DEFAULT_COSINE)
    least, scores = cosine, cosines
    late_interaction, late_interaction_source = None, source
    if token_vectors is not None:
        weights = PieceWeights(token_vectors.chunks, token_vectors.counts)
        scores = [
            _best_max_sim(token_vectors, weights, pieces, hits)
            for pieces, hits in zip(run.pieces, nearest, strict=True)
        ]
        late_interaction, late_interaction_source = _threshold(
            configured.late_interaction, run.questions, scores, DEFAULT_LATE_INTERACTION
        )
        least = late_interaction
    examples = []
    for kind in EXAMPLE_KINDS:
        for question, hits, score in zip(run.questions, nearest, scores, strict=True):
            right = question.relevant and sections_of(hit.id for hit in hits[:1]) & set(question.relevant)
            if question.kind == kind and (right if score >= least else not question.relevant):
                examples.append(question.text)
                break
    threshold = GateThreshold(
        cosine=cosine,
        source=source,
        corpus=corpus_hash(chunks),
        model=model.sha256[ONNX],
        tokenizer=TOKENIZER_FINGERPRINT,
        late_interaction=late_interaction,
        late_interaction_source=late_interaction_source,
    )
    return threshold, examples


def _threshold(
    configured: float | None, questions: Sequence[Question], scores: Sequence[float], default: float
) -> tuple[float, ThresholdSource]:
    if configured is not None:
        return configured, "configured"
    found = _calibrate(questions, scores)
    return (default, "default") if found is None else (found.cosine, "calibrated")


def _best_max_sim(
    vectors: TokenVectors, weights: PieceWeights, pieces: QuestionPieces, hits: Sequence[DenseHit]
) -> float:
    """Over the nearest chunks by cosine, which hold the best of those that are reranked but for rare questions."""
    idf = [weights.idf(piece) for piece in pieces.ids]
    tables = make_tables(pieces.vectors, vectors.bits)
    return max((max_sim(tables, idf, vectors.of(hit.ordinal)).score for hit in hits), default=0.0)


def _calibrate(questions: Sequence[Question], scores: Sequence[float]) -> Calibration | None:
    dev = [(question, score) for question, score in zip(questions, scores, strict=True) if question.split == "dev"]
    return calibrate(
        [score for question, score in dev if question.answerable],
        [score for question, score in dev if not question.answerable],
    )


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
