"""Whether two traces of one question agree: the tab's and the reference's.

Ids must stand in the same order, scores must lie within ``SCORE_TOLERANCE`` (``CROSS_TOLERANCE`` where a cross-encoder
gave them, whose logits are ten times as great as cosines), and the gate, the prompt and the answer
must be the same. Two neighbours whose scores differ by less than ``TIE`` may stand either way round, since the
encoder's last bits are the backend's own; that is not hidden but told apart, with what follows from it in later stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, Protocol

import msgspec

from openbook.retrieval.trace import (
    AnswerStage,
    DenseStage,
    EmbedStage,
    FuseStage,
    GateStage,
    KeywordStage,
    PromptStage,
    RerankStage,
    Stage,
    Trace,
)

SCORE_TOLERANCE: Final = 1e-5
CROSS_TOLERANCE: Final = 1e-4
TIE: Final = 1e-6


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something in which the two do not agree.

    Attributes:
        question: as it was asked.
        stage: where.
        what: of the stage, such as "rank 3" or "prompt".
        tab, reference: what each has.
    """

    question: str
    stage: str
    what: str
    tab: str
    reference: str

    def __str__(self) -> str:
        return f"{self.question!r}, {self.stage}, {self.what}: the tab has {self.tab}, the reference {self.reference}"


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """What comparing two traces found.

    Attributes:
        differences: that mean something is wrong.
        ties: near-ties that stand the other way round, and what follows from them in later stages.
        largest: stage → the greatest difference between two scores of one chunk.
    """

    differences: tuple[Difference, ...]
    ties: tuple[Difference, ...]
    largest: dict[str, float]


