"""The build, stage by stage: lectures → documents → chunks → vectors → index → pages.

Everything is written into a folder beside the destination and moved there at the end, so that a build that fails
leaves the site of the last one as it was.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from openbook.chunking import Chunk, chunk_document
from openbook.config import CONFIG_NAME, Config
from openbook.course.catalogue import Catalogue, load_catalogue
from openbook.course.document import Document
from openbook.course.freshness import SourceState, source_states
from openbook.course.readers import Reading, read_source
from openbook.errors import (
    BuildWarning,
    OutputFolderError,
    SourceNotFoundError,
    UnreadableSourceError,
    WarningsAsErrors,
    as_warning,
)
from openbook.evaluation.answers import load_answers
from openbook.evaluation.citations import load_citations
from openbook.evaluation.course import (
    Asked,
    GoldReport,
    GoldRun,
    choose_threshold,
    gold_scores,
    load_course_gold,
    measure,
    provisional_threshold,
)
from openbook.evaluation.course_report import commit_of, course_evaluation, course_material
from openbook.evaluation.cross_encoding import rung_of
from openbook.evaluation.gold import Question, load_gold, sections_of
from openbook.evaluation.guide import guide
from openbook.evaluation.report import Evaluation
from openbook.generation.offer import offer
from openbook.generation.webllm import copy_models
from openbook.generation.wllama import copy_model
from openbook.index.manifest import MANIFEST, REPORT, CourseInfo, Manifest
from openbook.index.pieces import read_chunks
from openbook.index.read import load_index
from openbook.index.token_vectors import TokenVectors, collect
from openbook.index.write import INDEX, PROBE_TEXTS, add_file, in_index_order, write_index, write_manifest
from openbook.languages import is_foreign, retrieval_for
from openbook.models.cross_encoder import CrossEncoder, offered, remembering, resolve_cross_encoder
from openbook.models.embeddings import Embedded, EmbeddingCache, embed
from openbook.models.encoder import Encoder
from openbook.models.registry import resolve
from openbook.pages.assets import client_folder
from openbook.pages.formulas import formulas_of
from openbook.pages.offline import list_site
from openbook.pages.render import add_evaluation, render_site
from openbook.progress import Reporter
from openbook.settings import RetrievalSettings


class DocumentReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one source became.

    Attributes:
        reader: name of the reader that read it.
        largest_tokens: word pieces of its largest chunk, heading path and special tokens included.
        warnings: how many there were about it.
    """

    source: str
    kind: str
    reader: str
    sections: int
    chunks: int
    words: int
    largest_tokens: int
    warnings: int


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a build did; also ``index/build.json``, which the page shows as the blocks of the build.

    Attributes:
        out: the site's folder.
        as_of: day of the release gate.
        lectures, unreleased: how many.
        sections, chunks, words: of the released lectures.
        pieces: word pieces in all chunks.
        truncated: texts that the encoder could not read whole; 0, or the chunker is wrong.
        max_tokens: word pieces that the encoder reads.
        embedded, reused: texts that went through the model, and texts whose vector was known.
        index_bytes: of the files below ``index/``, by what they hold.
        model, model_bytes: the encoder that the page loads.
        pages, links: written, and addresses verified in them.
        gold: what retrieval does on the gold set, or None without one.
        seconds: wall-clock, by stage.
    """

    out: str
    course: str
    as_of: str
    lectures: int
    unreleased: int
    documents: tuple[DocumentReport, ...]
    sections: int
    chunks: int
    words: int
    pieces: int
    truncated: int
    max_tokens: int
    embedded: int
    reused: int
    index_bytes: dict[str, int]
    model: str
    model_bytes: int
    pages: int
    links: int
    gold: GoldReport | None
    seconds: dict[str, float]
    warnings: tuple[BuildWarning, ...]

    def summary(self) -> Iterator[str]:
        """Lines for a person."""
        hidden = f", {self.unreleased} not released on {self.as_of}" if self.unreleased else ""
        lectures = "1 lecture" if self.lectures == 1 else f"{self.lectures} lectures"
        yield f"{lectures}{hidden}; {self.sections} sections, {self.chunks} chunks, {self.words} words"
        yield (
            f"{self.truncated} of {self.pieces} word pieces truncated; the largest chunk has "
            f"{max((d.largest_tokens for d in self.documents), default=0)} of {self.max_tokens}"
        )
        yield f"{self.embedded} texts embedded, {self.reused} known from before"
        total = sum(self.index_bytes.values())
        parts = ", ".join(f"{name} {size / 1e3:.0f} kB" for name, size in self.index_bytes.items())
        yield f"index {total / 1e3:.0f} kB ({parts}), {total / max(1, self.chunks):.0f} bytes a chunk uncompressed"
        yield f"{self.pages} pages, {self.links} links verified"
        if self.gold is not None:
            yield from self.gold.summary()
        times = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self.seconds.items())
        yield f"{sum(self.seconds.values()):.1f} s ({times})"
        yield f"written to {self.out}"


def build_site(
    config: Config,
    *,
    out: Path,
    as_of: date | None = None,
    reporter: Reporter | None = None,
    client: Path | None = None,
    cache: EmbeddingCache | None = None,
) -> BuildReport:
    """Build the site of a course.

    Args:
        config: of the course.
        out: folder of the site; replaced if it is one that openbook built, made if it does not exist.
        as_of: day of the release gate; default: today in the course's time zone.
        reporter: told how far each stage is.
        client: folder that Vite wrote; default: the one in the package.
        cache: of embeddings; default: the user's.

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

    with _replacing(out) as folder:
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
            manifest, gold, gate_warnings, asked = prepared.calibrate(config, folder, manifest)
            pages = list(site.pages)
            if asked:
                evaluation = prepared.evaluate(config, folder, manifest, asked)
                shown_at = client or client_folder()
                pages += add_evaluation(config, catalogue, folder, client=shown_at, evaluation=evaluation)[:1]
        warnings += gate_warnings
        shown = _shown(config, warnings)
        readers = {source.path_in(config): source.reader for lec in catalogue.lectures for source in lec.sources}
        report = BuildReport(
            out=str(out),
            course=config.title,
            as_of=day.isoformat(),
            lectures=len(catalogue.lectures),
            unreleased=len(catalogue.unreleased),
            documents=tuple(_describe(document, readers[document.source], chunks, shown) for document in documents),
            sections=sum(len(document.sections) for document in documents),
            chunks=len(chunks),
            words=sum(chunk.words for chunk in chunks),
            pieces=sum(chunk.tokens for chunk in chunks),
            truncated=encoder.truncated,
            max_tokens=encoder.files.max_tokens,
            embedded=embedded.computed,
            reused=embedded.reused,
            index_bytes=_index_bytes(manifest),
            model=encoder.files.name,
            model_bytes=sum(entry.bytes for name, entry in manifest.files.items() if name.startswith("model/")),
            pages=len(pages),
            links=site.links,
            gold=gold,
            seconds={stage: round(seconds, 3) for stage, seconds in reporter.seconds.items()},
            warnings=tuple(shown),
        )
        if config.settings.site.offline:
            list_site(folder, manifest)
        (folder / INDEX / REPORT).write_bytes(msgspec.json.encode(_without_paths(report)))
    return report


