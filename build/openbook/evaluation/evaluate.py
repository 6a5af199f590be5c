"""``openbook eval``, whole: a course or a labelled set in, one document out."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import msgspec

from openbook.config import Config
from openbook.errors import BuildWarning, GoldError, GoldMissingError
from openbook.evaluation.calibration import DEFAULT_ANSWERABILITY, calibrate
from openbook.evaluation.course import GoldRun, ask_each, choose_threshold, gate_scores
from openbook.evaluation.course_report import (
    SHIPS,
    Extra,
    assemble,
    commit_of,
    course_evaluation,
    course_material,
    gate_of,
    runtime_bytes,
)
from openbook.evaluation.cross_encoding import cross_encoder_rung
from openbook.evaluation.downstream import measure_downstream
from openbook.evaluation.labelled import LabelledSet
from openbook.evaluation.ladder import Labelled, Material, Which
from openbook.evaluation.passage_index import PassageIndex
from openbook.evaluation.report import Evaluation, StageFigure, Subject
from openbook.index.pieces import read_questions
from openbook.index.read import load_index
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.vectors import quantize, top_agreement
from openbook.index.write import INDEX
from openbook.languages import is_foreign
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.models.registry import resolve
from openbook.prepare import Prepared, prepare
from openbook.progress import Reporter
from openbook.retrieval.trace import GateThreshold, Trace
from openbook.settings import RetrievalSettings, Settings

_TIMED: Final = 20
"""Questions on which the encoder is timed."""


class Evaluated(NamedTuple):
    """The document, and what was noticed on the way."""

    evaluation: Evaluation
    warnings: list[BuildWarning]


def evaluate_course(
    config: Config,
    *,
    as_of: date | None = None,
    split: Which = "all",
    only: Collection[str] | None = None,
    timed: bool = True,
    extras: Sequence[Extra] = (),
    command: str = "openbook eval",
    reporter: Reporter | None = None,
) -> Evaluated:
    """Measure retrieval on the gold set of a course, on an index made for that.

    The index has token vectors whatever the settings say, so that the ladder can show what they would bring; the gate
    is the one that the settings give.

    Args:
        config: of the course.
        as_of: day of the release gate; default: today in the course's time zone.
        split: half that the ladder is measured on.
        only: ids of the questions to ask; None for all.
        timed: whether milliseconds are measured.
        extras: run further rungs.
        command: what to say printed it.
        reporter: told how far each stage is.

    Raises:
        GoldMissingError: there is no gold set.
        GoldError: it is not valid, or none of it is about a released lecture.
    """
    if not config.gold_path.is_file():
        raise GoldMissingError("there is no gold set.", source=config.gold_path, hint="Write one, or set `gold`.")
    reporter = reporter or Reporter()
    mode = config.settings.retrieval.rerank.mode
    wide = _with_late_interaction(config)
    prepared = prepare(wide, as_of or config.today(), reporter, EmbeddingCache())
    run = prepared.run if only is None else prepared.run.only(only)
    if not run.questions:
        raise GoldError("there is no question that can be asked of the released lectures.", source=config.gold_path)
    with tempfile.TemporaryDirectory(prefix="openbook-") as name, reporter.stage("questions") as advance:
        manifest = prepared.write(wide, Path(name), {})
        index = load_index(Path(name) / INDEX)
        asked = []
        for pair in run.traces(index, clock=_milliseconds if timed else None):
            asked.append(pair)
            advance(len(asked), len(run.questions))
        if manifest.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        provisional = manifest.gate
        if mode == "off":
            provisional = msgspec.structs.replace(provisional, answerability=None)
        foreign = is_foreign(config.settings.course.language, prepared.encoder.files.languages)
        chosen = choose_threshold(config.settings.retrieval.gate, provisional, asked, foreign=foreign)
        texts = [question.text for question in run.questions]
        material = course_material(
            index,
            manifest,
            prepared.chunks,
            asked,
            dict(zip(texts, run.pieces, strict=True)),
            mode=mode,
            embed_ms=_embed_ms(prepared.encoder, texts) if timed else None,
        )
    with reporter.stage("answers"):
        downstream = _downstream(config, prepared, run, chosen.threshold)
    with reporter.stage("ladder") as advance:
        evaluation = course_evaluation(
            material,
            chosen.threshold,
            title=config.title,
            as_of=prepared.catalogue.as_of.isoformat(),
            commit=commit_of(config.root),
            command=command,
            vectors=prepared.embedded.vectors,
            questions=run.vectors,
            split=split,
            extras=[*_cross_encoder(config.settings, config.root), *extras],
            downstream=downstream,
            progress=advance,
        )
    warnings = [*prepared.warnings, *chosen.warnings(config.settings.gold)]
    new = len(prepared.run.questions) - len(run.questions)
    if new:
        message = (
            f"{new} questions are new since the floors were recorded; left out. `openbook eval --record` takes them."
        )
        warnings.append(BuildWarning("gold-new", message, config.settings.gold))
    return Evaluated(evaluation, warnings)


def evaluate_labelled(
    labelled: LabelledSet,
    *,
    settings: Settings | None = None,
    root: Path | None = None,
    timed: bool = True,
    extras: Sequence[Extra] = (),
    command: str = "openbook eval --corpus",
    day: str = "",
    reporter: Reporter | None = None,
    cache: EmbeddingCache | None = None,
) -> Evaluated:
    """Measure retrieval on a labelled set: the same ladder, its grades counted by nDCG.

    Args:
        labelled: the set.
        settings: of a course, whose encoder and retrieval settings hold; default: the defaults.
        root: that a path of the encoder is relative to.
        timed: whether milliseconds are measured.
        extras: run further rungs.
        command: what to say printed it.
        day: of the run.
        reporter: told how far each stage is.
        cache: of embeddings; default: the user's.
    """
    reporter = reporter or Reporter()
    settings = settings or Settings()
    cache = cache if cache is not None else EmbeddingCache()
    encoder = Encoder(resolve(settings.models.encoder, root=root))
    mode = settings.retrieval.rerank.mode
    with reporter.stage("passages") as advance:
        index = PassageIndex.of(labelled.documents, encoder, cache, _reranking(settings.retrieval), advance)
    with reporter.stage("questions") as advance:
        texts = [question.text for question in labelled.questions]
        embedded, pieces = read_questions(encoder, texts, cache)
        read = dict(zip(texts, pieces, strict=True))
        asked = []
        clock = _milliseconds if timed else None
        for pair in ask_each(
            index, labelled.questions, embedded.vectors, pieces, lambda text: len(read[text].ids), clock=clock
        ):
            asked.append(pair)
            advance(len(asked), len(texts))
    files = encoder.files.site_files().values()
    material = Material(
        index=index,
        texts=[document.embedded for document in labelled.documents],
        label_of=str,
        asked=asked,
        pieces=read,
        embed_ms=_embed_ms(encoder, texts) if timed else None,
        index_bytes=index.bytes(),
        model_bytes=runtime_bytes() + sum(file.stat().st_size for file in files),
        ships=SHIPS.get(mode, mode),
    )
    with reporter.stage("ladder") as advance:
        evaluation = assemble(
            material,
            labelled.split,
            gate_of(asked, _threshold(index, asked)),
            Subject(
                title=labelled.name,
                as_of="",
                passages=index.size,
                truncated=index.truncated,
                corpus=index.corpus,
                model=index.model,
                tokenizer=TOKENIZER_FINGERPRINT,
            ),
            date=day,
            commit="",
            command=command,
            agreement=top_agreement(index.embeddings, quantize(index.embeddings), embedded.vectors),
            extras=[*_cross_encoder(settings, root), *extras],
            progress=advance,
        )
    warnings = [*labelled.warnings, *cache.warnings]
    if index.truncated:
        message = (
            f"{index.truncated} of {index.size} passages are longer than the {encoder.files.max_tokens} word pieces "
            "that the encoder reads; what lies beyond is found by keyword alone."
        )
        warnings.append(BuildWarning("passage-truncated", message, labelled.name))
    return Evaluated(evaluation, warnings)


def _downstream(config: Config, prepared: Prepared, run: GoldRun, gate: GateThreshold) -> tuple[StageFigure, ...]:
    """The stages behind the ranking, on the index that a site of the course has."""
    rerank = config.settings.retrieval.rerank
    site = dataclasses.replace(
        prepared,
        retrieval=msgspec.structs.replace(prepared.retrieval, rerank=rerank),
        token_vectors=None if rerank.mode == "off" else prepared.token_vectors,
    )
    with tempfile.TemporaryDirectory(prefix="openbook-") as name:
        site.write(config, Path(name), {})
        index = load_index(Path(name) / INDEX)
        index.manifest = msgspec.structs.replace(index.manifest, gate=gate)
        return measure_downstream(index, run, prepared.gold, prepared.encoder)


def _cross_encoder(settings: Settings, root: Path | None) -> list[Extra]:
    rung = cross_encoder_rung(settings.models.cross_encoder, root, EmbeddingCache())
    return [] if rung is None else [rung]


def _threshold(index: PassageIndex, asked: Sequence[tuple[Labelled, Trace]]) -> GateThreshold:
    """Calibrated on the dev half as a course's is, else the default."""
    best: dict[bool, list[float]] = {True: [], False: []}
    for question, trace in asked:
        if question.split == "dev":
            scores = gate_scores(trace)
            score = scores.answerability
            best[question.answerable].append(scores.cosine if score is None else score)
    found = calibrate(best[True], best[False])
    return msgspec.structs.replace(
        index.gate,
        answerability=DEFAULT_ANSWERABILITY if found is None else found.threshold,
        answerability_source="default" if found is None else "calibrated",
    )


def _with_late_interaction(config: Config) -> Config:
    settings = config.settings
    return msgspec.structs.replace(
        config, settings=msgspec.structs.replace(settings, retrieval=_reranking(settings.retrieval))
    )


def _reranking(retrieval: RetrievalSettings) -> RetrievalSettings:
    return msgspec.structs.replace(retrieval, rerank=msgspec.structs.replace(retrieval.rerank, mode="late-interaction"))


def _milliseconds() -> float:
    return time.perf_counter() * 1000


def _embed_ms(encoder: Encoder, texts: Sequence[str]) -> float:
    """Median milliseconds of the encoder for a question."""
    some = texts[:: max(1, len(texts) // _TIMED)][:_TIMED]
    return median([_elapsed(lambda text=text: encoder.encode([text])) for text in some])  # type: ignore[misc]


def _elapsed(work: Callable[[], object]) -> float:
    started = _milliseconds()
    work()
    return _milliseconds() - started
