"""``index/manifest.json``: what the index was made of and with, and every file with its size and SHA-256.

The mirror of ``web/src/index/schema.ts``. It is the one file whose name carries no hash; the page asks for it anew each
time and checks everything else against it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from openbook.chunking import Chunk
from openbook.index.token_vectors import TokenVectorsInfo
from openbook.retrieval.trace import GateThreshold
from openbook.settings import RetrievalSettings

SCHEMA: Final = 1
MANIFEST: Final = "manifest.json"
REPORT: Final = "build.json"
"""Beside the manifest: how long each stage of the build took. Not listed, for it differs from build to build."""


class FileEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the site.

    Attributes:
        path: relative to the site's root, with forward slashes, not percent-encoded.
        bytes: its size.
        sha256: lower-case hex.
    """

    path: str
    bytes: int
    sha256: str


class CourseInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The course's title, and its language as a BCP 47 tag."""

    title: str
    language: str


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How many lectures were read, notes and decks in them, and chunks they gave."""

    lectures: int
    documents: int
    chunks: int


class ModelInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The encoder: see ``openbook.models.registry.ModelFiles``.

    Attributes:
        folder: below ``models/`` in the site.
        sha256: of the ONNX file.
        max_tokens: word pieces read of a text, special tokens included.
        languages: primary subtags of the languages that it knows; empty when not said.
    """

    name: str
    revision: str
    folder: str
    sha256: str
    dims: int
    pooling: Literal["mean", "cls"]
    normalize: bool
    max_tokens: int
    precision: str
    languages: tuple[str, ...] = ()


class CrossEncoderInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The cross-encoder, which the page loads when the reader switches it on; its files are ``cross-encoder/…``.

    Attributes:
        folder: below ``models/`` in the site.
        sha256: of the ONNX file.
        max_tokens: word pieces read of question and passage together, special tokens included.
        probe: a question, a passage, and what the model made of them, for the tab to compare with.
    """

    name: str
    revision: str
    folder: str
    sha256: str
    max_tokens: int
    precision: str
    probe: tuple[str, str, float]


class TokenizerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Of keywords: a page with another one must refuse the index."""

    name: str
    fingerprint: str


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence and what the encoder made of it, for the tab to compare with.

    Attributes:
        vector: little-endian float32, base64.
    """

    text: str
    vector: str


class TermShard(msgspec.Struct, frozen=True, kw_only=True):
    """Terms from ``first`` to ``last`` in UTF-16 order; ``file`` is a key of ``Manifest.files``."""

    first: str
    last: str
    file: str


class KeywordInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The base of the keyword index, a key of ``Manifest.files``, and its shards in order."""

    base: str
    shards: list[TermShard]


class PassageShard(msgspec.Struct, frozen=True, kw_only=True):
    """Passages of ``count`` chunks from ``first`` on; ``file`` is a key of ``Manifest.files``."""

    first: int
    count: int
    file: str


GuideKind = Literal["identifier", "paraphrase", "near-duplicate", "both-searches", "follow-up", "not-in-the-notes"]
GuideStage = Literal["keyword", "embed", "rerank", "fuse", "gate"]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the page offers, and the stage whose working it shows best.

    Attributes:
        question: its answer, or refusal, was checked by the build.
        kind: what sort of question it is.
        stage: of the pipeline.
        follow_up: the second turn of a conversation that begins with the question; "" for a question that stands alone.
    """

    question: str
    kind: GuideKind
    stage: GuideStage
    follow_up: str = ""


class GoldScores(msgspec.Struct, frozen=True, kw_only=True):
    """``gold-<hash>.json``: what the gate saw of the gold set's questions, which are not in it themselves.

    Attributes:
        by: the score that the gate decides by.
        scores: a question each.
        answerable: whether the notes answer it.
        test: whether the threshold was chosen without it.
    """

    by: Literal["cosine", "answerability"]
    scores: list[float]
    answerable: list[bool]
    test: list[bool]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file.

    Attributes:
        as_of: the day that the release gate was set to, as an ISO date.
        built_at: when the index was made, as the caller said it: the same input gives the same bytes.
        corpus: hash of the chunks, by which thresholds know what they were calibrated on.
        retrieval: settings that the page must search with.
        gate: None when the gate is never closed.
        catalogue, vectors: keys of ``files``.
        token_vectors: None when the index was built without late interaction.
        cross_encoder: None when the reader is offered none.
        generation: the file with the engines that the page offers, a key of ``files``; None when it offers none.
        offline: the list of the site's other files, a key of ``files``; None when the site is not to be kept for
            offline use.
        files: by logical name.
        plane: key of ``files``: all chunks on a plane, to be drawn.
        sources: key of ``files``: of each source its path, SHA-256 and day of its last change.
        gold: key of ``files``: the gold set's scores, to be drawn; None in a course without one.
        formulas: key of ``files``: TeX that passages have, and its MathML; None in a course without formulas.
        examples: questions that the page offers; none in a course without a gold set.
    """

    schema: Literal[1] = 1
    as_of: str
    built_at: str
    course: CourseInfo
    counts: Counts
    corpus: str
    model: ModelInfo
    tokenizer: TokenizerInfo
    retrieval: RetrievalSettings
    gate: GateThreshold | None
    probes: list[Probe]
    catalogue: str
    keyword: KeywordInfo
    vectors: str
    passages: list[PassageShard]
    token_vectors: TokenVectorsInfo | None = None
    cross_encoder: CrossEncoderInfo | None = None
    generation: str | None = None
    offline: str | None = None
    files: dict[str, FileEntry]
    plane: str | None = None
    sources: str | None = None
    gold: str | None = None
    formulas: str | None = None
    examples: tuple[Example, ...] = ()


def corpus_hash(chunks: Sequence[Chunk]) -> str:
    """SHA-256, in hex, of what is embedded and searched: the chunks' ids and hashes, in the order of the index."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(f"{chunk.id}\0{chunk.hash}\n".encode())
    return digest.hexdigest()


def content_name(stem: str, suffix: str, data: bytes) -> str:
    """File name that changes with the content: ``stem-<first 12 digits of the SHA-256><suffix>``."""
    return f"{stem}-{hashlib.sha256(data).hexdigest()[:12]}{suffix}"