class Calibrated(NamedTuple):
    """What the gold set said of an index.

    Attributes:
        manifest: as it is now.
        report: None without a gold set.
        warnings: about the threshold.
        asked: the gold questions with their traces.
    """

    manifest: Manifest
    report: GoldReport | None
    warnings: tuple[BuildWarning, ...]
    asked: Asked


class Prepared:
    """A course up to its vectors: what is written into an index, and measured.

    Attributes:
        catalogue, readings, documents, chunks: of the released lectures; chunks in the order of the index.
        embedded: their vectors.
        token_vectors: signs of their pieces, or None without late interaction.
        run: the gold set with its vectors.
        warnings: so far.
        cross_encoder: that the site offers, or None.
        sources: what the lectures were read from.
        retrieval: settings that the site searches with: the course's, and what follows from its language.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        readings: dict[str, Reading],
        documents: list[Document],
        chunks: list[Chunk],
        encoder: Encoder,
        embedded: Embedded,
        token_vectors: TokenVectors | None,
        run: GoldRun,
        warnings: list[BuildWarning],
        cross_encoder: CrossEncoder | None = None,
        cache: EmbeddingCache | None = None,
        sources: Sequence[SourceState] = (),
        retrieval: RetrievalSettings | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.readings = readings
        self.documents = documents
        self.chunks = chunks
        self.encoder = encoder
        self.embedded = embedded
        self.token_vectors = token_vectors
        self.run = run
        self.warnings = warnings
        self.cross_encoder = cross_encoder
        self._cache = cache
        self.sources = sources
        self.retrieval = retrieval or RetrievalSettings()

    def write(self, config: Config, folder: Path, extra_files: dict[str, str]) -> Manifest:
        """Write the index and the model into ``folder``, with a gate that no question passes."""
        manifest = write_index(
            folder,
            chunks=self.chunks,
            vectors=self.embedded.vectors,
            lectures=self.catalogue.lectures,
            documents=len(self.documents),
            course=CourseInfo(title=config.title, language=config.settings.course.language),
            model=self.encoder.files,
            retrieval=self.retrieval,
            gate=provisional_threshold(self.chunks, self.encoder.files, self.token_vectors is not None),
            probes=self.encoder.encode(PROBE_TEXTS),
            as_of=self.catalogue.as_of.isoformat(),
            built_at=_built_at(self.catalogue.as_of, config),
            extra_files=extra_files,
            token_vectors=self.token_vectors,
            cross_encoder=self.cross_encoder,
            generation=offer(config) if config.settings.generation.engines else None,
            sources=self.sources,
        )
        formulas = formulas_of(self.readings.values(), [chunk.text for chunk in self.chunks])
        if not formulas["formulas"]:
            return manifest
        manifest = add_file(folder, manifest, "formulas", formulas)
        return msgspec.structs.replace(manifest, formulas="formulas")

    def calibrate(self, config: Config, folder: Path, manifest: Manifest) -> Calibrated:
        """Ask the gold set of the index in ``folder``, once: choose the gate's threshold by it, and measure."""
        if manifest.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        index = load_index(folder / INDEX)
        asked = list(self.run.traces(index))
        crossed = []
        if self.cross_encoder is not None:
            crossed = list(self.run.traces(index, cross_score=remembering(self.cross_encoder, self._cache)))
        foreign = is_foreign(config.settings.course.language, self.encoder.files.languages)
        chosen = choose_threshold(self.retrieval.gate, manifest.gate, asked, crossed, foreign=foreign)
        gate = chosen.threshold
        manifest = msgspec.structs.replace(manifest, gate=gate)
        if asked:
            manifest = add_file(folder, manifest, "gold", gold_scores(asked, gate))
            manifest = msgspec.structs.replace(manifest, gold="gold")
        write_manifest(folder, manifest)
        if asked:
            finished = load_index(folder / INDEX)
            shown = guide(asked, gate, lambda question: next(self.run.traces(finished, [question]))[1])
            manifest = msgspec.structs.replace(manifest, examples=shown)
            write_manifest(folder, manifest)
        report = measure(asked, crossed, gate, self.embedded.vectors, self.run.vectors) if asked else None
        return Calibrated(manifest, report, tuple(chosen.warnings(config.settings.gold)), asked)

    def evaluate(self, config: Config, folder: Path, manifest: Manifest, asked: Asked) -> Evaluation:
        """Run the whole ladder on the index in ``folder``. Without times: the same input gives the same page."""
        if manifest.gate is None:
            raise AssertionError("an index that was just written has a threshold")
        texts = [question.text for question in self.run.questions]
        material = course_material(
            load_index(folder / INDEX),
            manifest,
            self.chunks,
            asked,
            dict(zip(texts, self.run.pieces, strict=True)),
            mode=self.retrieval.rerank.mode,
        )
        return course_evaluation(
            material,
            manifest.gate,
            title=config.title,
            as_of=manifest.as_of,
            commit=commit_of(config.root),
            command=f"openbook eval --as-of {manifest.as_of}",
            vectors=self.embedded.vectors,
            questions=self.run.vectors,
            extras=[] if self.cross_encoder is None else [rung_of(self.cross_encoder, self._cache)],
        )


