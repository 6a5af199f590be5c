"""The build: lectures → documents → chunks → vectors (``prepare``), then index → pages → measurement, and the report.

Everything is written into a folder beside the destination and moved there at the end (``output``), so that a build that
fails leaves the site of the last one as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import msgspec

from openbook.build_report import BuildReport, EvaluationState, describe, index_bytes, without_paths
from openbook.config import Config
from openbook.errors import BuildWarning, WarningsAsErrors
from openbook.evaluation.measurement import Measurement
from openbook.evaluation.report import Evaluation
from openbook.generation.webllm import copy_models
from openbook.generation.wllama import copy_model
from openbook.index.manifest import REPORT
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.output import replacing
from openbook.pages.assets import client_folder
from openbook.pages.offline import list_site
from openbook.pages.render import add_evaluation, earlier_evaluation, render_site
from openbook.pages.writer import EVALUATION
from openbook.prepare import prepare
from openbook.progress import Reporter


def build_site(
    config: Config,
    *,
    out: Path,
    as_of: date | None = None,
    reporter: Reporter | None = None,
    client: Path | None = None,
    cache: EmbeddingCache | None = None,
    ladder: bool = True,
) -> BuildReport:
    """Build the site of a course.

    Args:
        config: of the course.
        out: folder of the site; replaced if it is one that openbook built, made if it does not exist.
        as_of: day of the release gate; default: today in the course's time zone.
        reporter: told how far each stage is.
        client: folder that Vite wrote; default: the one in the package.
        cache: of embeddings; default: the user's. Beside it is remembered what was measured.
        ladder: whether the ladder is climbed where its figures are not known. False, between two saves of an author,
            keeps those of the site that is in ``out``; the page then says which index they are of.

    Returns:
        What was done.

    Raises:
        OutputFolderError: ``out`` holds something else than a site of openbook's.
        SourceNotFoundError: the course has no released lecture.
        WarningsAsErrors: a warning has a kind that ``[warnings] as_errors`` names.
        OpenbookError: as the stages raise it.
    """
    reporter = reporter or Reporter()
    cache = cache if cache is not None else EmbeddingCache()
    day = as_of or config.today()
    prepared = prepare(config, day, reporter, cache)
    catalogue, documents, chunks = prepared.catalogue, prepared.documents, prepared.chunks
    encoder, embedded = prepared.encoder, prepared.embedded
    warnings = list(prepared.warnings)

    with replacing(out) as folder:
        with reporter.stage("pages"):
            # A course without settings was not written for openbook: its broken links are its own.
            site = render_site(
                config,
                catalogue,
                documents,
                folder,
                client=client or client_folder(),
                readings=prepared.readings,
                chunks=chunks,
                measured=bool(prepared.run.questions),
            )
            warnings += site.warnings
            copy_model(config, folder)
            copy_models(config, folder)
        with reporter.stage("index"):
            assets = {file: file for file in site.files if file.startswith("assets/")}
            manifest = prepared.write(config, folder, assets)
        with reporter.stage("measure"):
            measurement = Measurement(prepared, config, folder, manifest)
            manifest, gold, gate_warnings = measurement.calibrate()
            pages = list(site.pages)
            state: EvaluationState = ""
            if prepared.run.questions:
                earlier = None if ladder else earlier_evaluation(out, prepared.run.questions)
                evaluation, state = _evaluation(measurement, earlier)
                now = manifest.corpus if state == "earlier" else None
                pages.append(EVALUATION)
                add_evaluation(config, catalogue, folder, assets=site.assets, evaluation=evaluation, now=now)
        warnings += gate_warnings
        shown = _shown(config, warnings)
        readers = {source.path_in(config): source.reader for lec in catalogue.lectures for source in lec.sources}
        report = BuildReport(
            out=str(out),
            course=config.title,
            as_of=day.isoformat(),
            lectures=len(catalogue.lectures),
            unreleased=len(catalogue.unreleased),
            documents=tuple(describe(document, readers[document.source], chunks, shown) for document in documents),
            sections=sum(len(document.sections) for document in documents),
            chunks=len(chunks),
            words=sum(chunk.words for chunk in chunks),
            pieces=sum(chunk.tokens for chunk in chunks),
            truncated=encoder.truncated,
            max_tokens=encoder.files.max_tokens,
            embedded=embedded.computed,
            reused=embedded.reused,
            index_bytes=index_bytes(manifest),
            model=encoder.files.name,
            model_bytes=sum(entry.bytes for name, entry in manifest.files.items() if name.startswith("model/")),
            engine_bytes=site.engine_bytes,
            pages=len(pages),
            links=site.links,
            gold=gold,
            evaluation=state,
            seconds={stage: round(seconds, 3) for stage, seconds in reporter.seconds.items()},
            warnings=tuple(shown),
        )
        if config.settings.site.offline:
            list_site(folder, manifest)
        (folder / INDEX / REPORT).write_bytes(msgspec.json.encode(without_paths(report)))
    return report


def _evaluation(measurement: Measurement, earlier: Evaluation | None) -> tuple[Evaluation, EvaluationState]:
    """The figures of the evaluation page, and where they come from."""
    known = measurement.knows_ladder
    if earlier is not None and not known:
        return earlier, "earlier"
    return measurement.evaluate(), "known" if known else "measured"


def _shown(config: Config, warnings: Sequence[BuildWarning]) -> list[BuildWarning]:
    """Leave out what the settings silence, and stop at what they make an error.

    Raises:
        WarningsAsErrors: names the warnings.
    """
    settings = config.settings.warnings
    shown = [warning for warning in dict.fromkeys(warnings) if warning.kind not in settings.ignore]
    fatal = [warning for warning in shown if {warning.kind, "all"} & set(settings.as_errors)]
    if fatal:
        raise WarningsAsErrors(
            f"{len(fatal)} warnings count as errors here:\n" + "\n".join(f"  {warning}" for warning in fatal[:50]),
            hint="\nMend them, or take their kind out of [warnings] as_errors.",
        )
    return shown
