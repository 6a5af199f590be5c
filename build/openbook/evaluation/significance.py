"""How sure a figure is: bootstrap intervals and paired tests, seeded, so that the same input gives the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

SAMPLES: Final = 10_000
CONFIDENCE: Final = 0.95
SEED: Final = 20260101

_EXACT: Final = 12
"""Up to so many differences every assignment of signs is tried: 4,096 of them."""

_BLOCK: Final = 4_000_000
"""Numbers drawn at a time, so that thousands of questions need no gigabytes."""

Floats = NDArray[np.float64]


def bootstrap(values: Floats, samples: int = SAMPLES, seed: int = SEED) -> tuple[Floats, Floats]:
    """Percentile interval of each mean, the questions drawn with replacement (Efron, 1979).

    Args:
        values: float64 [questions] or [questions, measures].
        samples: how often the questions are drawn.
        seed: of the draws; with one seed all rungs of a ladder are drawn alike.

    Returns:
        Lower and upper ends of the 95 % interval, float64 [] or [measures]; both the mean for a single question.

    Raises:
        ValueError: there is no question.
    """
    count = len(values)
    if not count:
        raise ValueError("an interval needs at least one question")
    generator = np.random.default_rng(seed)
    means = []
    step = max(1, _BLOCK // count)
    for start in range(0, samples, step):
        # Counts of each question instead of its number: a mean is then one product of matrices.
        drawn = generator.multinomial(count, np.full(count, 1 / count), min(step, samples - start))
        means.append(drawn.astype(np.float64) @ values / count)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail], axis=0)
    return np.asarray(low), np.asarray(high)


def randomisation_test(difference: Floats, samples: int = SAMPLES, seed: int = SEED) -> float:
    """Two-sided p value of a mean difference, by the paired randomisation test.

    Under the null hypothesis it is chance which of two systems got which of a question's two scores, so each difference
    may have either sign (Fisher's test, as Smucker, Allan and Carterette, CIKM 2007, advise for rankings).

    Args:
        difference: float64 [questions].
        samples: assignments of signs that are drawn; with few differences all are tried instead.
        seed: of the draws.

    Returns:
        Share of the assignments whose mean is at least as far from 0, the one that was observed included; 1 when no
        question differs.
    """
    moved = difference[difference != 0]
    if not len(moved):
        return 1.0
    # Sums of the same numbers in another order differ in their last bits.
    observed = abs(float(moved.sum())) - 1e-12
    if len(moved) <= _EXACT:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(moved))))
        return float(np.mean(np.abs(signs @ moved) >= observed))
    generator = np.random.default_rng(seed)
    beyond = 0
    step = max(1, _BLOCK // len(moved))
    for start in range(0, samples, step):
        signs = generator.integers(0, 2, (min(step, samples - start), len(moved)), dtype=np.int8) * 2.0 - 1.0
        beyond += int(np.sum(np.abs(signs @ moved) >= observed))
    return (beyond + 1) / (samples + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p values for there being several tests (Holm, 1979): each is at least as great as it was."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    greatest = 0.0
    for place, i in enumerate(order):
        greatest = max(greatest, min(1.0, p_values[i] * (len(order) - place)))
        adjusted[i] = greatest
    return adjusted


def auroc(answerable: Floats, unanswerable: Floats) -> float:
    """Chance that an answerable question scores above an unanswerable one; equal scores count half.

    Raises:
        ValueError: one of the kinds is missing.
    """
    if not len(answerable) or not len(unanswerable):
        raise ValueError("AUROC needs questions of both kinds")
    ordered = np.sort(unanswerable)
    below = np.searchsorted(ordered, answerable, side="left")
    not_above = np.searchsorted(ordered, answerable, side="right")
    return float((below + not_above).sum() / 2 / (len(answerable) * len(unanswerable)))
