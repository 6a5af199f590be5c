"""A built index, opened for Python: what the reference retrieval and ``openbook verify`` search."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import msgspec

from openbook.errors import BuildWarning, GateError, IndexFormatError, IndexNotFoundError
from openbook.index import keyword as serialised_keyword
from openbook.index.catalogue import KINDS, CatalogueFile, LectureEntry, chunk_id, chunk_url
from openbook.index.manifest import MANIFEST, SCHEMA, FileEntry, Manifest
from openbook.index.passages import Passage, PassagesFile
from openbook.index.token_vectors import TokenVectors, TokenVectorsFile, from_files, shard_path
from openbook.index.tokens import TOKENIZER_FINGERPRINT
from openbook.index.vectors import from_bytes
from openbook.models.cross_encoder import CrossEncoderFiles
from openbook.models.registry import CONFIG, ONNX, TOKENIZER, TOKENIZER_CONFIG, ModelFiles
from openbook.retrieval.collection import ChunkRef, PassageText
from openbook.retrieval.dense import Vectors
from openbook.retrieval.gate import check_threshold
from openbook.retrieval.keyword import KeywordIndex
from openbook.retrieval.trace import GateThreshold
from openbook.settings import RetrievalSettings

T = TypeVar("T")
_AGAIN = "Build the site again with `openbook build`."


class Index:
    """An index whose every file has been checked; a ``SearchIndex`` for the retrieval stages.

    Attributes:
        root: the site's root.
        manifest: what the index says of itself.
        catalogue: lectures, and chunks by column.
        warnings: what is not right, and was to be said only.
    """

    def __init__(
        self, root: Path, manifest: Manifest, files: dict[str, bytes], warnings: tuple[BuildWarning, ...] = ()
    ) -> None:
        self.root = root
        self.warnings = warnings
        self.manifest = manifest
        self._files = files
        self.catalogue = self._decode(manifest.catalogue, CatalogueFile)
        counts = {len(column) for column in msgspec.structs.astuple(self.catalogue.chunks)}
        if counts != {manifest.counts.chunks}:
            raise IndexFormatError(
                f"the manifest counts {manifest.counts.chunks} chunks, the catalogue {sorted(counts)}.", hint=_AGAIN
            )
        if len(self._passages) != manifest.counts.chunks:
            raise IndexFormatError(
                f"there are {len(self._passages)} passages for {manifest.counts.chunks} chunks.", hint=_AGAIN
            )

    @property
    def size(self) -> int:
        """Number of chunks."""
        return self.manifest.counts.chunks

    @property
    def as_of(self) -> str:
        """The day that the release gate was set to."""
        return self.manifest.as_of

    @property
    def settings(self) -> RetrievalSettings:
        """How the page searches."""
        return self.manifest.retrieval

    @property
    def gate(self) -> GateThreshold | None:
        """The threshold; None when the gate never closes."""
        return self.manifest.gate

    @cached_property
    def serialised(self) -> serialised_keyword.Serialised:
        """The whole keyword index as MiniSearch would serialise it."""
        info = self.manifest.keyword
        shards = [self._decode(shard.file, list[tuple[str, str, str]]) for shard in info.shards]
        try:
            entries = [[serialised_keyword.unpack(entry) for entry in shard] for shard in shards]
        except ValueError as error:
            raise IndexFormatError(f"the keyword index is not what it should be: {error}.", hint=_AGAIN) from error
        return serialised_keyword.assemble(self._decode(info.base, dict[str, Any]), entries)

    @cached_property
    def keyword(self) -> KeywordIndex:
        """Postings and lengths."""
        return KeywordIndex.from_serialised(self.serialised)

    @cached_property
    def vectors(self) -> Vectors:
        """One row a chunk."""
        quantized = from_bytes(self._bytes(self.manifest.vectors), self.size, self.manifest.model.dims)
        return Vectors(scales=quantized.scales, values=quantized.values)

    @cached_property
    def token_vectors(self) -> TokenVectors | None:
        """Signs of each chunk's pieces; None when the index was built without late interaction."""
        info = self.manifest.token_vectors
        if info is None:
            return None
        directory = self._decode(info.file, TokenVectorsFile)
        folder = (self.root / self.manifest.files[info.file].path).parent
        shards: dict[str, bytes] = {}
        for digest in directory.digests:
            file = folder / shard_path(digest)
            try:
                shards[file.name] = file.read_bytes()
            except OSError as error:
                raise IndexFormatError(f"cannot be read: {error.strerror}.", source=file, hint=_AGAIN) from error
        return from_files(directory, shards, self.size)

    @cached_property
    def _passages(self) -> list[Passage]:
        found: list[Passage] = []
        for shard in self.manifest.passages:
            file = self._decode(shard.file, PassagesFile)
            if not (file.first == shard.first == len(found) and len(file.passages) == shard.count):
                raise IndexFormatError(f"{shard.file} does not hold the passages that it should.", hint=_AGAIN)
            found.extend(file.passages)
        return found

    def lecture(self, ordinal: int) -> LectureEntry:
        """The lecture of the chunk at ``ordinal``."""
        return self.catalogue.lectures[self.catalogue.chunks.lecture[ordinal]]

    def chunk(self, ordinal: int) -> ChunkRef:
        """The chunk at ``ordinal``, from 0."""
        columns, lecture = self.catalogue.chunks, self.lecture(ordinal)
        kind = KINDS[columns.kind[ordinal]]
        anchor, part = columns.anchor[ordinal], columns.part[ordinal]
        return ChunkRef(
            id=chunk_id(lecture.id, kind, anchor, part),
            lecture=lecture.id,
            lecture_number=lecture.number,
            kind="notes" if kind == "notes" else "slides",
            path=tuple(self.catalogue.headings[heading] for heading in columns.path[ordinal]),
            anchor=anchor,
            part=part,
            parts=columns.parts[ordinal],
            url=chunk_url(lecture.notes if kind == "notes" else lecture.slides, anchor),
            week=lecture.week,
            tags=lecture.tags,
        )

    def passage(self, ordinal: int) -> Passage:
        """Text and source of the chunk at ``ordinal``."""
        return self._passages[ordinal]

    def passages(self, ordinals: Sequence[int]) -> list[PassageText]:
        """The chunks' texts, in the order asked for."""
        found = (self._passages[ordinal] for ordinal in ordinals)
        return [PassageText(passage.text, passage.verbatim) for passage in found]

    def model_files(self) -> ModelFiles:
        """The encoder that lies in the site, the one that the tab runs."""
        info = self.manifest.model
        paths = {name: self.root / self.manifest.files[f"model/{name}"].path for name in _MODEL_FILES}
        return ModelFiles(
            name=info.name,
            revision=info.revision,
            dims=info.dims,
            pooling=info.pooling,
            normalize=info.normalize,
            max_tokens=info.max_tokens,
            precision="fp32" if info.precision == "fp32" else "int8-weight-only",
            licence="",
            onnx=paths[ONNX],
            tokenizer=paths[TOKENIZER],
            tokenizer_config=paths[TOKENIZER_CONFIG],
            config=paths[CONFIG],
            sha256={name: self.manifest.files[f"model/{name}"].sha256 for name in _MODEL_FILES},
            origin="site",
            languages=info.languages,
        )

    def cross_encoder_files(self) -> CrossEncoderFiles | None:
        """The cross-encoder that lies in the site, the one that the tab runs; None when there is none."""
        info = self.manifest.cross_encoder
        if info is None:
            return None
        entries = {name: self.manifest.files[f"cross-encoder/{name}"] for name in _MODEL_FILES}
        return CrossEncoderFiles(
            name=info.name,
            revision=info.revision,
            max_tokens=info.max_tokens,
            precision="fp32" if info.precision == "fp32" else "int8-weight-only",
            licence="",
            paths={name: self.root / entry.path for name, entry in entries.items()},
            sha256={name: entry.sha256 for name, entry in entries.items()},
            origin="site",
        )

    def _bytes(self, name: str) -> bytes:
        if name not in self._files:
            raise IndexFormatError(f"the manifest names no file {name!r}.", hint=_AGAIN)
        return self._files[name]

    def _decode(self, name: str, kind: type[T]) -> T:
        data = self._bytes(name)
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.DecodeError as error:
            raise IndexFormatError(f"{name} is not what it should be: {error}.", hint=_AGAIN) from error


