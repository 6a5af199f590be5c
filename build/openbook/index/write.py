"""Chunks and their vectors → ``index/`` and ``models/`` in the site. The same input gives the same bytes."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.chunking import Chunk
from openbook.course.freshness import SourceState
from openbook.course.source import Lecture
from openbook.errors import IndexFormatError
from openbook.generation.offer import Offer
from openbook.index import keyword
from openbook.index.catalogue import build_catalogue
from openbook.index.manifest import (
    MANIFEST,
    REPORT,
    Counts,
    CourseInfo,
    CrossEncoderInfo,
    FileEntry,
    KeywordInfo,
    Manifest,
    ModelInfo,
    PassageShard,
    Probe,
    TermShard,
    TokenizerInfo,
    content_name,
    corpus_hash,
)
from openbook.index.passages import shard_passages
from openbook.index.plane import plane_of
from openbook.index.token_vectors import TokenVectors, TokenVectorsInfo, to_files
from openbook.index.tokens import TOKENIZER_FINGERPRINT, TOKENIZER_NAME
from openbook.index.vectors import quantize, to_bytes
from openbook.models.cross_encoder import CrossEncoder
from openbook.models.download import sha256_of
from openbook.models.registry import ONNX, ModelFiles
from openbook.retrieval.trace import GateThreshold
from openbook.settings import RetrievalSettings

INDEX: Final = "index"
MODELS: Final = "models"

PROBE_TEXTS: Final = (
    "Why must a time series not be split at random?",
    "np.argmax(ŷ, axis=1) — naïve Bayes, C++ & 机器学习 😀",
    "An embedding maps a passage to a vector, so that passages about the same thing point the same way; the question "
    "goes through the same model, and the passages whose vectors have the greatest cosine with it are the nearest.",
)
"""A short question, characters that tokenizers trip over, and a text of some length."""


CROSS_PROBE: Final = (PROBE_TEXTS[0], PROBE_TEXTS[2])
"""A question and a passage that does not answer it."""


def in_index_order(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks by id, in UTF-16 order; a chunk's position in it is its number everywhere."""
    return sorted(chunks, key=lambda chunk: keyword.utf16_key(chunk.id))