def prepare(config: Config, day: date, reporter: Reporter, cache: EmbeddingCache | None) -> Prepared:
    """Read, chunk and embed a course.

    Args:
        config: of the course.
        day: of the release gate.
        reporter: told how far each stage is.
        cache: of embeddings; None to compute all.

    Raises:
        SourceNotFoundError: the course has no released lecture.
        OpenbookError: as the stages raise it.
    """
    settings = config.settings
    warnings: list[BuildWarning] = []
    if config.path is None and not settings.sources.site:
        message = (
            f"there is no {CONFIG_NAME}, so the defaults stand: every Markdown file is read, and all are released."
        )
        warnings.append(BuildWarning("no-settings", message, "."))
    with reporter.stage("lectures") as advance:
        catalogue = load_catalogue(config, day)
        readings, documents = _read(config, catalogue, advance, warnings)
        sources, dates = source_states(config, catalogue.lectures)
        warnings += dates
        warnings += [*catalogue.warnings, *(warning for document in documents for warning in document.warnings)]
    encoder = Encoder(resolve(settings.models.encoder, root=config.root))
    retrieval = retrieval_for(settings.retrieval, settings.course.language, encoder.files.languages)
    cross_encoder = _offered(config)
    with reporter.stage("chunks") as advance:
        chunks = _chunk(config, documents, encoder, advance)
    questions, gold_warnings = load_course_gold(config, catalogue, chunks)
    with reporter.stage("vectors") as advance:
        texts = [chunk.embedded_text(settings.chunks.context) for chunk in chunks]
        token_vectors = None
        if retrieval.rerank.mode != "off":
            embedded, pieces = read_chunks(encoder, texts, cache, advance)
            token_vectors = collect(pieces)
        else:
            embedded = embed(encoder, texts, cache, advance)
        run = GoldRun.of(questions, encoder, cache)
    warnings += [*gold_warnings, *(cache.warnings if cache is not None else [])]
    return Prepared(
        catalogue,
        readings,
        documents,
        chunks,
        encoder,
        embedded,
        token_vectors,
        run,
        warnings,
        cross_encoder,
        cache,
        sources,
        retrieval,
    )


