"""A course up to its vectors: lectures → documents → chunks → vectors, and from there into an index.

The build, the evaluation and every bench begin with this.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec

from openbook.chunking import Chunk, chunk_document
from openbook.config import CONFIG_NAME, Config
from openbook.course.catalogue import Catalogue, load_catalogue
from openbook.course.document import Document
from openbook.course.freshness import SourceState, source_states
from openbook.course.readers import Reading, read_source, reader_named
from openbook.course.site_lists import without_lists
from openbook.course.source import relative
from openbook.errors import BuildWarning, SourceNotFoundError, UnreadableSourceError, as_warning
from openbook.evaluation.course import CourseGold, GoldRun, load_course_gold, provisional_threshold
from openbook.generation.offer import offer
from openbook.index.manifest import CourseInfo, Manifest
from openbook.index.pieces import read_chunks
from openbook.index.token_vectors import TokenVectors, collect
from openbook.index.write import PROBE_TEXTS, add_file, in_index_order, write_index
from openbook.languages import retrieval_for
from openbook.models.cross_encoder import CrossEncoder, offered, resolve_cross_encoder
from openbook.models.embeddings import Embedded, EmbeddingCache, embed
from openbook.models.encoder import Encoder
from openbook.models.registry import resolve
from openbook.pages.formulas import formulas_of
from openbook.progress import Reporter
from openbook.settings import RetrievalSettings


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A course up to its vectors: what is written into an index, and measured.

    Attributes:
        catalogue, readings, documents, chunks: of the released lectures; chunks in the order of the index.
        embedded: their vectors.
        token_vectors: signs of their pieces, or None without late interaction.
        run: the gold set with its vectors.
        gold: all its labels.
        warnings: so far.
        cross_encoder: that the site offers, or None.
        cache: of what the models gave, or None to compute all.
        sources: what the lectures were read from.
        retrieval: settings that the site searches with: the course's, and what follows from its language.
    """

    catalogue: Catalogue
    readings: dict[str, Reading]
    documents: list[Document]
    chunks: list[Chunk]
    encoder: Encoder
    embedded: Embedded
    token_vectors: TokenVectors | None
    run: GoldRun
    gold: CourseGold
    warnings: list[BuildWarning]
    cross_encoder: CrossEncoder | None
    cache: EmbeddingCache | None
    sources: Sequence[SourceState]
    retrieval: RetrievalSettings

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
        for name in settings.sources.readers.values():
            reader_named(name, config)
        catalogue = load_catalogue(config, day)
        readings, documents = read_lectures(config, catalogue, advance, warnings)
        sources, dates = source_states(config, catalogue.lectures)
        warnings += dates
        warnings += [*catalogue.warnings, *(warning for document in documents for warning in document.warnings)]
    encoder = Encoder(resolve(settings.models.encoder, root=config.root))
    retrieval = retrieval_for(settings.retrieval, settings.course.language, encoder.files.languages)
    cross_encoder = _offered(config)
    with reporter.stage("chunks") as advance:
        chunks = cut(config, documents, encoder, advance)
    gold = load_course_gold(config, catalogue, chunks)
    with reporter.stage("vectors") as advance:
        texts = [chunk.embedded_text(settings.chunks.context) for chunk in chunks]
        token_vectors = None
        if retrieval.rerank.mode != "off":
            embedded, pieces = read_chunks(encoder, texts, cache, advance)
            token_vectors = collect(pieces)
        else:
            embedded = embed(encoder, texts, cache, advance)
        run = GoldRun.of(gold.questions, encoder, cache)
    warnings += [*gold.warnings, *(cache.warnings if cache is not None else [])]
    return Prepared(
        catalogue=catalogue,
        readings=readings,
        documents=documents,
        chunks=chunks,
        encoder=encoder,
        embedded=embedded,
        token_vectors=token_vectors,
        run=run,
        gold=gold,
        warnings=warnings,
        cross_encoder=cross_encoder,
        cache=cache,
        sources=sources,
        retrieval=retrieval,
    )


_NO_SOURCE = "Check sources.root and sources.include, or give --as-of a later day."
_NO_PAGE = "Give --site the folder that holds the built pages, such as _build/html, site, public, _site, dist or build."


def _offered(config: Config) -> CrossEncoder | None:
    """The cross-encoder that the site is to have, if any."""
    if not offered(config.settings):
        return None
    return CrossEncoder(resolve_cross_encoder(config.settings.models.cross_encoder, root=config.root))


def read_lectures(
    config: Config, catalogue: Catalogue, advance: Callable[[int, int], None], warnings: list[BuildWarning]
) -> tuple[dict[str, Reading], list[Document]]:
    """Read every source of the released lectures.

    Args:
        config: of the course.
        catalogue: its lectures.
        advance: told how many sources are done.
        warnings: gets one for each source that cannot be read.

    Returns:
        The readings by ``Document.source``, and their documents in the order of the course.

    Raises:
        SourceNotFoundError: there is nothing to read, or nothing could be.
    """
    sources = [(lecture, source) for lecture in catalogue.lectures for source in lecture.sources]
    if not sources:
        hidden = f" ({len(catalogue.unreleased)} are not released yet)" if catalogue.unreleased else ""
        raise SourceNotFoundError(
            f"there is no lecture to build{hidden}.",
            source=config.sources_root,
            hint=_NO_PAGE if config.settings.sources.site else _NO_SOURCE,
        )
    readings: dict[str, Reading] = {}
    first: UnreadableSourceError | None = None
    for done, (lecture, source) in enumerate(sources, 1):
        try:
            readings[source.path_in(config)] = read_source(source, config, lecture)
        except UnreadableSourceError as error:
            first = first or error
            warnings.append(as_warning(error, source.path_in(config)))
        advance(done, len(sources))
    if not readings:
        hint = f"The first of them {first.message} {first.hint or ''}".rstrip() if first else None
        raise SourceNotFoundError("none of the lectures could be read.", source=config.sources_root, hint=hint)
    if config.settings.sources.site:
        pages = {name: reading.document for name, reading in readings.items() if reading.document.url}
        pages, told = without_lists(pages, relative(config.sources_root, config.root))
        warnings += told
        readings = {name: replace(readings[name], document=page) for name, page in pages.items()}
    return readings, [reading.document for reading in readings.values()]


def cut(
    config: Config, documents: Sequence[Document], encoder: Encoder, advance: Callable[[int, int], None]
) -> list[Chunk]:
    """Cut documents into chunks, in the order of the index; ``advance`` is told how many documents are done."""
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
