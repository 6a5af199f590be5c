"""The folder that a site is written to: the site of the last build stays whole until the next one is."""

from __future__ import annotations

import contextlib
import errno
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from openbook.errors import OutputFolderError
from openbook.index.manifest import MANIFEST
from openbook.index.write import INDEX

_TAKEN: Final = frozenset({errno.ENOTEMPTY, errno.EEXIST})
_ATTEMPTS: Final = 10


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A folder to write into, which takes the place of ``out`` when the block has ended well.

    Raises:
        OutputFolderError: ``out`` is a file, or a folder with something else in it, or cannot be written.
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
    try:
        parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=parent))
    except OSError as error:
        raise OutputFolderError(
            f"cannot be written: {error.strerror}.", source=out, hint="Give --out a folder that you can write to."
        ) from error
    try:
        folder.chmod(0o755)
        yield folder
        _exchange(folder, out.resolve())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _exchange(folder: Path, out: Path) -> None:
    """Put ``folder`` in the place of ``out``. What stood there is renamed first and deleted last, so that whoever is
    stopped at any point leaves one whole site or the other; of two builds at the same time the later one stays.
    """
    old = folder.with_name(f"{folder.name}.old")
    for attempt in range(_ATTEMPTS):
        try:
            with contextlib.suppress(FileNotFoundError):
                out.rename(old)
            folder.rename(out)
            break
        except BaseException as error:
            if old.exists() and not out.exists():
                old.rename(out)
            # Another build has put its site there between the two lines above.
            if not (isinstance(error, OSError) and error.errno in _TAKEN) or attempt == _ATTEMPTS - 1:
                raise
        finally:
            shutil.rmtree(old, ignore_errors=True)