class _Hit(Protocol):
    @property
    def ordinal(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def score(self) -> float: ...


def compare_traces(tab: Trace, reference: Trace) -> Agreement:
    """Compare what the tab did with what the reference did."""
    comparison = _Comparison(reference.question)
    for ours, theirs in zip_longest(tab.stages, reference.stages):
        if ours is None or theirs is None or type(ours) is not type(theirs):
            comparison.differ("stages", "names", _names(tab.stages), _names(reference.stages))
            break
        comparison.stage(ours, theirs)
    comparison.now("passages")
    comparison.same("filter", tab.filter, reference.filter)
    comparison.same("ids", [passage.id for passage in tab.passages], [passage.id for passage in reference.passages])
    comparison.same("texts", [passage.text for passage in tab.passages], [p.text for p in reference.passages])
    return Agreement(differences=tuple(comparison.differences), ties=tuple(comparison.ties), largest=comparison.largest)


def _names(stages: Sequence[Stage]) -> list[str]:
    return [str(stage.__struct_config__.tag) for stage in stages]


class _Comparison:
    """Collects what differs, and knows whether a tie came before."""

    def __init__(self, question: str) -> None:
        self.question = question
        self.differences: list[Difference] = []
        self.ties: list[Difference] = []
        self.largest: dict[str, float] = {}
        self._stage = ""
        self.tolerance = SCORE_TOLERANCE

    def now(self, stage: str) -> None:
        """What is compared from here on is of that stage."""
        self._stage = stage

    def differ(self, stage: str, what: str, tab: Any, reference: Any, *, tie: bool = False) -> None:
        """Note a difference; after a tie in an earlier stage, as one that follows from it."""
        follows = any(one.stage != stage for one in self.ties)
        (self.ties if tie or follows else self.differences).append(
            Difference(question=self.question, stage=stage, what=what, tab=_short(tab), reference=_short(reference))
        )

    def same(self, what: str, tab: Any, reference: Any) -> None:
        """The two must be equal."""
        if tab != reference:
            self.differ(self._stage, what, *_where(tab, reference))

    def near(self, what: str, tab: float | None, reference: float | None) -> None:
        """The two must be equal but for the tolerance."""
        if tab is None or reference is None:
            self.same(what, tab, reference)
            return
        self.largest[self._stage] = max(self.largest.get(self._stage, 0.0), abs(tab - reference))
        if abs(tab - reference) > self.tolerance:
            self.differ(self._stage, what, tab, reference)

    def stage(self, tab: Stage, reference: Stage) -> None:
        """Compare one stage: that it was done, how much it gave, and what."""
        self.now(str(tab.__struct_config__.tag))
        self.same("state", (tab.state, tab.reason), (reference.state, reference.reason))
        self.same("counts", (tab.input, tab.output), (reference.input, reference.output))
        for kind, compare in _STAGES:
            if isinstance(tab, kind):
                compare(self, tab, reference)

    def hits(self, tab: Sequence[_Hit], reference: Sequence[_Hit]) -> None:
        """Compare two rankings, place by place."""
        self.same("number of hits", len(tab), len(reference))
        for rank, (ours, theirs) in enumerate(zip(tab, reference, strict=False), 1):
            apart = abs(ours.score - theirs.score)
            if ours.id == theirs.id:
                self.near(f"score at rank {rank}", ours.score, theirs.score)
            else:
                self.differ(self._stage, f"rank {rank}", _hit(ours), _hit(theirs), tie=apart < TIE)

    def numbers(self, tab: Sequence[msgspec.Struct], reference: Sequence[msgspec.Struct], what: str) -> None:
        """Compare two lists of structs: numbers nearly, everything else exactly."""
        self.same(f"number of {what}", len(tab), len(reference))
        for place, (ours, theirs) in enumerate(zip(tab, reference, strict=False), 1):
            for field in ours.__struct_fields__:
                left, right = getattr(ours, field), getattr(theirs, field)
                name = f"{what} {place}, {field}"
                if isinstance(left, float) and isinstance(right, float):
                    self.near(name, left, right)
                else:
                    self.same(name, left, right)


def _keyword(comparison: _Comparison, tab: KeywordStage, reference: KeywordStage) -> None:
    comparison.near("average length of a title", tab.average_lengths.title, reference.average_lengths.title)
    comparison.near("average length of a text", tab.average_lengths.text, reference.average_lengths.text)
    comparison.numbers(tab.terms, reference.terms, "term")
    comparison.hits(tab.hits, reference.hits)


def _embed(comparison: _Comparison, tab: EmbedStage, reference: EmbedStage) -> None:
    comparison.same("word pieces", tab.tokens, reference.tokens)


def _ranking(comparison: _Comparison, tab: DenseStage | FuseStage, reference: DenseStage | FuseStage) -> None:
    comparison.hits(tab.hits, reference.hits)


def _rerank(comparison: _Comparison, tab: RerankStage, reference: RerankStage) -> None:
    comparison.same("mode", tab.parameters.mode, reference.parameters.mode)
    if reference.parameters.mode == "cross-encoder":
        comparison.tolerance = CROSS_TOLERANCE
    comparison.numbers(tab.pieces, reference.pieces, "word piece")
    comparison.hits(tab.hits, reference.hits)


def _gate(comparison: _Comparison, tab: GateStage, reference: GateStage) -> None:
    comparison.tolerance = CROSS_TOLERANCE if reference.decided_by == "cross_encoder" else SCORE_TOLERANCE
    comparison.same("open", tab.open, reference.open)
    comparison.same("threshold", tab.parameters, reference.parameters)
    comparison.same("decided by", tab.decided_by, reference.decided_by)
    comparison.near("cosine", tab.cosine, reference.cosine)
    comparison.near("late interaction", tab.late_interaction, reference.late_interaction)
    comparison.same("words that stand nowhere", tab.absent, reference.absent)
    comparison.near("coverage", tab.coverage, reference.coverage)
    comparison.near("answerability", tab.answerability, reference.answerability)
    comparison.near("cross-encoder", tab.cross_encoder, reference.cross_encoder)
    comparison.near("margin", tab.margin, reference.margin)


def _prompt(comparison: _Comparison, tab: PromptStage, reference: PromptStage) -> None:
    comparison.tolerance = SCORE_TOLERANCE
    comparison.same("text", tab.text, reference.text)
    comparison.same("word pieces", tab.tokens, reference.tokens)
    comparison.same("words", tab.words, reference.words)
    comparison.numbers(tab.dropped, reference.dropped, "dropped passage")


def _answer(comparison: _Comparison, tab: AnswerStage, reference: AnswerStage) -> None:
    comparison.same("text", tab.text, reference.text)
    comparison.same("sentences below the floor", tab.below_floor, reference.below_floor)
    comparison.numbers(tab.sentences, reference.sentences, "sentence")


_STAGES: Final[tuple[tuple[type[Any], Callable[[_Comparison, Any, Any], None]], ...]] = (
    (KeywordStage, _keyword),
    (EmbedStage, _embed),
    (DenseStage, _ranking),
    (FuseStage, _ranking),
    (RerankStage, _rerank),
    (GateStage, _gate),
    (PromptStage, _prompt),
    (AnswerStage, _answer),
)


def _hit(hit: _Hit) -> str:
    return f"{hit.id} ({hit.score:.7g})"


def _where(tab: Any, reference: Any) -> tuple[Any, Any]:
    """Of two long texts, the places from which on they differ."""
    if isinstance(tab, str) and isinstance(reference, str):
        place = next(_differing(tab, reference), min(len(tab), len(reference)))
        start = max(0, place - 20)
        return tab[start:], reference[start:]
    return tab, reference


def _differing(first: str, second: str) -> Iterator[int]:
    return (place for place, (left, right) in enumerate(zip(first, second, strict=False)) if left != right)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"
