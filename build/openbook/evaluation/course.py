"""A course's gold set at build time: the gate's threshold from its dev half, and what retrieval does on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.chunking import Chunk
from openbook.config import Config, DenseSettings
from openbook.course.catalogue import Catalogue
from openbook.errors import BuildWarning
from openbook.evaluation.calibration import DEFAULT_COSINE, Calibration, calibrate
from openbook.evaluation.gold import Question, load_gold, sections_of
from openbook.evaluation.metrics import Metrics, first_relevant_rank, metrics
from openbook.index.manifest import corpus_hash
from openbook.index.read import Index
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.vectors import quantize, top_agreement
from openbook.models.embeddings import EmbeddingCache, embed
from openbook.models.encoder import Encoder
from openbook.models.registry import ONNX, ModelFiles
from openbook.retrieval.collection import SearchIndex
from openbook.retrieval.dense import Vectors, dense
from openbook.retrieval.pipeline import ask
from openbook.retrieval.trace import (
    DenseStage,
    FuseStage,
    GateStage,
    GateThreshold,
    KeywordStage,
    ThresholdSource,
    Trace,
)

RETRIEVERS = ("keyword", "dense", "hybrid")
_STAGES: Mapping[str, type[KeywordStage | DenseStage | FuseStage]] = {
    "keyword": KeywordStage,
    "dense": DenseStage,
    "hybrid": FuseStage,
}
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
            yield (
                f"  gate at cosine {self.gate.cosine:.3f} ({self.gate.source}): on the test half it refuses "
                f"{self.refused:.0%} of the answerable and {self.caught:.0%} of the unanswerable questions"
            )


class GoldRun:
    """The questions with their vectors.

    Attributes:
        questions: that can be asked of the released lectures.
        vectors: float32 [questions, dims].
    """

    def __init__(self, questions: Sequence[Question], vectors: NDArray[np.float32], encoder: Encoder) -> None:
        self.questions = tuple(questions)
        self.vectors = vectors
        self._encoder = encoder

    @classmethod
    def of(cls, questions: Sequence[Question], encoder: Encoder, cache: EmbeddingCache | None) -> Self:
        """Embed the questions."""
        return cls(questions, embed(encoder, [question.text for question in questions], cache).vectors, encoder)

    def traces(self, index: SearchIndex) -> Iterator[tuple[Question, Trace]]:
        """Ask every question through all stages, with a clock that stands still."""
        special = self._encoder.count_tokens("")

        def count(text: str) -> int:
            return self._encoder.count_tokens(text) - special

        known = {question.text: vector for question, vector in zip(self.questions, self.vectors, strict=True)}
        for question in self.questions:
            yield question, ask(index, question.text, known.__getitem__, count, lambda: 0.0)

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
    config: Config, chunks: Sequence[Chunk], vectors: NDArray[np.float32], model: ModelFiles, run: GoldRun
) -> tuple[GateThreshold, list[str]]:
    """Choose the gate's threshold: the configured one, else calibrated on the dev half, else the measured default.

    Returns:
        The threshold, and questions to offer on an empty page: one of each kind whose answer is right.
    """
    rows = Vectors(*quantize(vectors))
    best = [dense(rows, vector, DenseSettings(depth=1), lambda ordinal: chunks[ordinal].id) for vector in run.vectors]
    cosines = [hits[0].score if hits else -1.0 for hits in best]
    configured = config.settings.retrieval.gate.cosine
    found = _calibrate(run.questions, cosines)
    cosine = configured if configured is not None else found.cosine if found is not None else DEFAULT_COSINE
    source: ThresholdSource = (
        "configured" if configured is not None else "calibrated" if found is not None else "default"
    )
    examples = []
    for kind in EXAMPLE_KINDS:
        for question, hits, score in zip(run.questions, best, cosines, strict=True):
            right = question.relevant and sections_of(hit.id for hit in hits) & set(question.relevant)
            if (
                question.kind == kind
                and question.follows is None
                and (right if score >= cosine else not question.relevant)
            ):
                examples.append(question.text)
                break
    threshold = GateThreshold(
        cosine=cosine,
        source=source,
        corpus=corpus_hash(chunks),
        model=model.sha256[ONNX],
        tokenizer=TOKENIZER_FINGERPRINT,
    )
    return threshold, examples


def _calibrate(questions: Sequence[Question], cosines: Sequence[float]) -> Calibration | None:
    dev = [(question, cosine) for question, cosine in zip(questions, cosines, strict=True) if question.split == "dev"]
    return calibrate(
        [cosine for question, cosine in dev if question.answerable],
        [cosine for question, cosine in dev if not question.answerable],
    )


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
