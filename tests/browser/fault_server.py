"""A host that does to a large file what hosts and networks do: cuts it, stalls, lies, answers with another page."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIZE = 3_000_000
CONTENT = bytes((i * 7 + (i >> 8)) & 255 for i in range(SIZE))
CUT = 1_000_000

OTHERS = {
    "wrong-byte.bin": CONTENT[:CUT] + bytes([CONTENT[CUT] ^ 1]) + CONTENT[CUT + 1 :],
    "page.bin": b"<!doctype html><title>Log in</title>",
    "longer.bin": CONTENT + b"!",
    "short.bin": CONTENT[:CUT],
}
BREAK_ONCE = {"cut-once.bin": 0.3, "whole-only.bin": 0.3, "stalls-once.bin": 3.0}
"""Seconds until the connection ends behind the cut; the last is longer than the tests' patience."""


class FaultServer(ThreadingHTTPServer):
    """Serves ``CONTENT`` below names that say what goes wrong.

    Attributes:
        asked: (name, start of the range or 0), in order.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, int]] = []
        self.times: Counter[str] = Counter()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Address, with a slash at its end."""
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def starts(self, name: str) -> list[int]:
        """Where each request for a file began."""
        return [start for asked, start in self.asked if asked == name]


class _Handler(BaseHTTPRequestHandler):
    server: FaultServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.strip("/")
        match = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(match[1]) if match and name != "whole-only.bin" else 0
        with self.server.lock:
            self.server.asked.append((name, start))
            first = self.server.times[name] == 0
            self.server.times[name] += 1
        if name == "missing.bin":
            self._head(404, "text/plain", 0, 0)
            return
        content = OTHERS.get(name, CONTENT)
        broken = name == "lies.bin" or (first and name in BREAK_ONCE)
        kind = "text/html" if name == "page.bin" else "application/octet-stream"
        self._head(206 if start else 200, kind, len(content) - start, start)
        self.wfile.write(content[start : CUT if broken else None])
        self.wfile.flush()
        if broken:
            # What a browser has not given to the page yet when the connection ends is lost.
            time.sleep(BREAK_ONCE.get(name, 0))
            self.close_connection = True

    def _head(self, status: int, kind: str, length: int, start: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.send_header("Access-Control-Allow-Origin", "*")
        if start:
            self.send_header("Content-Range", f"bytes {start}-{SIZE - 1}/{SIZE}")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def faults() -> Iterator[FaultServer]:
    """The server, as long as the block runs."""
    server = FaultServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
