"""The files that every site has: style sheets, scripts, icon, and the client as Vite built it.

They come with the package: in a wheel beside this module, in a checkout from ``site/`` and from where
``make client`` puts them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from openbook.errors import ClientMissingError

HERE = Path(__file__).resolve().parent
BUNDLES = {
    "base.css": ("tokens.css", "base.css"),
    "reading.css": ("layout.css", "prose.css", "code.css", "deck.css", "evaluation.css"),
}
"""Style sheets as they are served, and the files of ``site/styles`` that each is made of."""

MANIFEST = ".vite/manifest.json"
SERVICE_WORKER = "service-worker.js"
"""Part of the client; at the site's root, since its place is its scope."""
COMPONENT = "openbook.js"
"""The one script with a name that stays: what other pages load to have ``<open-book>``."""

CLIENT_HINT = "Run `make client` (it needs Node.js 20 or newer), or install openbook from a wheel."

_ENTRIES = ("src/main.ts", "src/frame.ts", "src/openbook.ts")


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """What ``index.html`` and ``embed.html`` load; all relative to the site's root.

    Attributes:
        entry: the module that starts the page.
        frame: the module of ``embed.html``, which needs ``COMPONENT`` besides.
        preloads: modules that it imports at once.
        styles: its style sheets.
    """

    entry: str
    frame: str
    preloads: tuple[str, ...]
    styles: tuple[str, ...]


class Assets(msgspec.Struct, frozen=True, kw_only=True):
    """Where the files of every site are, relative to its root.

    Attributes:
        base: style sheet of every page.
        reading: style sheet of notes, decks and the overview.
        scheme_script: runs before the first paint.
        reading_script: module of notes and decks.
        icon: SVG.
        client: None when the site was written without one.
        files: all that were written.
    """

    base: str
    reading: str
    scheme_script: str
    reading_script: str
    icon: str
    client: Client | None
    files: tuple[str, ...]


def site_folder() -> Path:
    """The folder of templates, styles, scripts and of the course that ``openbook new`` writes."""
    packed = HERE / "site"
    return packed if packed.is_dir() else HERE.parents[2] / "site"


def client_folder() -> Path:
    """The folder that Vite writes; it may not exist in a checkout."""
    return HERE / "client"


def load_client(folder: Path) -> Client:
    """Read the manifest that Vite wrote.

    Raises:
        ClientMissingError: the client was not built, or not as it must be.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise ClientMissingError("the page's client has not been built.", source=path, hint=CLIENT_HINT)
    try:
        chunks: dict[str, dict[str, Any]] = json.loads(path.read_bytes())
        missing = [name for name in _ENTRIES if not chunks.get(name, {}).get("isEntry")]
        if missing:
            raise ClientMissingError(f"names no entry {missing[0]}.", source=path, hint=CLIENT_HINT)
        entry, frame, component = (chunks[name] for name in _ENTRIES)
        if component["file"] != COMPONENT:
            message = f"has {component['file']} in the place of {COMPONENT}."
            raise ClientMissingError(message, source=path, hint=CLIENT_HINT)
        imported = list(_imports(chunks, entry))
        client = Client(
            entry=entry["file"],
            frame=frame["file"],
            preloads=tuple(chunk["file"] for chunk in imported),
            styles=tuple(dict.fromkeys(style for chunk in [*imported, entry] for style in chunk.get("css", ()))),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ClientMissingError(f"is not a manifest of Vite's: {error}.", source=path, hint=CLIENT_HINT) from error
    for file in (COMPONENT, client.frame, client.entry, *client.preloads, *client.styles):
        if not (folder / file).is_file():
            raise ClientMissingError(f"names {file}, which is not there.", source=path, hint=CLIENT_HINT)
    return client


def _imports(chunks: dict[str, dict[str, Any]], chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the modules that a chunk imports statically, each once, dependencies first."""
    seen: set[str] = set()

    def visit(keys: list[str]) -> Iterator[dict[str, Any]]:
        for key in keys:
            if key not in seen:
                seen.add(key)
                yield from visit(chunks[key].get("imports", []))
                yield chunks[key]

    yield from visit(chunk.get("imports", []))


def write_assets(
    out: Path, *, client: Path | None = None, offline: bool = True, without: Collection[str] = ()
) -> Assets:
    """Write the files of every site into ``out``.

    Args:
        out: the site's root.
        client: folder that Vite wrote; None leaves the client out, and with it ``index.html``.
        offline: whether the service worker is among them.
        without: files of the client that the site does not need.

    Returns:
        Their names, with a hash where the content may change under the same name.

    Raises:
        ClientMissingError: ``client`` does not hold a built client.
    """
    loaded = load_client(client) if client is not None else None
    written: dict[str, str] = {}
    for name, content in _own_files():
        stem, _, suffix = name.rpartition(".")
        path = f"assets/{stem}-{hashlib.sha256(content).hexdigest()[:8]}.{suffix}"
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        written[name] = path
    copied = []
    for source in client_files(client) if client is not None else ():
        relative = source.relative_to(client).as_posix()  # type: ignore[arg-type]
        if relative in without or (relative == SERVICE_WORKER and not offline):
            continue
        target = out / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        copied.append(relative)
    return Assets(
        base=written["base.css"],
        reading=written["reading.css"],
        scheme_script=written["scheme.js"],
        reading_script=written["reading.js"],
        icon=written["icon.svg"],
        client=loaded,
        files=tuple(sorted([*written.values(), *copied])),
    )


def own_digests(client: Path | None = None) -> frozenset[bytes]:
    """SHA-256 digests of every file that comes with the package and holds no word of a course."""
    digests = {hashlib.sha256(content).digest() for _, content in _own_files()}
    if client is not None and client.is_dir():
        digests |= {hashlib.sha256(path.read_bytes()).digest() for path in client_files(client)}
    return frozenset(digests)


def _own_files() -> Iterator[tuple[str, bytes]]:
    site = site_folder()
    for name, parts in BUNDLES.items():
        yield name, b"\n".join((site / "styles" / part).read_bytes() for part in parts)
    for name in ("scheme.js", "reading.js"):
        yield name, (site / "scripts" / name).read_bytes()
    yield "icon.svg", (site / "icon.svg").read_bytes()


def client_files(client: Path) -> list[Path]:
    """Every file of a built client that belongs into a site, in order."""
    return sorted(path for path in client.rglob("*") if path.is_file() and ".vite" not in path.parts)