def write_index(
    out: Path,
    *,
    chunks: Sequence[Chunk],
    vectors: NDArray[np.float32],
    lectures: Sequence[Lecture],
    documents: int,
    course: CourseInfo,
    model: ModelFiles,
    retrieval: RetrievalSettings,
    gate: GateThreshold | None,
    probes: NDArray[np.float32],
    as_of: str,
    built_at: str,
    extra_files: Mapping[str, str] | None = None,
    token_vectors: TokenVectors | None = None,
    generation: Offer | None = None,
    cross_encoder: CrossEncoder | None = None,
    sources: Sequence[SourceState] = (),
) -> Manifest:
    """Write ``index/`` and ``models/`` below ``out``; what an earlier build left there and this one lacks is removed.

    Args:
        out: the site's root.
        chunks: of released lectures only, in the order of ``in_index_order``.
        vectors: float32 [chunks, dims], unit length, a row a chunk.
        lectures: released, in the order of the course.
        documents: how many notes and decks the chunks came from.
        course: title and language.
        model: the encoder that made the vectors; its files are copied into the site.
        retrieval: settings that the page must search with.
        gate: the threshold, or None for a gate that never closes.
        probes: float32 [len(PROBE_TEXTS), dims]: those texts, embedded.
        as_of: ISO date.
        built_at: when; give something that follows from the input, or ``SOURCE_DATE_EPOCH``.
        extra_files: logical name → path relative to ``out`` of files that are there and belong to the page (wasm).
        token_vectors: of the chunks, or None for an index without late interaction.
        generation: the engines that the page offers; None for none.
        cross_encoder: that the reader may switch on; its files are copied into the site.
        sources: what the lectures were read from.

    Raises:
        IndexFormatError: the parts do not fit together, or an extra file is missing.
    """
    _check(chunks, vectors, probes, model)
    if token_vectors is not None and token_vectors.chunks != len(chunks):
        raise IndexFormatError(f"{len(chunks)} chunks and token vectors of {token_vectors.chunks} do not fit together.")
    writer = _Writer(out)

    catalogue = writer.json("catalogue", build_catalogue(lectures, chunks, sources))
    base, shards = keyword.split(keyword.serialise((" / ".join(chunk.path), chunk.text) for chunk in chunks))
    keyword_info = KeywordInfo(
        base=writer.json("keyword", base),
        shards=[
            TermShard(
                first=shard[0][0],
                last=shard[-1][0],
                file=writer.json(f"terms-{number}", [keyword.pack(entry) for entry in shard]),
            )
            for number, shard in enumerate(shards)
        ],
    )
    plane = writer.json("plane", plane_of(vectors)) if len(vectors) else None
    vectors_name = writer.data("vectors", ".bin", to_bytes(quantize(vectors)))
    passages = [
        PassageShard(first=shard.first, count=len(shard.passages), file=writer.json(f"passages-{number}", shard))
        for number, shard in enumerate(shard_passages(chunks))
    ]
    token_vectors_info = writer.token_vectors(token_vectors) if token_vectors is not None else None
    generation_name = writer.json("generation", generation) if generation is not None else None
    sources_name = writer.json("sources", sources) if sources else None
    writer.model("model", model.folder, model.site_files(), model.sha256)
    if cross_encoder is not None:
        held = cross_encoder.files
        writer.model("cross-encoder", held.folder, held.paths, held.sha256)
    for name, path in (extra_files or {}).items():
        writer.there(name, path)

    manifest = Manifest(
        as_of=as_of,
        built_at=built_at,
        course=course,
        counts=Counts(lectures=len(lectures), documents=documents, chunks=len(chunks)),
        corpus=corpus_hash(chunks),
        model=ModelInfo(
            name=model.name,
            revision=model.revision,
            folder=model.folder,
            sha256=model.sha256[ONNX],
            dims=model.dims,
            pooling=model.pooling,
            normalize=model.normalize,
            max_tokens=model.max_tokens,
            precision=model.precision,
            languages=model.languages,
        ),
        tokenizer=TokenizerInfo(name=TOKENIZER_NAME, fingerprint=TOKENIZER_FINGERPRINT),
        retrieval=retrieval,
        gate=gate,
        probes=[
            Probe(text=text, vector=base64.b64encode(vector.astype("<f4").tobytes()).decode())
            for text, vector in zip(PROBE_TEXTS, probes, strict=True)
        ],
        catalogue=catalogue,
        keyword=keyword_info,
        vectors=vectors_name,
        passages=passages,
        token_vectors=token_vectors_info,
        cross_encoder=_describe(cross_encoder) if cross_encoder is not None else None,
        generation=generation_name,
        files=dict(sorted(writer.files.items())),
        plane=plane,
        sources=sources_name,
    )
    writer.finish(manifest)
    return manifest


def add_file(out: Path, manifest: Manifest, name: str, value: Any) -> Manifest:
    """Write one more value as JSON, and list it: the manifest, which is still to be written."""
    writer = _Writer(out)
    writer.json(name, value)
    return msgspec.structs.replace(manifest, files=dict(sorted({**manifest.files, **writer.files}.items())))


def _describe(cross_encoder: CrossEncoder) -> CrossEncoderInfo:
    files, (question, passage) = cross_encoder.files, CROSS_PROBE
    return CrossEncoderInfo(
        name=files.name,
        revision=files.revision,
        folder=files.folder,
        sha256=files.sha256[ONNX],
        max_tokens=files.max_tokens,
        precision=files.precision,
        probe=(question, passage, cross_encoder.score(question, [passage])[0]),
    )


