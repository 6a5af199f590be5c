"""Embeddings that are worked out once: a cache on disk between the chunks and the encoder.

One SQLite file holds the vectors of all courses and models of this user. A key is the SHA-256 of everything that the
vector follows from: the model's and the tokenizer's hash, pooling, length limit, the version of the runtime, and the
text. Builds that run at the same time share it; if it is damaged it is made anew, with a warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime

from openbook.errors import BuildWarning, WarningKind
from openbook.models.cache import cache_dir
from openbook.models.encoder import Encoder, Progress, Vectors
from openbook.models.registry import ONNX, TOKENIZER, ModelFiles

FILE_NAME = "embeddings-1.sqlite3"
_TABLE = "CREATE TABLE IF NOT EXISTS embeddings (key BLOB PRIMARY KEY, vector BLOB NOT NULL, crc INTEGER NOT NULL)"
_BLOBS = "CREATE TABLE IF NOT EXISTS blobs (key BLOB PRIMARY KEY, data BLOB NOT NULL, crc INTEGER NOT NULL)"
_WAIT_S = 60
_BATCH = 500
_SAVE_EVERY = 64


class Embedded(NamedTuple):
    """Vectors, and what they cost.

    Attributes:
        vectors: float32 [texts, dims], unit length, in the order of the texts.
        computed: texts that went through the model.
        reused: texts whose vector was known, repetitions included.
    """

    vectors: Vectors
    computed: int
    reused: int


class EmbeddingCache:
    """Vectors by key, on disk.

    Args:
        file: where; default: ``embeddings-1.sqlite3`` in ``cache_dir()``.

    Attributes:
        warnings: what went wrong with the file. Nothing that does stops a build: without the cache it is slower.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file if file is not None else cache_dir() / FILE_NAME
        self.warnings: list[BuildWarning] = []
        self._usable = True

    def get(self, keys: Sequence[bytes], dims: int) -> dict[bytes, Vectors]:
        """The vectors that are known, float32 [dims] each; one that is damaged counts as unknown."""
        return {
            key: np.frombuffer(data, dtype="<f4").astype(np.float32)
            for key, data in self._find("SELECT key, vector, crc FROM embeddings", keys).items()
            if len(data) == 4 * dims
        }

    def put(self, vectors: dict[bytes, Vectors]) -> None:
        """Remember vectors; one that another build has put there meanwhile is replaced by its equal."""
        self._store("embeddings", {key: vector.astype("<f4").tobytes() for key, vector in vectors.items()})

    def get_blobs(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What else is known of texts, such as their token vectors; damaged data counts as unknown."""
        return self._find("SELECT key, data, crc FROM blobs", keys)

    def put_blobs(self, blobs: dict[bytes, bytes]) -> None:
        """Remember data by key."""
        self._store("blobs", blobs)

    def _find(self, select: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Data by key, of those that are there and have their checksum; ``select`` gives key, data and checksum."""
        found: dict[bytes, bytes] = {}
        with self._connected() as connection:
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                rows = connection.execute(f"{select} WHERE key IN ({','.join('?' * len(batch))})", batch)
                found.update((key, data) for key, data, crc in rows if zlib.crc32(data) == crc)
        return found

    def _store(self, table: str, data: dict[bytes, bytes]) -> None:
        rows = [(key, value, zlib.crc32(value)) for key, value in data.items()]
        with self._connected() as connection, connection:
            connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608  (a constant)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """An open database; a damaged one is replaced, and what was being done to it comes to nothing."""
        connection = self._open() if self._usable else _connect(":memory:")
        with contextlib.closing(connection):
            try:
                yield connection
            except sqlite3.OperationalError as error:
                self._give_up(error)
            except sqlite3.DatabaseError as error:
                connection.close()
                self._renew(error)

    def _open(self) -> sqlite3.Connection:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            return _connect(self.file)
        except (sqlite3.OperationalError, OSError) as error:
            self._give_up(error)
            return _connect(":memory:")
        except sqlite3.DatabaseError as error:
            self._renew(error)
            return _connect(self.file)

    def _renew(self, error: Exception) -> None:
        self._warn("embedding-cache-damaged", f"is damaged ({error}) and was made anew; every chunk is embedded again.")
        for name in (self.file.name, f"{self.file.name}-wal", f"{self.file.name}-shm"):
            self.file.with_name(name).unlink(missing_ok=True)

    def _give_up(self, error: Exception) -> None:
        self._usable = False
        self._warn(
            "embedding-cache-unusable",
            f"cannot be used ({error}); this build goes on without it. Set OPENBOOK_CACHE to a folder that can be "
            "written.",
        )

    def _warn(self, kind: WarningKind, message: str) -> None:
        self.warnings.append(BuildWarning(kind, f"the cache of embeddings {message}", str(self.file)))


def embed(
    encoder: Encoder,
    texts: Sequence[str],
    cache: EmbeddingCache | None = None,
    progress: Progress | None = None,
) -> Embedded:
    """Embed texts, each different one at most once, and none that the cache knows.

    Args:
        encoder: of the model.
        texts: any number.
        cache: where to look and to remember; None to compute all.
        progress: called with texts done and texts in all; those that are known count as done at once.

    Returns:
        The vectors, the same to the last bit whether they were computed or known.
    """
    keys = [embedding_key(encoder.files, text) for text in texts]
    text_of = dict(zip(keys, texts, strict=True))
    known = cache.get(list(text_of), encoder.files.dims) if cache is not None else {}
    wanted = [key for key in text_of if key not in known]

    def work(portion: Sequence[bytes], report: Progress) -> None:
        vectors = encoder.encode([text_of[key] for key in portion], report)
        fresh = dict(zip(portion, vectors, strict=True))
        if cache is not None:
            cache.put(fresh)
        known.update(fresh)

    in_portions(text_of, wanted, len(texts), work, progress)
    return Embedded(in_rows(keys, known, encoder.files.dims), len(wanted), len(texts) - len(wanted))


def in_portions(
    text_of: Mapping[bytes, str],
    wanted: Sequence[bytes],
    total: int,
    work: Callable[[Sequence[bytes], Progress], None],
    progress: Progress | None,
) -> None:
    """Work through texts in portions, so that a build that is stopped has not worked for nothing.

    Args:
        text_of: key → text. The longest go first, as the encoder would have them.
        wanted: keys of those to do.
        total: texts in all, of which the rest counts as done at once.
        work: does the texts of some keys and keeps what came of them; told how to report how many of them are done.
        progress: called with texts done and texts in all.
    """
    done = total - len(wanted)
    if progress is not None:
        progress(done, total)
    order = sorted(wanted, key=lambda key: -len(text_of[key]))
    for start in range(0, len(order), _SAVE_EVERY):

        def report(count: int, _: int, before: int = done + start) -> None:
            if progress is not None:
                progress(before + count, total)

        work(order[start : start + _SAVE_EVERY], report)


def in_rows(keys: Sequence[bytes], vectors: Mapping[bytes, Vectors], dims: int) -> Vectors:
    """The vectors of ``keys``, in their order: float32 [keys, dims]."""
    rows = np.empty((len(keys), dims), dtype=np.float32)
    for row, key in enumerate(keys):
        rows[row] = vectors[key]
    return rows


def embedding_key(files: ModelFiles, text: str) -> bytes:
    """SHA-256 over all that an embedding follows from."""
    settings = "\n".join(
        (
            files.sha256[ONNX],
            files.sha256[TOKENIZER],
            files.pooling,
            str(files.max_tokens),
            f"onnxruntime {onnxruntime.__version__}",
        )
    )
    return hashlib.sha256(f"{settings}\n\n{text}".encode("utf-8", "surrogatepass")).digest()


def _connect(file: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_WAIT_S)
    try:
        if file != ":memory:":
            # Readers and a writer do not wait for one another, and what is lost when the power fails is only a cache.
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(_TABLE)
        connection.execute(_BLOBS)
        connection.commit()
    except BaseException:
        connection.close()
        raise
    return connection
