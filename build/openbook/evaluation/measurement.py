"""What a build measures: the gold set is asked of the index that was just written, once; from that come the gate's
threshold, the questions that an empty page offers, the figures that the build prints, and the ladder of its page.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from openbook.config import Config
from openbook.errors import BuildWarning
from openbook.evaluation.course import Asked, GoldReport, choose_threshold, gold_scores, measure
from openbook.evaluation.course_report import commit_of, course_evaluation, course_material
from openbook.evaluation.cross_encoding import rung_of
from openbook.evaluation.guide import guide
from openbook.evaluation.report import Evaluation
from openbook.index.manifest import Manifest
from openbook.index.read import load_index
from openbook.index.write import INDEX, add_file, write_manifest
from openbook.languages import is_foreign
from openbook.models.cross_encoder import remembering
from openbook.prepare import Prepared
from openbook.retrieval.trace import GateThreshold


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


class Measurement:
    """The gold set of a course, and the index that it is asked of.

    Args:
        prepared: the course.
        config: of it.
        folder: of the site.
        manifest: of the index that ``prepared`` has written there, whose gate no question passes.
    """

    def __init__(self, prepared: Prepared, config: Config, folder: Path, manifest: Manifest) -> None:
        self._prepared = prepared
        self._config = config
        self._folder = folder
        self._manifest = manifest

    @cached_property
    def _asked(self) -> Asked:
        return list(self._prepared.run.traces(load_index(self._folder / INDEX)))

    @property
    def _gate(self) -> GateThreshold:
        if self._manifest.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        return self._manifest.gate

    def calibrate(self) -> Calibrated:
        """Choose the gate's threshold by the dev half, write it into the index, and measure."""
        prepared, asked, manifest = self._prepared, self._asked, self._manifest
        crossed: Asked = []
        if prepared.cross_encoder is not None:
            score = remembering(prepared.cross_encoder, prepared.cache)
            crossed = list(prepared.run.traces(load_index(self._folder / INDEX), cross_score=score))
        foreign = is_foreign(self._config.settings.course.language, prepared.encoder.files.languages)
        chosen = choose_threshold(prepared.retrieval.gate, self._gate, asked, crossed, foreign=foreign)
        gate = chosen.threshold
        manifest = msgspec.structs.replace(manifest, gate=gate)
        if asked:
            manifest = add_file(self._folder, manifest, "gold", gold_scores(asked, gate))
            manifest = msgspec.structs.replace(manifest, gold="gold")
        write_manifest(self._folder, manifest)
        if asked:
            finished = load_index(self._folder / INDEX)
            shown = guide(asked, gate, lambda question: next(prepared.run.traces(finished, [question]))[1])
            manifest = msgspec.structs.replace(manifest, examples=shown)
            write_manifest(self._folder, manifest)
        report = measure(asked, crossed, gate, prepared.embedded.vectors, prepared.run.vectors) if asked else None
        self._manifest = manifest
        return Calibrated(manifest, report, tuple(chosen.warnings(self._config.settings.gold)))

    def evaluate(self) -> Evaluation:
        """Climb the whole ladder on the calibrated index. Without times: the same input gives the same page."""
        prepared, manifest = self._prepared, self._manifest
        texts = [question.text for question in prepared.run.questions]
        material = course_material(
            load_index(self._folder / INDEX),
            manifest,
            prepared.chunks,
            self._asked,
            dict(zip(texts, prepared.run.pieces, strict=True)),
            mode=prepared.retrieval.rerank.mode,
        )
        return course_evaluation(
            material,
            self._gate,
            title=self._config.title,
            as_of=manifest.as_of,
            commit=commit_of(self._config.root),
            command=f"openbook eval --as-of {manifest.as_of}",
            vectors=prepared.embedded.vectors,
            questions=prepared.run.vectors,
            extras=[] if prepared.cross_encoder is None else [rung_of(prepared.cross_encoder, prepared.cache)],
        )
