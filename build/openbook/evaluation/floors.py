"""Floors: what each stage of a course reached once, and must reach again before a deploy.

``openbook eval --record`` writes ``floors.toml`` beside the gold set; ``openbook eval --check`` measures again, on the
same day of the release gate and with the same questions, and fails when a figure has fallen by more than the tolerance.
The ranks of every question are in the file, and what the stages behind the ranking did with each label, so that it can
say which got worse.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import msgspec

from openbook.errors import FloorsError
from openbook.evaluation.gold import SPLITS
from openbook.evaluation.metrics import CUTOFF
from openbook.evaluation.report import Evaluation, QuestionRanks, StageFigure

FILE: Final = "floors.toml"
TOLERANCE: Final = 0.005
"""About what one question of two hundred moves MRR@10 by when it falls from rank 1 to rank 10."""

STAGE_TOLERANCE: Final = 0.03
"""The gate's shares and those of the stages behind it are of a few dozen labels, and its threshold is chosen anew."""

GATE: Final = "gate"
_GATE_METRICS: Final = ("dev_auroc", "test_auroc", "test_caught", "test_answered")

_HEAD: Final = """\
# What each stage reached on the gold set and must reach again: `openbook eval --check` fails when a figure falls by
# more than the tolerance. Written by `openbook eval --record`: do that again, and look at the difference, when a change
# is meant to cost something, or when labels were taken out. New labels are left out until then.
"""


