"""What a build did: printed at its end, and beside the index for the page's blocks of the build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from openbook.chunking import Chunk
from openbook.course.document import Document
from openbook.errors import BuildWarning
from openbook.evaluation.course import GoldReport
from openbook.index.manifest import Manifest
from openbook.index.write import INDEX

EvaluationState = Literal["", "measured", "known", "earlier"]

_EVALUATION: Final[Mapping[str, str]] = {
    "known": "the evaluation page: nothing that it measures has changed since it was measured",
    "earlier": "the evaluation page has the figures of an earlier build, and says so",
}


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
        engine_bytes: of the site's files that each engine on offer needs; a reader loads them with a model, not before.
        pages, links: written, and addresses verified in them.
        gold: what retrieval does on the gold set, or None without one.
        evaluation: where the figures of the evaluation page come from: "measured" now, "known" from a build of the very
            same, an "earlier" build of something else, which the page says; empty without a gold set.
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
    engine_bytes: dict[str, int]
    pages: int
    links: int
    gold: GoldReport | None
    evaluation: EvaluationState
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
        if self.engine_bytes:
            engines = ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in self.engine_bytes.items())
            yield f"engines on offer ({engines}): in the site, and loaded by no reader who does not ask for a model"
        if self.gold is not None:
            yield from self.gold.summary()
        if self.evaluation in _EVALUATION:
            yield _EVALUATION[self.evaluation]
        times = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self.seconds.items())
        yield f"{sum(self.seconds.values()):.1f} s ({times})"
        yield f"written to {self.out}"


def describe(
    document: Document, reader: str, chunks: Sequence[Chunk], warnings: Sequence[BuildWarning]
) -> DocumentReport:
    """What a document became: its own among the chunks and warnings of the course."""
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


def index_bytes(manifest: Manifest) -> dict[str, int]:
    """Bytes of the files below ``index/`` by what they hold."""
    sizes: dict[str, int] = {}
    for name, entry in manifest.files.items():
        if entry.path.startswith(f"{INDEX}/"):
            part = name.split("-")[0]
            sizes[part] = sizes.get(part, 0) + entry.bytes
    if manifest.token_vectors is not None:
        sizes["token vectors"] = sizes.pop("token", 0) + manifest.token_vectors.bytes
    return sizes


def without_paths(report: BuildReport) -> BuildReport:
    """The report as it goes into the site: nothing of this machine, and no warnings, which are the instructor's."""
    return msgspec.structs.replace(report, out="", warnings=())
