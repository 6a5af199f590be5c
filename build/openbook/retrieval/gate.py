"""The abstention gate: whether anything is answered at all.

A search always returns its top five, whatever it was asked, and a small model answers from whatever it is shown.
So the decision is made in code, before any answer: from the best score of the cross-encoder where the reader has
switched that on, else from the question's answerability where there is late interaction, else from the best cosine,
which tells questions on other subjects from the course's far worse.

Answerability is the best MaxSim and, with a small weight, the coverage of the question: how much of what it says is in
the course's vocabulary at all. A neighbour of what is taught matches many of a passage's words ("How does SMOTE create
synthetic minority samples?") and asks about the one that is nowhere. That a query's rare terms must occur is an old
predictor of whether anything answers it (He and Ounis, *Inferring query performance using pre-retrieval predictors*,
SPIRE 2004, have the terms' IDF; Hauff, Hiemstra and de Jong, CIKM 2008, compare them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from openbook.errors import GateError
from openbook.index.tokens import tokenize
from openbook.retrieval.keyword import term_weights
from openbook.retrieval.passages import collapse
from openbook.retrieval.trace import GateScore, GateStage, GateThreshold, QueryTerm, ThresholdSource
from openbook.retrieval.words import as_typed

COVERAGE: Final = 0.2
"""Weight of the coverage beside MaxSim's 1; `python -m bench answerability` compares others."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate decided.

    Attributes:
        cosine: best of the dense list.
        late_interaction: best MaxSim, or None without late interaction.
        coverage: of the question.
        absent: its words that stand nowhere in the course.
        answerability: of both; None without late interaction.
        cross_encoder: best score of the cross-encoder, or None without.
        decided_by: the score that was compared.
        threshold: what it was compared with.
        source: where that comes from.
        margin: the score minus the threshold, negative when the gate is closed.
    """

    open: bool
    cosine: float
    late_interaction: float | None
    coverage: float
    absent: tuple[str, ...]
    answerability: float | None
    cross_encoder: float | None
    decided_by: GateScore
    threshold: float
    source: ThresholdSource
    margin: float


class Coverage(NamedTuple):
    """How much of a question stands anywhere in the course.

    Attributes:
        share: of its terms, weighted by their IDF: 0 to 1, and 1 for a question without terms.
        absent: its words that stand nowhere, nor any part of them, as they were typed.
    """

    share: float
    absent: tuple[str, ...]


def cover(question: str, terms: Sequence[QueryTerm], chunks: int) -> Coverage:
    """Look which of a question's terms the course has.

    Args:
        question: as it was typed.
        terms: of it, with the number of chunks that hold each.
        chunks: in the index.
    """
    held = total = 0.0
    present: dict[str, bool] = {}
    for term, weight in zip(terms, term_weights(terms, chunks), strict=True):
        present[term.term] = term.title_chunks + term.text_chunks > 0
        total += weight
        if present[term.term]:
            held += weight
    absent = []
    for word in as_typed(collapse(question)):
        found = [present[token] for token in tokenize(word) if token in present]
        if found and not any(found):
            absent.append(word)
    return Coverage(held / total if total > 0 else 1.0, tuple(dict.fromkeys(absent)))


def answerability(late_interaction: float, coverage: float) -> float:
    """Mean of the best MaxSim and, with the weight ``COVERAGE``, the question's coverage."""
    return (late_interaction + COVERAGE * coverage) / (1 + COVERAGE)


def gate(
    cosine: float,
    late_interaction: float | None,
    covered: Coverage,
    threshold: GateThreshold | None,
    cross_encoder: float | None = None,
) -> Verdict:
    """Open when the score that decides reaches its threshold.

    Args:
        cosine: best of the dense list.
        late_interaction: best MaxSim, or None without late interaction.
        covered: coverage of the question.
        threshold: of the index.
        cross_encoder: best score of the cross-encoder, or None without.

    Raises:
        GateError: the index has no threshold.
    """
    if threshold is None:
        raise GateError(
            "the index has no threshold for the abstention gate.",
            hint="Build it again, or set a threshold under [retrieval.gate].",
        )
    decided_by: GateScore
    answerable = None if late_interaction is None else answerability(late_interaction, covered.share)
    if cross_encoder is not None and threshold.cross_encoder is not None:
        decided_by, score = "cross_encoder", cross_encoder
        least, source = threshold.cross_encoder, threshold.cross_encoder_source
    elif answerable is not None and threshold.answerability is not None:
        decided_by, score = "answerability", answerable
        least, source = threshold.answerability, threshold.answerability_source
    else:
        decided_by, score, least, source = "cosine", cosine, threshold.cosine, threshold.source
    return Verdict(
        open=score >= least,
        cosine=cosine,
        late_interaction=late_interaction,
        coverage=covered.share,
        absent=covered.absent,
        answerability=answerable,
        cross_encoder=cross_encoder,
        decided_by=decided_by,
        threshold=least,
        source=source,
        margin=score - least,
    )


def decide_again(stage: GateStage, threshold: GateThreshold) -> Verdict | None:
    """What another threshold says of a question that has been asked; None when the gate could not decide."""
    if stage.cosine is None or stage.coverage is None:
        return None
    covered = Coverage(stage.coverage, stage.absent)
    return gate(stage.cosine, stage.late_interaction, covered, threshold, stage.cross_encoder)


def check_threshold(threshold: GateThreshold, *, corpus: str, model: str, tokenizer: str) -> None:
    """Refuse a threshold that was written down with something else: it says nothing about this index.

    Raises:
        GateError: it is stale.
    """
    stale = [
        name
        for name, found, now in (
            ("corpus", threshold.corpus, corpus),
            ("model", threshold.model, model),
            ("tokenizer", threshold.tokenizer, tokenizer),
        )
        if found != now
    ]
    if stale:
        raise GateError(
            f"the gate's threshold was found on another {' and '.join(stale)}.",
            hint="Build the index again: the threshold is calibrated with it.",
        )
