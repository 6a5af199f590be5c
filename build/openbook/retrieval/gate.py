"""The abstention gate: whether anything is answered at all.

A search always returns its top five, whatever it was asked, and a small model answers from whatever it is shown.
So the decision is made in code, before any answer: from the best score of the cross-encoder where the reader has
switched that on, else from the best MaxSim where there is late interaction, which tells questions on other subjects
from the course's far better than the best cosine, which decides where there is neither.
"""

from __future__ import annotations

import msgspec

from openbook.errors import GateError
from openbook.retrieval.trace import GateScore, GateThreshold, ThresholdSource


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate decided.

    Attributes:
        cosine: best of the dense list.
        late_interaction: best MaxSim, or None without late interaction.
        cross_encoder: best score of the cross-encoder, or None without.
        decided_by: the score that was compared.
        threshold: what it was compared with.
        source: where that comes from.
        margin: the score minus the threshold, negative when the gate is closed.
    """

    open: bool
    cosine: float
    late_interaction: float | None
    cross_encoder: float | None
    decided_by: GateScore
    threshold: float
    source: ThresholdSource
    margin: float


def gate(
    cosine: float,
    late_interaction: float | None,
    threshold: GateThreshold | None,
    cross_encoder: float | None = None,
) -> Verdict:
    """Open when the score that decides reaches its threshold.

    Raises:
        GateError: the index has no threshold.
    """
    if threshold is None:
        raise GateError(
            "the index has no threshold for the abstention gate.",
            hint="Build it again, or set `cosine` under [retrieval.gate].",
        )
    decided_by: GateScore
    if cross_encoder is not None and threshold.cross_encoder is not None:
        decided_by, score = "cross_encoder", cross_encoder
        least, source = threshold.cross_encoder, threshold.cross_encoder_source
    elif late_interaction is not None and threshold.late_interaction is not None:
        decided_by, score = "late_interaction", late_interaction
        least, source = threshold.late_interaction, threshold.late_interaction_source
    else:
        decided_by, score, least, source = "cosine", cosine, threshold.cosine, threshold.source
    return Verdict(
        open=score >= least,
        cosine=cosine,
        late_interaction=late_interaction,
        cross_encoder=cross_encoder,
        decided_by=decided_by,
        threshold=least,
        source=source,
        margin=score - least,
    )


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
