"""What makes a site installable and lets a browser keep it: ``manifest.webmanifest``, and the list of its files.

The service worker comes with the client (``web/src/offline/``). All addresses are relative: any path will do.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from openbook.errors import IndexFormatError
from openbook.generation.files import FOLDER
from openbook.index.manifest import MANIFEST, REPORT, FileEntry, Manifest
from openbook.index.write import INDEX, MODELS, add_file, write_manifest
from openbook.models.download import sha256_of
from openbook.pages.assets import SERVICE_WORKER, site_folder

WEB_MANIFEST: Final = "manifest.webmanifest"
SITE_LIST: Final = "site"
"""Logical name of the list of the site's files."""

_MODELS: Final = (f"{MODELS}/", f"{FOLDER}/")
_DIGITS: Final = 32
_AGAIN: Final = "A browser would not keep the site. Build it again, and publish it as it is built."

_COLOUR = r"--ob-{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)"


class SiteList(msgspec.Struct, frozen=True, kw_only=True):
    """``site-<hash>.json``: what a browser keeps beside the files of the index for a course to be there offline.

    Models and runtimes are not in it: the page keeps those apart, each by its SHA-256.

    Attributes:
        files: those that the manifest does not list; of each hash only the first 32 digits, since hashes do not shrink
            and this list is fetched at every first visit.
    """

    files: list[FileEntry]


def colours(name: str) -> tuple[str, str]:
    """A colour of ``site/styles/tokens.css``: on light and on dark paper."""
    tokens = (site_folder() / "styles" / "tokens.css").read_text(encoding="utf-8")
    found = re.search(_COLOUR.format(name=name), tokens)
    if found is None:
        raise AssertionError(f"tokens.css has no --ob-{name} with a light and a dark side")
    return found[1], found[2]


def web_manifest(*, title: str, language: str, direction: str, icon: str) -> bytes:
    """What a browser needs to install the site as an app (W3C Web Application Manifest); addresses are relative."""
    return msgspec.json.encode(
        {
            "name": title,
            "short_name": title,
            "lang": language,
            "dir": direction,
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": colours("paper")[0],
            "theme_color": colours("paper")[0],
            "icons": [{"src": icon, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
        }
    )


def list_site(out: Path, manifest: Manifest) -> Manifest:
    """Write the list of the site's files, and into the manifest that there is one. The last step of a build."""
    left_out = {f"{INDEX}/{MANIFEST}", f"{INDEX}/{REPORT}", SERVICE_WORKER}
    left_out |= {entry.path for entry in manifest.files.values()}
    files = []
    for file in sorted(out.rglob("*")):
        path = file.relative_to(out).as_posix()
        if not file.is_file() or path in left_out or path.startswith(_MODELS) or file.suffix == ".wasm":
            continue
        files.append(FileEntry(path=path, bytes=file.stat().st_size, sha256=sha256_of(file)[:_DIGITS]))
    listed = add_file(out, manifest, SITE_LIST, SiteList(files=files))
    listed = msgspec.structs.replace(listed, offline=SITE_LIST)
    write_manifest(out, listed)
    return listed


def check_list(out: Path, manifest: Manifest) -> int:
    """Check every file that a browser would keep for the site to be there offline.

    Args:
        out: the site's root.
        manifest: of its index, whose own files have been checked.

    Returns:
        How many they are; 0 when the site is not to be kept.

    Raises:
        IndexFormatError: one is missing, or is not the file that the list names.
    """
    if manifest.offline is None:
        return 0
    listed = msgspec.json.decode((out / manifest.files[manifest.offline].path).read_bytes(), type=SiteList).files
    for entry in listed:
        file = out / entry.path
        if not file.is_file():
            raise IndexFormatError("is missing, and listed to be kept offline.", source=file, hint=_AGAIN)
        if file.stat().st_size != entry.bytes or sha256_of(file)[:_DIGITS] != entry.sha256:
            raise IndexFormatError("is not the file that is listed to be kept offline.", source=file, hint=_AGAIN)
    return len(listed)