def _offered(config: Config) -> CrossEncoder | None:
    """The cross-encoder that the site is to have, if any."""
    if not offered(config.settings):
        return None
    return CrossEncoder(resolve_cross_encoder(config.settings.models.cross_encoder, root=config.root))


def validate_gold(config: Config, as_of: date | None = None) -> list[Question]:
    """Check the gold set of a course: its schema, and that every label leads to a section. Beside it may lie sentences
    with citations and sentences that answer (``citations.toml``, ``answers.toml``), which are checked too.

    Raises:
        GoldError: it is not valid.
    """
    catalogue = load_catalogue(config, as_of or config.today())
    encoder = Encoder(resolve(config.settings.models.encoder, root=config.root))
    _, documents = _read(config, catalogue, lambda done, total: None, [])
    chunks = _chunk(config, documents, encoder, lambda done, total: None)
    load_course_gold(config, catalogue, chunks)
    questions = list(load_gold(config.gold_path))
    citations, answers = config.gold_path.with_name("citations.toml"), config.gold_path.with_name("answers.toml")
    if citations.is_file():
        load_citations(citations, sections_of(chunk.id for chunk in chunks))
    if answers.is_file():
        load_answers(answers, {question.id for question in questions}, [chunk.text for chunk in chunks])
    return questions


