"""``evaluation.json``: what ``openbook eval`` found, as one document. The page, ``--html`` and ``--json`` draw on it.

Shares and metrics lie between 0 and 1. Ranks are 1-based. Nothing in it depends on the clock but ``ms``, which is None
unless times were asked for: the same input gives the same document.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from openbook.evaluation.gold import Split
from openbook.retrieval.trace import GateScore, ThresholdSource

SCHEMA: Final = 1
FILE: Final = "evaluation.json"


class Interval(msgspec.Struct, frozen=True):
    """Ends of a 95 % interval."""

    low: float
    high: float


class KindMetrics(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the questions of one kind; ``metrics`` by the names in ``metrics.MEASURES``."""

    kind: str
    questions: int
    metrics: dict[str, float]


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One way of ranking.

    Attributes:
        name: ``bm25``, ``fts5``, ``keyword``, ``dense``, ``hybrid``, ``late-interaction``, ``cross-encoder``,
            ``late-interaction-all`` or ``colbert``.
        title: for a person.
        missing: why it was not measured; empty when it was.
        ships: whether it is what the course's settings make the tab do.
        metrics: means over the answerable questions; empty when it was not measured.
        intervals: of each metric, by the bootstrap over questions.
        kinds: the same means by kind of question, where there are several.
        ms: median milliseconds a question of the Python reference, embedding included; None when not measured.
        index_bytes: of the index files that it ranks with, all of them, uncompressed.
        model_bytes: of the weights and the runtime that it needs.
    """

    name: str
    title: str
    missing: str = ""
    ships: bool = False
    metrics: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    kinds: tuple[KindMetrics, ...] = ()
    ms: float | None = None
    index_bytes: int | None = None
    model_bytes: int | None = None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A rung against the one before it, by MRR@10.

    Attributes:
        rung, against: their names.
        difference: of the means.
        interval: of the difference, by the paired bootstrap.
        better, worse: questions whose reciprocal rank rose, and fell.
        p: of the paired randomisation test, two-sided.
        p_holm: the same, adjusted for the number of comparisons.
    """

    rung: str
    against: str
    difference: float
    interval: Interval
    better: int
    worse: int
    p: float
    p_holm: float


class QuestionRanks(msgspec.Struct, frozen=True, kw_only=True):
    """An answerable question, and the rank of the first relevant section or document by each rung.

    Attributes:
        ranks: by the rung's name; None when it is not among the first fifty.
    """

    id: str
    text: str
    kind: str
    split: str
    relevant: tuple[str, ...]
    ranks: dict[str, int | None]

    @property
    def missed(self) -> bool:
        """Whether no rung has anything relevant among the first ten."""
        return all(rank is None or rank > 10 for rank in self.ranks.values())