def write_manifest(out: Path, manifest: Manifest) -> None:
    """Write ``index/manifest.json`` below ``out``, whole or not at all; the files that it names are there."""
    part = out / INDEX / f".{MANIFEST}.part"
    part.write_bytes(msgspec.json.encode(manifest))
    part.replace(out / INDEX / MANIFEST)


def _check(
    chunks: Sequence[Chunk], vectors: NDArray[np.float32], probes: NDArray[np.float32], model: ModelFiles
) -> None:
    if vectors.shape != (len(chunks), model.dims):
        raise IndexFormatError(f"{len(chunks)} chunks and vectors of shape {vectors.shape} do not fit together.")
    if probes.shape != (len(PROBE_TEXTS), model.dims):
        raise IndexFormatError(f"{len(PROBE_TEXTS)} probes and vectors of shape {probes.shape} do not fit together.")
    ids = [chunk.id for chunk in chunks]
    if ids != [chunk.id for chunk in in_index_order(chunks)] or len(set(ids)) != len(ids):
        raise IndexFormatError("the chunks are not in the order of the index, or two have one id.")


class _Writer:
    """Writes files below ``out`` and remembers them."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self.files: dict[str, FileEntry] = {}
        self._shards: set[Path] = set()
        self._models: set[str] = set()
        (out / INDEX).mkdir(parents=True, exist_ok=True)

    def json(self, name: str, value: Any) -> str:
        """Write one value as compact JSON; returns its logical name."""
        return self.data(name, ".json", msgspec.json.encode(value))

    def data(self, name: str, suffix: str, data: bytes) -> str:
        """Write bytes; returns their logical name."""
        path = f"{INDEX}/{content_name(name, suffix, data)}"
        (self._out / path).write_bytes(data)
        self.files[name] = FileEntry(path=path, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        return name

    def token_vectors(self, vectors: TokenVectors) -> TokenVectorsInfo:
        """Write the shards, which the directory lists, and the directory, which the manifest lists."""
        directory, shards = to_files(vectors)
        for path, data in shards.items():
            file = self._out / INDEX / path
            file.write_bytes(data)
            self._shards.add(file)
        return TokenVectorsInfo(
            file=self.json("token-vectors", directory),
            bytes=sum(len(data) for data in shards.values()),
            shards=len(shards),
        )

    def model(self, prefix: str, folder: str, paths: Mapping[str, Path], sha256: Mapping[str, str]) -> None:
        """Copy a model's files; a large one only when it is not there yet."""
        self._models.add(folder)
        for name, source in paths.items():
            path = f"{MODELS}/{folder}/{name}"
            target = self._out / path
            if not (target.is_file() and sha256_of(target) == sha256[name]):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
            self.files[f"{prefix}/{name}"] = FileEntry(path=path, bytes=target.stat().st_size, sha256=sha256[name])

    def there(self, name: str, path: str) -> None:
        """List a file that something else put into the site."""
        file = self._out / path
        if not file.is_file():
            raise IndexFormatError("this file of the page is missing.", source=file, hint="Build the client again.")
        if name in self.files:
            raise IndexFormatError(f"two files are called {name!r}.", source=file)
        self.files[name] = FileEntry(path=path, bytes=file.stat().st_size, sha256=sha256_of(file))

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest last, so that it never names what is not there, then remove what it does not name."""
        write_manifest(self._out, manifest)
        kept = {self._out / entry.path for entry in self.files.values()} | self._shards
        for file in (self._out / INDEX).iterdir():
            if file.is_file() and file not in kept and file.name not in {MANIFEST, REPORT}:
                file.unlink()
        for folder in (self._out / MODELS).iterdir():
            # Only what an openbook build made: the folder's name ends with its hash.
            if folder.name not in self._models and re.search(r"-[0-9a-f]{12}$", folder.name):
                shutil.rmtree(folder)