_MODEL_FILES = (CONFIG, TOKENIZER, TOKENIZER_CONFIG, ONNX)


def read_manifest(folder: Path) -> Manifest:
    """Read ``manifest.json`` in ``folder``, without looking at any other file.

    Raises:
        IndexNotFoundError: it is missing.
        IndexFormatError: it cannot be read, is not a manifest, or is of a schema or tokenizer that this version does
            not have.
    """
    file = folder / MANIFEST
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise IndexNotFoundError(
            "there is no built site here.", source=folder.parent, hint="Give the folder that `openbook build` wrote."
        ) from error
    except OSError as error:
        raise IndexFormatError(f"cannot be read: {error.strerror}.", source=file, hint=_AGAIN) from error
    try:
        schema = msgspec.json.decode(data, type=_SchemaOnly).schema
        if schema != SCHEMA:
            raise IndexFormatError(
                f"has schema {schema}; this version of openbook reads schema {SCHEMA}.", source=file, hint=_AGAIN
            )
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise IndexFormatError(f"is not a manifest: {error}.", source=file, hint=_AGAIN) from error
    if manifest.tokenizer.fingerprint != TOKENIZER_FINGERPRINT:
        raise IndexFormatError(
            "was made with another tokenizer of keywords than this version of openbook has.", source=file, hint=_AGAIN
        )
    return manifest