class GateHalf(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate does to one half of the questions.

    Attributes:
        answerable, unanswerable: how many.
        refused: share of the answerable ones that it refuses; None when there are none.
        caught: share of the others that it refuses.
        caught_by_kind: the same by kind of question.
        auroc: chance that an answerable question scores above another; None with one kind alone.
        auroc_interval: by the bootstrap, questions of each kind drawn apart.
    """

    answerable: int
    unanswerable: int
    refused: float | None
    caught: float | None
    caught_by_kind: dict[str, float]
    auroc: float | None
    auroc_interval: Interval | None


class LeaveOneOut(msgspec.Struct, frozen=True, kw_only=True):
    """How firm the threshold is: chosen again without each question of the dev half in turn.

    Attributes:
        lowest, highest: thresholds that came out.
        refused, caught: shares when each question is judged by the threshold that was chosen without it.
    """

    lowest: float
    highest: float
    refused: float
    caught: float


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """What another threshold would do to one half."""

    threshold: float
    refused: float
    caught: float


class GateQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question's score at the gate."""

    id: str
    text: str
    kind: str
    split: str
    answerable: bool
    score: float
    open: bool


class GateReport(msgspec.Struct, frozen=True, kw_only=True):
    """The abstention gate: chosen on dev, shown on test.

    Attributes:
        decided_by: the score that is compared.
        threshold: with what.
        source: calibrated on the dev half, configured, or the measured default.
        dev, test: what it does.
        gap: distance between the dev scores on either side of the threshold; None unless it was calibrated.
        near: share of the dev half within ``THIN`` / 2 of the threshold.
        thin: whether that is too many for the threshold to hold for others.
        leave_one_out: None unless it was calibrated.
        dev_curve, test_curve: every threshold that makes a difference, the lowest first.
        questions: each with its score.
    """

    decided_by: GateScore
    threshold: float
    source: ThresholdSource
    dev: GateHalf
    test: GateHalf
    gap: float | None
    near: float
    thin: bool
    leave_one_out: LeaveOneOut | None
    dev_curve: tuple[CurvePoint, ...]
    test_curve: tuple[CurvePoint, ...]
    questions: tuple[GateQuestion, ...]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one label: a question, or a sentence with citations."""

    id: str
    text: str
    split: Split
    right: bool


class StageFigure(msgspec.Struct, frozen=True, kw_only=True):
    """Share of the labels that a stage behind the ranking does right.

    Attributes:
        stage: as in the trace: ``rewrite``, ``filter``, ``prompt``, ``answer`` or ``check``.
        measure: what is right, by name. Of second turns ``found`` (its section is among the first five of what it was
            written out as) and ``left_alone`` (a question that stands alone is not rewritten); of filters ``within``
            (all passages are of the lecture that is asked); of prompts ``holds`` (a passage that answers, as a model
            reads it); of quoted answers ``quotes`` (a sentence that answers), ``silent`` (nothing where no sentence of
            the passages does) and ``quiet`` (nothing where the course has no answer); of the check ``trusted``
            (faithful sentences called supported) and ``caught`` (others not).
        outcomes: one a label.
    """

    stage: str
    measure: str
    outcomes: tuple[Outcome, ...]

    def of(self, split: Split) -> list[Outcome]:
        """The labels of one half."""
        return [outcome for outcome in self.outcomes if outcome.split == split]

    def share(self, split: Split) -> float | None:
        """Share of that half that is right; None where it has no label."""
        half = self.of(split)
        return sum(outcome.right for outcome in half) / len(half) if half else None


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured.

    Attributes:
        title: of the course, or the name of the labelled set.
        as_of: day of the release gate; empty for a labelled set.
        passages: chunks, or documents.
        truncated: passages that are longer than the encoder reads.
        corpus, model, tokenizer: hashes by which the index knows what its threshold was found on.
    """

    title: str
    as_of: str
    passages: int
    truncated: int
    corpus: str
    model: str
    tokenizer: str


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """The whole document.

    Attributes:
        date: the day that is measured: that of the release gate, or of the run.
        commit: of the course's repository, with ``+`` when its files differ from it; empty outside of one.
        command: that prints it.
        split: which half the ladder is measured on.
        answerable, unanswerable: questions of that half.
        ladder: in order.
        comparisons: of each measured rung with the measured one before it.
        gate: None when there is no question without an answer, or none with one.
        agreement: share of the ten best by float32 vectors that int8 vectors find too.
        questions: the answerable ones of that half.
        downstream: figures of the stages behind the ranking, both halves; empty without labels for them.
    """

    schema: Literal[1] = 1
    subject: Subject
    date: str
    commit: str
    command: str
    split: Literal["dev", "test", "all"]
    answerable: int
    unanswerable: int
    ladder: tuple[Rung, ...]
    comparisons: tuple[Comparison, ...]
    gate: GateReport | None
    agreement: float | None
    questions: tuple[QuestionRanks, ...]
    downstream: tuple[StageFigure, ...] = ()

    @property
    def measured(self) -> list[Rung]:
        """The rungs that were measured."""
        return [rung for rung in self.ladder if not rung.missing]

    @property
    def missed(self) -> list[QuestionRanks]:
        """The questions that every rung misses."""
        return [question for question in self.questions if question.missed]

    def rung(self, name: str) -> Rung | None:
        """The rung of that name, if it was measured."""
        return next((rung for rung in self.measured if rung.name == name), None)
