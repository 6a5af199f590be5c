"""Small figures of an evaluation, as SVG: no script, no style of their own but classes that ``evaluation.css`` colours.

Text and lines are ``currentColor`` where no style sheet says otherwise, so a figure reads in light and dark, and on
paper. Each has a title and a description for those who do not see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor
from typing import Final

from openbook.evaluation.report import CurvePoint, Evaluation, GateReport
from openbook.evaluation.sweep_report import Sweep

Scale = Callable[[float], float]
"""A value → its place."""

WIDTH: Final = 640
_LETTER: Final = 7.6
"""Width of a letter in the widest of the fonts that a page is likely to have, at the size of the figures."""
_ROW: Final = 26
_RIGHT: Final = 64
_TOP: Final = 10


def ladder_figure(evaluation: Evaluation, measure: str = "mrr_10", name: str = "MRR@10") -> str:
    """Each measured rung's mean, with its 95 % interval."""
    rungs = evaluation.measured
    bottom = _TOP + _ROW * len(rungs)
    left = _room_for(rung.title for rung in rungs)
    width = WIDTH - left - _RIGHT

    def x(value: float) -> float:
        return left + value * width

    parts = list(_axis(x, (0, 0.25, 0.5, 0.75, 1), _TOP, bottom))
    for row, rung in enumerate(rungs):
        y = _TOP + _ROW * row + _ROW / 2
        mean, interval = rung.metrics[measure], rung.intervals[measure]
        kind = "ships" if rung.ships else "other"
        parts += [
            _text(left - 10, y + 4, rung.title, "end", kind),
            _line(x(interval.low), y, x(interval.high), y, f"interval {kind}"),
            _circle(x(mean), y, 5, f"mean {kind}", f"{mean:.3f}, {interval.low:.3f} to {interval.high:.3f}"),
            _text(WIDTH - _RIGHT + 10, y + 4, f"{mean:.3f}", "start", kind),
        ]
    best = max(rungs, key=lambda rung: rung.metrics[measure], default=None)
    said = f" The best is {best.title} with {best.metrics[measure]:.3f}." if best else ""
    return _svg(
        f"{name} of each ranking",
        f"{name} of {len(rungs)} rankings over {evaluation.answerable} questions, with 95 % intervals.{said}",
        bottom + 26,
        parts,
    )


def sweep_figure(sweep: Sweep) -> str:
    """MRR@10 of each variant: the furthest ranking with its 95 % interval, the others as smaller dots."""
    *others, last = sweep.rankings
    values = [row.metrics[name]["mrr_10"] for row in sweep.rows for name in sweep.rankings]
    ends = [end for row in sweep.rows for end in (row.intervals[last].low, row.intervals[last].high)]
    low = floor(min(values + ends) * 20) / 20
    high = ceil(max(values + ends) * 20) / 20
    left = _room_for(row.label for row in sweep.rows)
    width = WIDTH - left - _RIGHT
    bottom = _TOP + _ROW * len(sweep.rows)

    def x(value: float) -> float:
        return left + (value - low) / ((high - low) or 1) * width

    parts = list(_axis(x, (low, (low + high) / 2, high), _TOP, bottom))
    for number, row in enumerate(sweep.rows):
        y = _TOP + _ROW * number + _ROW / 2
        mean, interval = row.metrics[last]["mrr_10"], row.intervals[last]
        kind = "ships" if row.ships else "other"
        parts += [
            _text(left - 10, y + 4, row.label, "end", kind),
            *(
                _circle(x(row.metrics[name]["mrr_10"]), y, 3, "mean aside", f"{name} {row.metrics[name]['mrr_10']:.3f}")
                for name in others
            ),
            _line(x(interval.low), y, x(interval.high), y, f"interval {kind}"),
            _circle(x(mean), y, 5, f"mean {kind}", f"{last} {mean:.3f}, {interval.low:.3f} to {interval.high:.3f}"),
            _text(WIDTH - _RIGHT + 10, y + 4, f"{mean:.3f}", "start", kind),
        ]
    best = max(sweep.rows, key=lambda row: row.metrics[last]["mrr_10"])
    return _svg(
        f"Sweep over {sweep.name}",
        f"MRR@10 of {last} for {len(sweep.rows)} variants over {sweep.questions} questions, with 95 % intervals. "
        f"The best is {best.label} with {best.metrics[last]['mrr_10']:.3f}.",
        bottom + 26,
        parts,
    )