def load_index(folder: Path) -> Index:
    """Open the index in ``folder`` (``dist/index``) after checking every file that its manifest lists.

    Args:
        folder: of the manifest; its parent is the site's root, below which all the files lie.

    Raises:
        IndexFormatError: a file is missing, has another size or SHA-256, or does not hold what it must; the schema, the
            tokenizer or the gate's threshold is of another version, model or corpus.
    """
    folder = folder.resolve()
    manifest = read_manifest(folder)
    root = folder.parent
    contents: dict[str, bytes] = {}
    for name, entry in manifest.files.items():
        data = _checked(root, name, entry)
        if entry.path.startswith(f"{folder.name}/"):
            contents[name] = data
    for prefix in ("model", *(["cross-encoder"] if manifest.cross_encoder else [])):
        missing = [name for name in _MODEL_FILES if f"{prefix}/{name}" not in manifest.files]
        if missing:
            raise IndexFormatError(f"lists no {missing[0]} of the {prefix}.", source=folder / MANIFEST, hint=_AGAIN)
    if manifest.files[f"model/{ONNX}"].sha256 != manifest.model.sha256:
        raise IndexFormatError("names two models.", source=folder / MANIFEST, hint=_AGAIN)
    warnings = _check_gate(manifest, folder / MANIFEST)
    index = Index(root, manifest, contents, warnings)
    _ = index.token_vectors  # The directory lists further files; reading them checks them.
    return index


class _SchemaOnly(msgspec.Struct, frozen=True):
    schema: Any = None


def _checked(root: Path, name: str, entry: FileEntry) -> bytes:
    path = PurePosixPath(entry.path)
    if path.is_absolute() or ".." in path.parts:
        raise IndexFormatError(f"{name} has a path outside the site: {entry.path}.", hint=_AGAIN)
    file = root / path
    try:
        data = file.read_bytes()
    except OSError as error:
        raise IndexFormatError(f"cannot be read: {error.strerror}.", source=file, hint=_AGAIN) from error
    if len(data) != entry.bytes or hashlib.sha256(data).hexdigest() != entry.sha256:
        raise IndexFormatError("is not the file that the manifest lists.", source=file, hint=_AGAIN)
    return data


def _check_gate(manifest: Manifest, file: Path) -> tuple[BuildWarning, ...]:
    if manifest.gate is None:
        return ()
    try:
        check_threshold(
            manifest.gate,
            corpus=manifest.corpus,
            model=manifest.model.sha256,
            tokenizer=manifest.tokenizer.fingerprint,
        )
    except GateError as error:
        if manifest.retrieval.gate.stale == "warn":
            return (BuildWarning("gate-stale", error.message, str(file)),)
        raise IndexFormatError(error.message, source=file, hint=error.hint) from error
    return ()
