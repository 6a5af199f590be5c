"""What a build measures: the gold set is asked of the index that was just written, once; from that come the gate's
threshold, the questions that an empty page offers, the figures that the build prints, and the ladder of its page.

Asking takes longer than the rest of a rebuild, so that what was measured before is remembered (``remembered``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from openbook.asking import reference_asker
from openbook.config import Config
from openbook.errors import BuildWarning
from openbook.evaluation.conversation import before_of
from openbook.evaluation.course import Asked, GoldReport, choose_threshold, gold_scores, measure
from openbook.evaluation.course_report import commit_of, course_evaluation, course_material
from openbook.evaluation.cross_encoding import rung_of
from openbook.evaluation.downstream import measure_downstream
from openbook.evaluation.guide import conversation, guide
from openbook.evaluation.remembered import FOLDER, Remembered, key_of
from openbook.evaluation.report import Evaluation
from openbook.index.manifest import Example, GoldScores, Manifest
from openbook.index.read import load_index
from openbook.index.write import INDEX, add_file, write_manifest
from openbook.languages import is_foreign
from openbook.models.cross_encoder import remembering
from openbook.prepare import Prepared
from openbook.retrieval.follow_up import rewrite
from openbook.retrieval.trace import GateThreshold

T = TypeVar("T")


class Calibrated(NamedTuple):
    """What the gold set said of an index.

    Attributes:
        manifest: as it is now.
        report: None without a gold set.
        warnings: about the threshold.
    """

    manifest: Manifest
    report: GoldReport | None
    warnings: tuple[BuildWarning, ...]


class _Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What calibrating comes to, as it is remembered: what goes into the manifest and the report."""

    gate: GateThreshold
    scores: GoldScores | None
    examples: tuple[Example, ...]
    report: GoldReport | None
    warnings: tuple[BuildWarning, ...]


class Measurement:
    """The gold set of a course, and the index that it is asked of.

    Args:
        prepared: the course; its cache's folder is where results are remembered.
        config: of it.
        folder: of the site.
        manifest: of the index that ``prepared`` has written there, whose gate no question passes.
    """

    def __init__(self, prepared: Prepared, config: Config, folder: Path, manifest: Manifest) -> None:
        self._prepared = prepared
        self._config = config
        self._folder = folder
        self._manifest = manifest
        self._closed = manifest.gate
        # All that a result follows from, but for our code and the libraries: see ``key_of``. Neither the day nor the
        # time of the build changes a figure; the threshold that is chosen later does not go into it.
        self._follows_from = (
            msgspec.json.encode(msgspec.structs.replace(manifest, as_of="", built_at="")),
            msgspec.json.encode(prepared.run.questions),
            prepared.run.vectors.tobytes(),
            prepared.embedded.vectors.tobytes(),
            msgspec.json.encode((prepared.gold.turns, prepared.gold.answers, prepared.gold.sentences)),
            config.settings.gold.encode(),
        )
        cache = prepared.cache
        self._remembered = None if cache is None else Remembered(cache.file.with_name(FOLDER))

    @cached_property
    def _asked(self) -> Asked:
        index = load_index(self._folder / INDEX)
        # Also once the threshold is in the index: what lies before the gate does not depend on it.
        index.manifest = msgspec.structs.replace(index.manifest, gate=self._closed)
        return list(self._prepared.run.traces(index))

    def calibrate(self) -> Calibrated:
        """Choose the gate's threshold by the dev half, write it into the index, and measure."""
        chosen = self._once("gate", _Chosen, self._choose) if self._prepared.run.questions else self._choose()
        manifest = msgspec.structs.replace(self._manifest, gate=chosen.gate, examples=chosen.examples)
        if chosen.scores is not None:
            manifest = add_file(self._folder, manifest, "gold", chosen.scores)
            manifest = msgspec.structs.replace(manifest, gold="gold")
        write_manifest(self._folder, manifest)
        self._manifest = manifest
        return Calibrated(manifest, chosen.report, chosen.warnings)

    def evaluate(self) -> Evaluation:
        """Climb the whole ladder on the calibrated index. Without times: the same input gives the same page."""
        day = self._manifest.as_of
        found = self._once("ladder", Evaluation, self._climb)
        return msgspec.structs.replace(
            found,
            date=day,
            commit=commit_of(self._config.root),
            command=f"openbook eval --as-of {day}",
            subject=msgspec.structs.replace(found.subject, as_of=day),
        )

    @property
    def knows_ladder(self) -> bool:
        """Whether ``evaluate`` has nothing to do, since nothing has changed."""
        return self._remembered is not None and self._remembered.get(self._key("ladder"), Evaluation) is not None

    def _key(self, what: str) -> str:
        return key_of(what.encode(), *self._follows_from)

    def _once(self, what: str, kind: type[T], work: Callable[[], T]) -> T:
        if self._remembered is None:
            return work()
        found = self._remembered.get(self._key(what), kind)
        if found is None:
            found = work()
            self._remembered.put(self._key(what), found)
        return found

    def _choose(self) -> _Chosen:
        prepared, asked = self._prepared, self._asked
        if self._manifest.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        crossed: Asked = []
        if prepared.cross_encoder is not None:
            score = remembering(prepared.cross_encoder, prepared.cache)
            crossed = list(prepared.run.traces(load_index(self._folder / INDEX), cross_score=score))
        foreign = is_foreign(self._config.settings.course.language, prepared.encoder.files.languages)
        chosen = choose_threshold(prepared.retrieval.gate, self._manifest.gate, asked, crossed, foreign=foreign)
        gate = chosen.threshold
        examples: tuple[Example, ...] = ()
        if asked:
            # What is offered is asked of the index as the page will open it.
            write_manifest(self._folder, msgspec.structs.replace(self._manifest, gate=gate))
            finished = load_index(self._folder / INDEX)
            ask = reference_asker(finished, prepared.encoder, clock=lambda: 0.0)
            language = finished.settings.prompt.language
            follow_up = conversation(
                prepared.gold.turns,
                lambda text, queries: ask(text, queries=queries),
                lambda text, before: rewrite(text, before_of(before), finished.keyword.rarity, language),
            )
            examples = guide(asked, gate, lambda question: ask(question.text), follow_up)
        return _Chosen(
            gate=gate,
            scores=gold_scores(asked, gate) if asked else None,
            examples=examples,
            report=measure(asked, crossed, gate, prepared.embedded.vectors, prepared.run.vectors) if asked else None,
            warnings=tuple(chosen.warnings(self._config.settings.gold)),
        )

    def _climb(self) -> Evaluation:
        prepared, manifest = self._prepared, self._manifest
        if manifest.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        texts = [question.text for question in prepared.run.questions]
        index = load_index(self._folder / INDEX)
        material = course_material(
            index,
            manifest,
            prepared.chunks,
            self._asked,
            dict(zip(texts, prepared.run.pieces, strict=True)),
            mode=prepared.retrieval.rerank.mode,
        )
        return course_evaluation(
            material,
            manifest.gate,
            title=self._config.title,
            as_of=manifest.as_of,
            commit="",
            command="",
            vectors=prepared.embedded.vectors,
            questions=prepared.run.vectors,
            extras=[] if prepared.cross_encoder is None else [rung_of(prepared.cross_encoder, prepared.cache)],
            downstream=measure_downstream(index, prepared.run, prepared.gold, prepared.encoder),
        )
