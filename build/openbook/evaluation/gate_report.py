"""What the gate's threshold does: chosen on the dev half, shown on the test half, with everything that it could be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from openbook.evaluation.calibration import MOST_NEAR, THIN, calibrate
from openbook.evaluation.report import CurvePoint, GateHalf, GateQuestion, GateReport, Interval, LeaveOneOut
from openbook.evaluation.significance import CONFIDENCE, SEED, auroc
from openbook.retrieval.trace import GateScore, ThresholdSource

AUROC_SAMPLES: Final = 1000
MOST_LEFT_OUT: Final = 400
"""Of a large set so many questions, evenly spread, are left out in turn."""

Floats = NDArray[np.float64]


class Scored(NamedTuple):
    """A question with the score that the gate would compare."""

    id: str
    text: str
    kind: str
    split: str
    answerable: bool
    score: float


def report_gate(
    scored: Sequence[Scored], decided_by: GateScore, threshold: float, source: ThresholdSource
) -> GateReport:
    """Say what a threshold does.

    Args:
        scored: questions of both halves.
        decided_by: which score theirs is.
        threshold: a score below it is refused.
        source: where it comes from.
    """
    dev = [one for one in scored if one.split == "dev"]
    test = [one for one in scored if one.split == "test"]
    yes, no = _scores(dev)
    found = calibrate(yes.tolist(), no.tolist()) if source == "calibrated" else None
    near = sum(abs(one.score - threshold) <= THIN / 2 + 1e-9 for one in dev) / len(dev) if dev else 0.0
    return GateReport(
        decided_by=decided_by,
        threshold=threshold,
        source=source,
        dev=_half(dev, threshold),
        test=_half(test, threshold),
        gap=None if found is None else found.gap,
        near=near,
        thin=near > MOST_NEAR,
        leave_one_out=None if found is None else _leave_one_out(dev),
        dev_curve=tuple(curve(yes, no)),
        test_curve=tuple(curve(*_scores(test))),
        questions=tuple(
            GateQuestion(
                id=one.id, text=one.text, kind=one.kind, split=one.split, answerable=one.answerable, score=one.score,
                open=one.score >= threshold,
            )
            for one in scored
        ),
    )  # fmt: skip


def curve(answerable: Floats, unanswerable: Floats) -> list[CurvePoint]:
    """What each threshold that makes a difference would do, the lowest first; none with one kind alone.

    A threshold stands between two scores; the first is below all, the last above all.
    """
    if not len(answerable) or not len(unanswerable):
        return []
    scores = np.unique(np.concatenate([answerable, unanswerable]))
    thresholds = [scores[0], *((scores[:-1] + scores[1:]) / 2), np.nextafter(scores[-1], np.inf)]
    yes, no = np.sort(answerable), np.sort(unanswerable)
    return [
        CurvePoint(
            threshold=float(threshold),
            refused=float(np.searchsorted(yes, threshold, side="left") / len(yes)),
            caught=float(np.searchsorted(no, threshold, side="left") / len(no)),
        )
        for threshold in thresholds
    ]


def _scores(scored: Sequence[Scored]) -> tuple[Floats, Floats]:
    return (
        np.array([one.score for one in scored if one.answerable], dtype=np.float64),
        np.array([one.score for one in scored if not one.answerable], dtype=np.float64),
    )


def _half(scored: Sequence[Scored], threshold: float) -> GateHalf:
    yes, no = _scores(scored)
    kinds = dict.fromkeys(one.kind for one in scored if not one.answerable)
    both = len(yes) and len(no)
    return GateHalf(
        answerable=len(yes),
        unanswerable=len(no),
        refused=float(np.mean(yes < threshold)) if len(yes) else None,
        caught=float(np.mean(no < threshold)) if len(no) else None,
        caught_by_kind={
            kind: float(np.mean([one.score < threshold for one in scored if not one.answerable and one.kind == kind]))
            for kind in kinds
        },
        auroc=auroc(yes, no) if both else None,
        auroc_interval=_auroc_interval(yes, no) if both else None,
    )


def _auroc_interval(yes: Floats, no: Floats) -> Interval:
    generator = np.random.default_rng(SEED)
    found = [
        auroc(yes[generator.integers(0, len(yes), len(yes))], no[generator.integers(0, len(no), len(no))])
        for _ in range(AUROC_SAMPLES)
    ]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high))


def _leave_one_out(dev: Sequence[Scored]) -> LeaveOneOut | None:
    """None when a kind has a single question: without it there is nothing to calibrate on."""
    left = dev if len(dev) <= MOST_LEFT_OUT else [dev[i * len(dev) // MOST_LEFT_OUT] for i in range(MOST_LEFT_OUT)]
    thresholds = []
    judged: dict[bool, list[bool]] = {True: [], False: []}
    for one in left:
        yes, no = _scores([other for other in dev if other is not one])
        found = calibrate(yes.tolist(), no.tolist())
        if found is None:
            return None
        thresholds.append(found.threshold)
        judged[one.answerable].append(one.score < found.threshold)
    if not judged[True] or not judged[False]:
        return None
    return LeaveOneOut(
        lowest=min(thresholds),
        highest=max(thresholds),
        refused=sum(judged[True]) / len(judged[True]),
        caught=sum(judged[False]) / len(judged[False]),
    )