def _read(
    config: Config, catalogue: Catalogue, advance: Callable[[int, int], None], warnings: list[BuildWarning]
) -> tuple[dict[str, Reading], list[Document]]:
    sources = [(lecture, source) for lecture in catalogue.lectures for source in lecture.sources]
    if not sources:
        hidden = f" ({len(catalogue.unreleased)} are not released yet)" if catalogue.unreleased else ""
        raise SourceNotFoundError(
            f"there is no lecture to build{hidden}.",
            source=config.sources_root,
            hint="Check sources.root and sources.include, or give --as-of a later day.",
        )
    readings: dict[str, Reading] = {}
    for done, (lecture, source) in enumerate(sources, 1):
        try:
            readings[source.path_in(config)] = read_source(source, config, lecture)
        except UnreadableSourceError as error:
            warnings.append(as_warning(error, source.path_in(config)))
        advance(done, len(sources))
    if not readings:
        raise SourceNotFoundError("none of the lectures could be read.", source=config.sources_root)
    return readings, [reading.document for reading in readings.values()]


def _chunk(
    config: Config, documents: Sequence[Document], encoder: Encoder, advance: Callable[[int, int], None]
) -> list[Chunk]:
    chunks: list[Chunk] = []
    for done, document in enumerate(documents, 1):
        chunks += chunk_document(document, config.settings.chunks, encoder.files.max_tokens, encoder.count_tokens)
        advance(done, len(documents))
    return in_index_order(chunks)


def _built_at(day: date, config: Config) -> str:
    """When the index was made, as far as it follows from the input: the same input gives the same bytes."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        return datetime.fromtimestamp(int(epoch), UTC).isoformat()
    return datetime(day.year, day.month, day.day, tzinfo=config.timezone).isoformat()


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


def _describe(
    document: Document, reader: str, chunks: Sequence[Chunk], warnings: Sequence[BuildWarning]
) -> DocumentReport:
    own = [chunk for chunk in chunks if chunk.source == document.source]
    return DocumentReport(
        source=document.source,
        kind=document.kind,
        reader=reader,
        sections=len(document.sections),
        chunks=len(own),
        words=sum(chunk.words for chunk in own),
        largest_tokens=max((chunk.tokens for chunk in own), default=0),
        warnings=sum(warning.source == document.source for warning in warnings),
    )


def _index_bytes(manifest: Manifest) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for name, entry in manifest.files.items():
        if entry.path.startswith(f"{INDEX}/"):
            part = name.split("-")[0]
            sizes[part] = sizes.get(part, 0) + entry.bytes
    if manifest.token_vectors is not None:
        sizes["token vectors"] = sizes.pop("token", 0) + manifest.token_vectors.bytes
    return sizes


def _without_paths(report: BuildReport) -> BuildReport:
    """The report as it goes into the site: nothing of this machine, and no warnings, which are the instructor's."""
    return msgspec.structs.replace(report, out="", warnings=())


@contextmanager
def _replacing(out: Path) -> Iterator[Path]:
    """A folder to write into, which takes the place of ``out`` when the block has ended well.

    Raises:
        OutputFolderError: ``out`` is a file, or a folder with something else in it.
    """
    if out.exists() and not out.is_dir():
        raise OutputFolderError("is a file.", source=out, hint="Give --out a folder.")
    if out.is_dir() and any(out.iterdir()) and not (out / INDEX / MANIFEST).is_file():
        raise OutputFolderError(
            "is not empty and was not built by openbook, so it is left alone.",
            source=out,
            hint="Give --out another folder, or empty it yourself.",
        )
    parent = out.resolve().parent
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=parent))
    folder.chmod(0o755)
    try:
        yield folder
        if out.exists():
            shutil.rmtree(out)
        folder.rename(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