class Labels(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ids of questions or sentences, by what became of them."""

    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


class Floors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file.

    Attributes:
        as_of: day of the release gate that was measured, and is measured again.
        commit: of the course's repository at the time.
        ships: the rung that the settings made the tab use; what they make it use now must reach its figures.
        tolerance: by which a ranking's figure may fall.
        stage_tolerance: by which one of the gate's may, or of a stage's behind it.
        floors: rung or stage → metric → what was reached.
        ranks: question → rung → rank of the first relevant section; a rung that did not find it is left out, and so a
            question without an answer has none.
        labels: stage → measure → the labels that came out right, and those that did not.
    """

    as_of: date
    commit: str = ""
    ships: str = ""
    tolerance: float = TOLERANCE
    stage_tolerance: float = STAGE_TOLERANCE
    floors: dict[str, dict[str, float]]
    ranks: dict[str, dict[str, int]]
    labels: dict[str, dict[str, Labels]] = {}


class Fall(msgspec.Struct, frozen=True, kw_only=True):
    """A figure below its floor."""

    rung: str
    metric: str
    floor: float
    now: float

    def __str__(self) -> str:
        return f"{self.rung} {self.metric}: {self.floor:.3f} → {self.now:.3f}"


class Worse(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a rung answers worse; None for a rank beyond the first fifty."""

    id: str
    text: str
    rung: str
    before: int | None
    now: int | None

    def __str__(self) -> str:
        def rank(value: int | None) -> str:
            return "not found" if value is None else str(value)

        return f"{self.id} by {self.rung}: {rank(self.before)} → {rank(self.now)}  {self.text}"


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A label that a stage behind the ranking did right when the floors were recorded, and does not now."""

    id: str
    text: str
    stage: str
    measure: str

    def __str__(self) -> str:
        return f"{self.id} by {self.stage} ({self.measure}): right → wrong  {self.text}"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What comparing found.

    Attributes:
        falls: figures below their floors.
        worse: questions that got worse by the rungs that fell, those that lost most first; by the rung that ships when
            none of them fell.
        better: how many got better by the same rungs.
        lost: labels that the stages which fell do no longer right.
        unmeasured: rungs with floors that were not measured now.
        ranks: how many ranks were compared, of all rungs.
        changed: how many of them are different, whichever way.
    """

    falls: tuple[Fall, ...]
    worse: tuple[Worse, ...]
    better: int
    lost: tuple[Lost, ...]
    unmeasured: tuple[str, ...]
    ranks: int
    changed: int

    @property
    def ok(self) -> bool:
        """Whether nothing fell, and nothing went unmeasured."""
        return not self.falls and not self.unmeasured


def floors_path(gold: Path) -> Path:
    """Where the floors of a gold set lie: beside it."""
    return gold.with_name(FILE)


def load_floors(path: Path) -> Floors:
    """Read the floors.

    Raises:
        FloorsError: there are none, or the file is not valid.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise FloorsError(
            "there are no floors.", source=path, hint="Write them with `openbook eval --record`."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise FloorsError(f"cannot be read: {error}.", source=path) from error
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line (\d+)", str(error))
        line = int(match[1]) if match else None
        raise FloorsError(f"is not valid TOML: {error}.", source=path, line=line) from error
    try:
        return msgspec.convert(data, Floors)
    except msgspec.ValidationError as error:
        raise FloorsError(
            f"{error}.", source=path, hint="Mend it, or delete it and run `openbook eval --record`."
        ) from error


def record(evaluation: Evaluation, path: Path) -> Floors:
    """Write the floors that an evaluation of the whole gold set gives; tolerances that stand in the file are kept.

    Raises:
        FloorsError: the evaluation is of one half only, or the file that is there is not valid.
    """
    if evaluation.split != "all":
        raise FloorsError("floors are recorded on both halves.", hint="Leave --split out.")
    before = load_floors(path) if path.is_file() else None
    floors = Floors(
        as_of=date.fromisoformat(evaluation.subject.as_of),
        commit=evaluation.commit,
        ships=_ships(evaluation),
        tolerance=before.tolerance if before else TOLERANCE,
        stage_tolerance=before.stage_tolerance if before else STAGE_TOLERANCE,
        floors=figures(evaluation),
        ranks=_ranks(evaluation),
        labels=_labels(evaluation),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_toml(floors), "utf-8", newline="\n")
    return floors


def figures(evaluation: Evaluation) -> dict[str, dict[str, float]]:
    """Every figure that has a floor, rounded as the file has it."""
    found = {rung.name: dict(rung.metrics) for rung in evaluation.measured}
    gate = evaluation.gate
    if gate is not None:
        shares = {
            "dev_auroc": gate.dev.auroc,
            "test_auroc": gate.test.auroc,
            "test_caught": gate.test.caught,
            "test_answered": None if gate.test.refused is None else 1 - gate.test.refused,
        }
        found[GATE] = {name: value for name, value in shares.items() if value is not None}
    for figure in evaluation.downstream:
        for split in SPLITS:
            share = figure.share(split)
            if share is not None:
                found.setdefault(figure.stage, {})[f"{split}_{figure.measure}"] = share
    return {rung: {name: round(value, 4) for name, value in metrics.items()} for rung, metrics in found.items()}


def check(evaluation: Evaluation, floors: Floors, path: Path) -> Verdict:
    """Compare an evaluation with the floors.

    Args:
        evaluation: of both halves, and, for a fair comparison, of the questions that the floors know and of the same
            day of the release gate.
        floors: as they were recorded.
        path: of their file, for messages.

    Raises:
        FloorsError: a question or a label that the floors know is no longer there.
    """
    questions = {question.id: question for question in evaluation.questions}
    _all_here(set(floors.ranks) - set(_ranks(evaluation)), "questions", evaluation, path)
    evaluation = _of_labels(evaluation, floors, path)
    now = figures(evaluation)
    rungs = {rung.name for rung in evaluation.measured}
    held = list(floors.floors.items())
    ships = _ships(evaluation)
    if floors.ships and ships != floors.ships:
        held.append((ships, floors.floors.get(floors.ships, {})))
    falls = [
        Fall(rung=rung, metric=metric, floor=floor, now=now[rung][metric])
        for rung, metrics in held
        for metric, floor in metrics.items()
        if metric in now.get(rung, {})
        and now[rung][metric] < floor - (floors.tolerance if rung in rungs else floors.stage_tolerance)
    ]
    names = list(dict.fromkeys(fall.rung for fall in falls))
    fallen = [name for name in names if name in rungs]
    if falls and not fallen:
        fallen = [rung.name for rung in evaluation.measured if rung.ships]
    both = [rung for rung in floors.floors if rung in rungs]
    moved = list(_moved(questions, floors.ranks, fallen))
    worse = sorted((one for one in moved if _loss(one) > 0), key=lambda one: (-_loss(one), one.id, one.rung))
    return Verdict(
        falls=tuple(falls),
        worse=tuple(worse),
        better=sum(_loss(one) < 0 for one in moved),
        lost=tuple(one for one in _lost(evaluation, floors) if one.stage in names),
        unmeasured=tuple(rung for rung in floors.floors if rung not in now),
        ranks=len(both) * sum(name in questions for name in floors.ranks),
        changed=sum(1 for _ in _moved(questions, floors.ranks, both)),
    )


def _ranks(evaluation: Evaluation) -> dict[str, dict[str, int]]:
    """Of every question, those without an answer too."""
    found: dict[str, dict[str, int]] = {}
    if evaluation.gate is not None:
        found = {question.id: {} for question in evaluation.gate.questions}
    for question in evaluation.questions:
        found[question.id] = {rung: rank for rung, rank in question.ranks.items() if rank is not None}
    return found


def _ships(evaluation: Evaluation) -> str:
    return next((rung.name for rung in evaluation.measured if rung.ships), "")


def _labels(evaluation: Evaluation) -> dict[str, dict[str, Labels]]:
    found: dict[str, dict[str, Labels]] = {}
    for figure in evaluation.downstream:
        right = tuple(one.id for one in figure.outcomes if one.right)
        wrong = tuple(one.id for one in figure.outcomes if not one.right)
        found.setdefault(figure.stage, {})[figure.measure] = Labels(right=right, wrong=wrong)
    return found


def _of_labels(evaluation: Evaluation, floors: Floors, path: Path) -> Evaluation:
    """The same, with the labels alone that the floors know.

    Raises:
        FloorsError: one of them is not there.
    """
    now = {(figure.stage, figure.measure): figure for figure in evaluation.downstream}
    kept = []
    for stage, measures in floors.labels.items():
        for measure, labels in measures.items():
            figure = now.get((stage, measure), StageFigure(stage=stage, measure=measure, outcomes=()))
            known = {*labels.right, *labels.wrong}
            outcomes = tuple(one for one in figure.outcomes if one.id in known)
            _all_here(known - {one.id for one in outcomes}, f"labels of the stage {stage!r}", evaluation, path)
            kept.append(msgspec.structs.replace(figure, outcomes=outcomes))
    return msgspec.structs.replace(evaluation, downstream=tuple(kept))


def _all_here(gone: Collection[str], what: str, evaluation: Evaluation, path: Path) -> None:
    if gone:
        raise FloorsError(
            f"the floors were recorded with {len(gone)} {what} that are gone or cannot be asked on "
            f"{evaluation.subject.as_of}: {', '.join(sorted(gone)[:10])}{', …' if len(gone) > 10 else ''}.",
            source=path,
            hint="Record them again with `openbook eval --record`.",
        )


def _lost(evaluation: Evaluation, floors: Floors) -> Iterator[Lost]:
    for figure in evaluation.downstream:
        right = floors.labels[figure.stage][figure.measure].right
        for one in figure.outcomes:
            if one.id in right and not one.right:
                yield Lost(id=one.id, text=one.text, stage=figure.stage, measure=figure.measure)


def _moved(
    questions: Mapping[str, QuestionRanks], before: Mapping[str, Mapping[str, int]], rungs: Sequence[str]
) -> Iterator[Worse]:
    for name, ranks in before.items():
        question = questions.get(name)
        if question is None:
            continue
        for rung in rungs:
            then, now = ranks.get(rung), question.ranks.get(rung)
            if then != now:
                yield Worse(id=name, text=question.text, rung=rung, before=then, now=now)


def _loss(moved: Worse) -> float:
    """Reciprocal rank that was lost; beyond rank 10 a little still, so that no change goes unseen."""

    def value(rank: int | None) -> float:
        if rank is None:
            return 0.0
        return 1 / rank if rank <= CUTOFF else 1 / (1000 + rank)

    return value(moved.before) - value(moved.now)


def _ids(ids: Sequence[str]) -> str:
    """A list of them, ten a line, so that a difference can be read."""
    if not ids:
        return "[]"
    rows = [ids[start : start + 10] for start in range(0, len(ids), 10)]
    return "\n".join(["[", *("  " + " ".join(f'"{one}",' for one in row) for row in rows), "]"])


def to_toml(floors: Floors) -> str:
    """Write the file's text."""
    lines = [
        _HEAD,
        f"as_of = {floors.as_of.isoformat()}",
        f'commit = "{floors.commit}"',
        f'ships = "{floors.ships}"',
        f"tolerance = {floors.tolerance}",
        f"stage_tolerance = {floors.stage_tolerance}",
    ]
    for rung, metrics in floors.floors.items():
        lines += ["", f"[floors.{rung}]", *(f"{name} = {value:.4f}" for name, value in metrics.items())]
    lines += ["", "[ranks]"]
    for question, ranks in floors.ranks.items():
        inside = ", ".join(f"{rung} = {rank}" for rung, rank in ranks.items())
        lines.append(f"{question} = {{ {inside} }}" if inside else f"{question} = {{}}")
    for stage, measures in floors.labels.items():
        for measure, labels in measures.items():
            lines += ["", f"[labels.{stage}.{measure}]"]
            lines += [f"{name} = {_ids(ids)}" for name, ids in (("right", labels.right), ("wrong", labels.wrong))]
    return "\n".join(lines) + "\n"
