"""A local server for a built site that behaves as a static host does.

Right types for ``.wasm`` and modules, no listings of folders, gzip for text so that what is transferred is what a real
host transfers, any base path, and only on this machine (127.0.0.1).
"""

from __future__ import annotations

import gzip
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from openbook.errors import PortInUseError, SourceNotFoundError
from openbook.pages.live import Live

HOST = "127.0.0.1"
PORTS_TRIED = 100

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".toml": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".wasm": "application/wasm",
    ".onnx": "application/octet-stream",
    ".bin": "application/octet-stream",
    ".pdf": "application/pdf",
}
"""Types by suffix: the system's own table is not asked, since it differs between machines."""

COMPRESSED = frozenset(
    {".html", ".css", ".js", ".mjs", ".json", ".md", ".txt", ".toml", ".svg", ".wasm", ".webmanifest"}
)
"""What static hosts send gzipped; GitHub Pages does so for wasm as well, and for none of the binary files."""

SMALLEST_COMPRESSED = 256


@lru_cache(maxsize=256)
def _gzipped(path: Path, _mtime_ns: int, _size: int) -> bytes:
    return gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the files of one folder, mounted under one path."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "openbook"
    sys_version = ""

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Send a file's headers."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        live = self.server.live
        if live is not None and self._answer_live(live, body=body):
            return
        path = self._locate()
        if path is None:
            return
        try:
            stat = path.stat()
            content: BinaryIO
            content, size, coding = self._content(path, stat.st_mtime_ns, stat.st_size)
        except OSError:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        with content:
            modified = self.date_time_string(int(stat.st_mtime))
            if self.server.live is None and self.headers.get("If-Modified-Since") == modified:
                self.send_response(HTTPStatus.NOT_MODIFIED)
                self.end_headers()
                return
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", TYPES.get(path.suffix.lower(), "application/octet-stream"))
            self.send_header("Content-Length", str(size))
            if coding:
                self.send_header("Content-Encoding", coding)
            if path.suffix.lower() in COMPRESSED:
                self.send_header("Vary", "Accept-Encoding")
            self.send_header("Last-Modified", modified)
            self.end_headers()
            if body:
                try:
                    shutil.copyfileobj(content, self.wfile)
                except ConnectionError:
                    self.close_connection = True  # the browser went away; there is nobody to tell

    def _answer_live(self, live: Live, *, body: bool) -> bool:
        """Answer a request of the script that reloads the page; False when it is for something else."""
        script = live.script(self.path, self.server.base_path)
        if script is None:
            return False
        try:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", TYPES[".js"])
            self.send_header("Content-Length", str(len(script)))
            self.end_headers()
            if body:
                self.wfile.write(script)
        except ConnectionError:
            self.close_connection = True
        return True

    def _locate(self) -> Path | None:
        """The file that the request names; None when it was answered here (a redirect or an error)."""
        raw = urlsplit(self.path).path
        base = self.server.base_path
        if raw + "/" == base:
            self._redirect(base)
            return None
        if not raw.startswith(base):
            self._refuse(HTTPStatus.NOT_FOUND)
            return None
        inside = unquote(raw[len(base) :])
        if "\0" in inside or "\\" in inside:
            self._refuse(HTTPStatus.NOT_FOUND)
            return None
        path = (self.server.folder / inside.lstrip("/")).resolve()
        if path != self.server.folder and not path.is_relative_to(self.server.folder):
            self._refuse(HTTPStatus.NOT_FOUND)
            return None
        if path.is_dir():
            if not raw.endswith("/"):
                self._redirect(raw + "/")
                return None
            path = path / "index.html"
        if not path.is_file():
            self._refuse(HTTPStatus.NOT_FOUND)
            return None
        return path

    def _content(self, path: Path, mtime_ns: int, size: int) -> tuple[BinaryIO, int, str]:
        if self.server.live is not None and path.suffix == ".html":
            page = self.server.live.page(path.read_bytes(), self.server.base_path)
            return BytesIO(page), len(page), ""
        accepted = self.headers.get("Accept-Encoding", "")
        if path.suffix.lower() in COMPRESSED and size >= SMALLEST_COMPRESSED and "gzip" in accepted:
            packed = _gzipped(path, mtime_ns, size)
            return BytesIO(packed), len(packed), "gzip"
        return path.open("rb"), size, ""

    def _redirect(self, to: str) -> None:
        # One leading slash only: "//host" would lead to another origin.
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", "/" + to.lstrip("/"))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _refuse(self, status: HTTPStatus) -> None:
        self.send_error(status)

    def end_headers(self) -> None:
        """Add what every answer carries."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        if self.server.cors:
            self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged: the reader of the terminal wants the address and no more."""


class Server(ThreadingHTTPServer):
    """Serves ``folder`` under ``base_path`` on 127.0.0.1.

    Args:
        folder: the built site.
        port: the first port to try; 0 lets the system choose.
        base_path: begins and ends with ``/`` once normalised.
        live: tells the pages when they are to load themselves again; None for pages as they are.
        cors: whether pages of other addresses may read the files, as ``<open-book>`` on them must.

    Raises:
        SourceNotFoundError: there is no such folder.
        PortInUseError: none of the ports from ``port`` on is free.
    """

    daemon_threads = True
    # On Windows this option lets two servers share a port; elsewhere it only skips the wait after a restart.
    allow_reuse_address = os.name != "nt"

    def __init__(
        self, folder: Path, *, port: int = 0, base_path: str = "/", live: Live | None = None, cors: bool = False
    ) -> None:
        self.cors = cors
        self.folder = folder.resolve()
        if not self.folder.is_dir():
            raise SourceNotFoundError(
                "there is no such folder.", source=folder, hint="Build the site first: openbook build."
            )
        self.base_path = normalise_base_path(base_path)
        self.live = live
        last: OSError | None = None
        for candidate in (port,) if port == 0 else range(port, min(port + PORTS_TRIED, 65536)):
            try:
                super().__init__((HOST, candidate), _Handler)
            except OSError as error:
                last = error
            else:
                return
        raise PortInUseError(f"no port from {port} on is free: {last}.", hint="Give another one with --port.")

    @property
    def url(self) -> str:
        """Address of the site, with its base path."""
        return f"http://{HOST}:{self.server_port}{self.base_path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that a browser dropped is nothing to report."""


def normalise_base_path(base_path: str) -> str:
    """Give ``base_path`` exactly one slash at each end: ``course`` → ``/course/``."""
    inner = base_path.strip("/")
    return f"/{inner}/" if inner else "/"


@contextmanager
def serving(
    folder: Path, base_path: str = "/", port: int = 0, live: Live | None = None, *, cors: bool = False
) -> Iterator[str]:
    """Serve ``folder`` while the block runs; see ``Server``.

    Yields:
        The address of the site, ending with a slash.
    """
    server = Server(folder, port=port, base_path=base_path, live=live, cors=cors)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def serve_forever(
    folder: Path,
    *,
    port: int = 8000,
    base_path: str = "/",
    cors: bool = False,
    announce: Callable[[str], object] = lambda url: None,
) -> None:
    """Serve ``folder`` until the user interrupts.

    Args:
        folder: the built site.
        port: the next free one from here on is taken.
        base_path: path under which the site is mounted.
        cors: whether pages of other addresses may read it.
        announce: called once with the address.
    """
    with Server(folder, port=port, base_path=base_path, cors=cors) as server:
        announce(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
