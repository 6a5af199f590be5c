"""Calibrating the abstention gate: a threshold on a score from questions whose answers are known.

The rule: among the thresholds that refuse at most ``MOST_REFUSED`` of the answerable questions, the one that catches
the most unanswerable ones; among equals, the one that refuses the fewest. It stands in the middle between two scores:
the next question will have neither of them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

MOST_REFUSED: Final = 0.05
"""A wrong refusal still shows the passages; more of them than one in twenty make a reader stop asking."""

DEFAULT_COSINE: Final = 0.31
"""For a course without a gold set; measured with the encoder that ships on squad2-half-dev (646 passages, embedded as
chunks are: title, then text; every second question by a hash of its id held out): the rule above with 2 % instead of
5 %, since a course is not an encyclopaedia. It refuses 2.0 % of the answerable questions it was found on and 2.4 % of
those held out, and catches 78 % and 76 % of the off-topic ones; of near-misses, which are about something that the
passages do hold, it catches 5 %."""

DEFAULT_ANSWERABILITY: Final = 0.45
"""The same for the question's answerability, from the course that ships, whose questions share fewer words with their
passages than an encyclopaedia's. What a threshold refuses depends on how much a course holds: this one refuses 12 % of
the answerable questions of a single lecture, 6 % of two lectures', 3 % of four, 2 % of eight and 1 % of all seventeen,
which is the rule above on the mean of the five. Of the questions of all other lectures it catches 67, 53, 42 and 40 %,
of those on other subjects 99, 99, 96, 93 and 86 % (``python -m bench answerability``)."""

THIN: Final = 0.02
"""About what a reworded question moves its score by."""

MOST_NEAR: Final = 0.1
"""With more of the questions than that so near the threshold, it may well not hold for others."""


class Calibration(msgspec.Struct, frozen=True, kw_only=True):
    """A threshold and what it does to the questions it was found on.

    Attributes:
        threshold: the gate opens at this score and above.
        refused: share of the answerable questions below it.
        caught: share of the unanswerable questions below it.
        gap: distance between the scores on either side of it. The more questions, the narrower it is.
        near: share of all the questions whose score lies within ``THIN`` / 2 of it.
        answerable, unanswerable: how many questions there were.
    """

    threshold: float
    refused: float
    caught: float
    gap: float
    near: float
    answerable: int
    unanswerable: int

    @property
    def thin(self) -> bool:
        """Whether the threshold stands where many questions are."""
        return self.near > MOST_NEAR


def calibrate(
    answerable: Sequence[float], unanswerable: Sequence[float], most_refused: float = MOST_REFUSED
) -> Calibration | None:
    """Choose a threshold.

    Args:
        answerable: score of each question that the notes answer.
        unanswerable: score of each that they do not.
        most_refused: share of the answerable ones that may be refused.

    Returns:
        None when one of the two kinds is missing: nothing can be calibrated then.
    """
    if not answerable or not unanswerable:
        return None
    yes, no = np.sort(np.asarray(answerable, dtype=np.float64)), np.sort(np.asarray(unanswerable, dtype=np.float64))
    every = np.sort(np.concatenate([yes, no]))
    scores = np.unique(every)
    # Below the least score nothing is caught: that stands for "refuse nobody", at a distance that the last bits of
    # another processor's score do not cross.
    low, high = np.concatenate([scores[:1] - THIN, scores[:-1]]), scores
    thresholds = (low + high) / 2
    refused = np.searchsorted(yes, thresholds, side="left") / len(yes)
    caught = np.searchsorted(no, thresholds, side="left") / len(no)
    allowed = refused <= most_refused
    # The last key of lexsort counts first, and of equals the first stays: the lowest threshold.
    best = int(np.lexsort((thresholds, refused, -caught, ~allowed))[0])
    threshold = float(thresholds[best])
    return Calibration(
        threshold=threshold,
        refused=float(refused[best]),
        caught=float(caught[best]),
        gap=float(high[best] - low[best]),
        near=float(np.mean(np.abs(every - threshold) <= THIN / 2 + 1e-9)),
        answerable=len(yes),
        unanswerable=len(no),
    )
