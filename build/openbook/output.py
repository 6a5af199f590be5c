"""The folder that a site is written to: the site of the last build stays whole until the next one is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from openbook.errors import OutputFolderError
from openbook.index.manifest import MANIFEST
from openbook.index.write import INDEX


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
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
