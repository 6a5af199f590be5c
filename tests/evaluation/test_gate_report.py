"""The gate's report: chosen on dev, shown on test."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from openbook.evaluation.calibration import calibrate
from openbook.evaluation.gate_report import Scored, curve, report_gate


def scored(split: str, answerable: list[float], unanswerable: list[float], kind: str = "off-topic") -> list[Scored]:
    yes = [Scored(f"{split}-yes-{i}", "", "paraphrase", split, True, score) for i, score in enumerate(answerable)]
    return [*yes, *(Scored(f"{split}-no-{i}", "", kind, split, False, score) for i, score in enumerate(unanswerable))]


DEV = scored("dev", [0.5, 0.6, 0.7, 0.9], [0.1, 0.2, 0.55])
TEST = scored("test", [0.2, 0.6], [0.1, 0.3, 0.8])


def test_a_threshold_of_the_dev_half_is_shown_on_the_test_half() -> None:
    found = calibrate([0.5, 0.6, 0.7, 0.9], [0.1, 0.2, 0.55])
    assert found is not None
    report = report_gate([*DEV, *TEST], "cosine", found.threshold, "calibrated")
    assert report.threshold == pytest.approx(0.35)
    assert (report.dev.refused, report.dev.caught) == (0, pytest.approx(2 / 3))
    assert (report.test.refused, report.test.caught) == (0.5, pytest.approx(2 / 3))
    assert report.test.caught_by_kind == {"off-topic": pytest.approx(2 / 3)}
    assert report.gap == pytest.approx(0.3)
    # Of six pairs 0.2 > 0.1, 0.6 > 0.1, 0.6 > 0.3 are in order.
    assert report.test.auroc == pytest.approx(3 / 6)
    assert [one.id for one in report.questions if not one.open and one.answerable] == ["test-yes-0"]


def test_leave_one_out_judges_each_question_by_a_threshold_that_did_not_see_it() -> None:
    report = report_gate(DEV, "cosine", 0.35, "calibrated")
    left = report.leave_one_out
    assert left is not None
    # Without 0.5, the threshold moves up to between 0.55 and 0.6 and would have refused it.
    assert left.highest == pytest.approx(0.575)
    assert left.refused == pytest.approx(1 / 4)
    # Without 0.2 it moves down to between 0.1 and 0.5, and still catches 0.2.
    assert left.lowest == pytest.approx(0.3)
    assert left.caught == pytest.approx(2 / 3)


def test_a_single_question_without_an_answer_cannot_be_left_out() -> None:
    report = report_gate(scored("dev", [0.5, 0.6], [0.1]), "cosine", 0.3, "calibrated")
    assert report.leave_one_out is None


def test_a_configured_threshold_has_no_gap_and_no_stability_to_speak_of() -> None:
    report = report_gate([*DEV, *TEST], "cosine", 0.58, "configured")
    assert (report.gap, report.leave_one_out) == (None, None)
    assert report.dev.refused == 0.25


def test_the_curve_goes_from_refusing_nobody_to_refusing_all_and_never_back() -> None:
    generator = np.random.default_rng(0)
    points = curve(generator.normal(1, 1, 40), generator.normal(0, 1, 30))
    assert (points[0].refused, points[0].caught) == (0, 0)
    assert (points[-1].refused, points[-1].caught) == (1, 1)
    for before, after in pairwise(points):
        assert before.threshold < after.threshold
        assert before.refused <= after.refused
        assert before.caught <= after.caught
    assert curve(np.array([0.5]), np.array([])) == []


def test_many_questions_near_the_threshold_are_called_thin() -> None:
    crowded = scored("dev", [0.501, 0.502, 0.503, 0.9], [0.499, 0.498, 0.1])
    assert report_gate(crowded, "cosine", 0.5, "calibrated").thin
    assert not report_gate(DEV, "cosine", 0.35, "calibrated").thin