def curve_figure(gate: GateReport) -> str:
    """The trade-off: share of the unanswerable questions caught against share of the answerable ones refused."""
    size, left = 260, 64
    bottom = _TOP + size

    def x(value: float) -> float:
        return left + value * size

    def y(value: float) -> float:
        return bottom - value * size

    ticks = (0, 0.25, 0.5, 0.75, 1)
    parts = list(_axis(x, ticks, _TOP, bottom))
    for tick in ticks:
        parts += [
            _line(left, y(tick), left + size, y(tick), "grid"),
            _text(left - 8, y(tick) + 4, f"{tick:.0%}", "end", "tick"),
        ]
    parts += [_text(left + size / 2, bottom + 40, "wrongly refused", "middle", "tick")]
    for half, points in (("dev", gate.dev_curve), ("test", gate.test_curve)):
        if points:
            parts.append(f'<path class="curve {half}" fill="none" stroke="currentColor" d="{_steps(points, x, y)}"/>')
    for half, found in (("dev", gate.dev), ("test", gate.test)):
        if found.refused is not None and found.caught is not None:
            said = f"{half}: {found.refused:.0%} refused, {found.caught:.0%} caught"
            parts.append(_circle(x(found.refused), y(found.caught), 5, f"mean {half}", said))
    legend = left + size + 28
    for row, (half, found) in enumerate((("dev", gate.dev), ("test", gate.test))):
        place = _TOP + 20 + row * 44
        area = "" if found.auroc is None else f", AUROC {found.auroc:.3f}"
        shares = ""
        if found.refused is not None and found.caught is not None:
            shares = f"{found.refused:.0%} refused, {found.caught:.0%} caught"
        parts += [
            _line(legend, place - 4, legend + 26, place - 4, f"curve {half}"),
            _text(legend + 34, place, f"{half}{area}", "start", half),
            _text(legend + 34, place + 17, shares, "start", "tick"),
        ]
    return _svg(
        "What the gate catches, and what that costs",
        f"Share of the unanswerable questions that are caught against share of the answerable ones that are wrongly "
        f"refused, for every threshold; the one in use is marked. {_said(gate)}",
        bottom + 50,
        parts,
    )


def strip_figure(gate: GateReport) -> str:
    """Each question's score, by half and by whether it has an answer, and the threshold."""
    rows = [(half, answerable) for half in ("dev", "test") for answerable in (True, False)]
    scores = [question.score for question in gate.questions] + [gate.threshold]
    low, high = min(scores), max(scores)
    spread = (high - low) or 1.0
    low, high = low - spread * 0.04, high + spread * 0.04
    left = _room_for(["test, with an answer (1000)"])
    width = WIDTH - left - 24
    bottom = _TOP + 34 * len(rows)

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * width

    parts = []
    for row, (half, answerable) in enumerate(rows):
        y = _TOP + 34 * row + 17
        questions = [one for one in gate.questions if one.split == half and one.answerable == answerable]
        kind = "answerable" if answerable else "unanswerable"
        label = "with an answer" if answerable else "without"
        parts += [
            _text(left - 10, y + 4, f"{half}, {label} ({len(questions)})", "end", "tick"),
            _line(left, y, left + width, y, "grid"),
            # Equal scores lie beside one another, in a pattern and not by chance: the same figure every time.
            *(
                _circle(x(one.score), y + (number * 7 % 5 - 2) * 3, 3, f"score {kind}", f"{one.text} ({one.score:.3f})")
                for number, one in enumerate(questions)
            ),
        ]
    parts += [
        _line(x(gate.threshold), _TOP, x(gate.threshold), bottom, "threshold"),
        _text(x(gate.threshold), bottom + 18, f"{gate.threshold:.3f}", "middle", "tick"),
    ]
    return _svg(
        "Scores at the gate",
        f"The score of each question: those left of the threshold, {gate.threshold:.3f}, are refused. {_said(gate)}",
        bottom + 26,
        parts,
    )


def _said(gate: GateReport) -> str:
    test = gate.test
    if test.refused is None or test.caught is None:
        return ""
    return (
        f"On the test half it refuses {test.refused:.0%} of the questions with an answer and {test.caught:.0%} of the "
        "others."
    )


def _steps(points: Sequence[CurvePoint], x: Scale, y: Scale) -> str:
    """A path through the points, each reached first along and then up."""
    commands: list[str] = []
    for point in points:
        place = f"{x(point.refused):.1f}", f"{y(point.caught):.1f}"
        commands.append(f"M{place[0]} {place[1]}" if not commands else f"H{place[0]}V{place[1]}")
    return "".join(commands)


def _room_for(labels: Iterable[str]) -> float:
    """Where the drawing begins, behind the longest label."""
    return max(200.0, 14 + _LETTER * max(map(len, labels), default=0))


def _axis(x: Scale, ticks: Iterable[float], top: float, bottom: float) -> Iterable[str]:
    for tick in ticks:
        place = x(tick)
        yield _line(place, top, place, bottom, "grid")
        yield _text(place, bottom + 18, f"{tick:g}", "middle", "tick")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="currentColor"/>'


def _circle(x: float, y: float, radius: float, kind: str, title: str) -> str:
    said = f"<title>{escape(title)}</title>"
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="currentColor">{said}</circle>'


def _text(x: float, y: float, text: str, anchor: str, kind: str) -> str:
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
    )


def _svg(title: str, description: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="evaluation-figure" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" font-size="13" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description.strip())}</desc>{''.join(parts)}</svg>"
    )
