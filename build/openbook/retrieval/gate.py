"""The abstention gate: whether anything is answered at all.

A search always returns its top five, whatever it was asked, and a small model answers from whatever it is shown.
So the decision is made in code, before any answer, from the best cosine.
"""

from __future__ import annotations

import msgspec

from openbook.errors import GateError
from openbook.retrieval.trace import GateThreshold


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate decided.

    Attributes:
        cosine: best of the dense list.
        margin: ``cosine - threshold``, negative when the gate is closed.
    """

    open: bool
    cosine: float
    threshold: float
    margin: float


def gate(cosine: float, threshold: GateThreshold | None) -> Verdict:
    """Open when the best cosine reaches the threshold.

    Raises:
        GateError: the index has no threshold.
    """
    if threshold is None:
        raise GateError(
            "the index has no threshold for the abstention gate.",
            hint="Build it again, or set `cosine` under [retrieval.gate].",
        )
    return Verdict(
        open=cosine >= threshold.cosine,
        cosine=cosine,
        threshold=threshold.cosine,
        margin=cosine - threshold.cosine,
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
