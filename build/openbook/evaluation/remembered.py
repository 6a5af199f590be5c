"""What a build has measured before: results by the hash of all that they follow from, a file each.

A result is taken from here only when nothing that goes into it has changed: the index's files and settings, the
questions, the unrounded vectors, the code that measures, and the libraries under it. So it is never an old figure
under a new index; at worst it is worked out again.
"""

from __future__ import annotations

import contextlib
import hashlib
import platform
import sqlite3
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import numpy as np
import onnxruntime

FOLDER: Final = "measurements"
KEPT: Final = 64
"""Files; of the shipped course each has some 60 kB."""

T = TypeVar("T")


class Remembered:
    """Results in a folder, of which the last ``KEPT`` to be used stay.

    A folder that cannot be read or written makes builds slower and nothing else; the cache of embeddings, which lies in
    the same place, warns of it.

    Args:
        folder: need not exist yet.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str, kind: type[T]) -> T | None:
        """The result of that key; None when it is not known, or damaged."""
        path = self._path(key)
        try:
            data = path.read_bytes()
            path.touch()
        except OSError:
            return None
        digest, packed = data[:32], data[32:]
        if hashlib.sha256(packed).digest() != digest:
            return None
        try:
            return msgspec.json.decode(zlib.decompress(packed), type=kind)
        except (msgspec.MsgspecError, zlib.error):
            return None

    def put(self, key: str, value: object) -> None:
        """Remember a result, and forget those that were not used for longest."""
        packed = zlib.compress(msgspec.json.encode(value))
        path = self._path(key)
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{platform.node()}-{id(self)}.part")
            part.write_bytes(hashlib.sha256(packed).digest() + packed)
            part.replace(path)
            files = sorted(self._folder.glob("*.bin"), key=lambda file: file.stat().st_mtime_ns)
            for file in files[:-KEPT]:
                file.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.bin"


def key_of(*parts: bytes) -> str:
    """SHA-256 over some parts, our code and the libraries that count for it, in hex."""
    digest = hashlib.sha256(_code())
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _code() -> bytes:
    digest = hashlib.sha256()
    versions = (platform.python_version(), platform.machine(), np.__version__, onnxruntime.__version__)
    digest.update("\n".join((*versions, sqlite3.sqlite_version)).encode())
    package = Path(__file__).resolve().parents[1]
    for file in sorted(package.rglob("*.py")):
        digest.update(f"\n{file.relative_to(package).as_posix()}\n".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()
