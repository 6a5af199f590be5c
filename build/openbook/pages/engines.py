"""Which of the client's files only the engine of a language model needs: a site that does not offer the engine has none
of them, and of the others the build says how large they are.

Vite names every file by its content, and one file asks for another by that name; so what is needed is what can be
reached from where the pages begin. Vite's own manifest does not say it: what a worker imports is not in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, get_args

from openbook.errors import ClientMissingError
from openbook.pages.assets import CLIENT_HINT, MANIFEST, SERVICE_WORKER, client_files, load_client
from openbook.settings import EngineName

ENGINES: Final[tuple[EngineName, ...]] = get_args(EngineName)

_MODULE: Final = "src/generation/{engine}.ts"
_SUFFIX = re.compile(rb"\.(?:js|css|wasm)\b")
_BEFORE = re.compile(rb"[\w-]+\Z")
_LONGEST: Final = 80
"""Of a file's name, without its suffix."""


class ClientGraph:
    """The files of a client, and which of them names which.

    Args:
        client: folder that Vite wrote.

    Raises:
        ClientMissingError: it was not built, or has no module of an engine.
    """

    def __init__(self, client: Path) -> None:
        load_client(client)
        manifest = client / MANIFEST
        chunks = json.loads(manifest.read_bytes())
        self._modules: dict[EngineName, str] = {}
        for engine in ENGINES:
            module = _MODULE.format(engine=engine)
            if module not in chunks:
                raise ClientMissingError(f"names no {module}.", source=manifest, hint=CLIENT_HINT)
            self._modules[engine] = chunks[module]["file"]
        self._starts = {SERVICE_WORKER}
        for chunk in chunks.values():
            self._starts.update(chunk.get("css", ()))
            if chunk.get("isEntry"):
                self._starts.add(chunk["file"])
        files = {path.name: path for path in client_files(client)}
        self._bytes = {path.relative_to(client).as_posix(): path.stat().st_size for path in files.values()}
        self._names: Mapping[str, frozenset[str]] = {
            path.relative_to(client).as_posix(): frozenset(
                files[name].relative_to(client).as_posix() for name in _names(path.read_bytes()) if name in files
            )
            for path in files.values()
            if path.suffix == ".js"
        }

    def only(self, engines: Collection[EngineName]) -> frozenset[str]:
        """Paths of the files that are needed for these engines and for nothing else."""
        closed = {self._modules[engine] for engine in engines}
        return frozenset(self._reached(frozenset()) - self._reached(closed))

    def bytes(self, engines: Iterable[EngineName]) -> dict[str, int]:
        """Of the files that each engine needs for itself alone."""
        return {engine: sum(self._bytes[file] for file in self.only([engine])) for engine in engines}

    def _reached(self, closed: Collection[str]) -> set[str]:
        reached: set[str] = set()
        waiting = list(self._starts)
        while waiting:
            file = waiting.pop()
            if file not in reached and file not in closed:
                reached.add(file)
                waiting.extend(self._names.get(file, ()))
        return reached


def _names(script: bytes) -> Iterator[str]:
    """What in a script looks like the name of a file. From the suffix back, since the scripts are megabytes."""
    for suffix in _SUFFIX.finditer(script):
        stem = _BEFORE.search(script[max(0, suffix.start() - _LONGEST) : suffix.start()])
        if stem is not None:
            yield (stem[0] + suffix[0]).decode()
