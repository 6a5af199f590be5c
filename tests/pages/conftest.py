"""A small course made from a table of files, built into pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from openbook.chunking import Chunk
from openbook.config import Config, load_config
from openbook.course.catalogue import Catalogue, load_catalogue
from openbook.course.readers import read
from openbook.pages.render import SiteReport, render_site

TODAY = date(2026, 10, 1)
SETTINGS = '[course]\ntitle = "Pumps"\n[sources]\nroot = "lectures"\n'


@dataclass
class Site:
    config: Config
    catalogue: Catalogue
    out: Path
    report: SiteReport

    def page(self, url: str) -> str:
        return (self.out / url).read_text(encoding="utf-8")

    def kinds(self) -> list[str]:
        return [warning.kind for warning in self.report.warnings]


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def build(
    root: Path,
    files: Mapping[str, str | bytes],
    *,
    as_of: date = TODAY,
    settings: str | None = SETTINGS,
    strict: bool | None = None,
    chunks: Sequence[Chunk] = (),
) -> Site:
    if settings is not None:
        write(root, {"openbook.toml": settings})
    write(root, files)
    config = load_config(root)
    catalogue = load_catalogue(config, as_of)
    documents = [read(source, config, lecture) for lecture in catalogue.lectures for source in lecture.sources]
    out = root / "dist"
    report = render_site(config, catalogue, documents, out, client=None, strict=strict, chunks=chunks)
    return Site(config, catalogue, out, report)


@pytest.fixture
def course(tmp_path: Path) -> Callable[..., Site]:
    """``course({"lectures/a/notes.md": "…"})`` builds the pages of a course of these files."""

    def make(files: Mapping[str, str | bytes], **options) -> Site:
        return build(tmp_path, files, **options)

    return make


@pytest.fixture
def fragment(tmp_path: Path) -> Callable[[str], str]:
    """``fragment("**x**")`` is the HTML that a page's text becomes."""

    def make(markdown: str) -> str:
        files = {
            "lectures/a/notes.md": markdown,
            "lectures/a/figures/pump.svg": SVG,
            "lectures/b/notes.md": "# B\n\n## Wear\n",
        }
        html = build(tmp_path, files, strict=False).page("lectures/a/notes.html")
        return html.split('<div class="prose" id="top">\n', 1)[1].rsplit('\n    </div>\n\n    <nav class="pager"', 1)[0]

    return make


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30"/></svg>'


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A folder as Vite writes it, with nothing in its files but the names of those that they load.

    Two engines share `shared-00000000.js`, and of one the worker imports a library that Vite's manifest does not know.
    """
    folder = tmp_path / "client"
    manifest = {
        "src/main.ts": {"file": "assets/page-1.js", "isEntry": True, "imports": ["_a.js"], "css": ["assets/p.css"]},
        "src/frame.ts": {"file": "assets/frame-1.js", "isEntry": True, "imports": ["_a.js"]},
        "src/openbook.ts": {"file": "openbook.js", "isEntry": True},
        "_a.js": {"file": "assets/a.js", "imports": ["_b.js"]},
        "_b.js": {"file": "assets/b.js", "css": ["assets/b.css"]},
        "src/worker.ts": {"file": "assets/worker.js"},
        "src/generation/webllm.ts": {"file": "assets/webllm-00000000.js"},
        "src/generation/wllama.ts": {"file": "assets/wllama-00000000.js"},
        "src/generation/built-in.ts": {"file": "assets/built-in-00000000.js"},
        "src/generation/address.ts": {"file": "assets/address-00000000.js"},
    }
    loads = {
        "page-1.js": ["webllm-00000000.js", "wllama-00000000.js", "built-in-00000000.js", "address-00000000.js"],
        "webllm-00000000.js": ["webllm_worker-00000000.js", "shared-00000000.js"],
        "webllm_worker-00000000.js": ["lib-00000000.js"],
        "lib-00000000.js": [],
        "wllama-00000000.js": ["wllama-00000000.wasm", "shared-00000000.js"],
        "wllama-00000000.wasm": [],
        "shared-00000000.js": [],
        "built-in-00000000.js": [],
        "address-00000000.js": [],
    }
    (folder / ".vite").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / ".vite/manifest.json").write_text(json.dumps(manifest))
    (folder / "openbook.js").write_text("openbook.js")
    for name in ("page-1.js", "frame-1.js", "a.js", "b.js", "worker.js", "p.css", "b.css", "model.wasm"):
        (folder / "assets" / name).write_text(name)
    for name, loaded in loads.items():
        (folder / "assets" / name).write_text(" ".join(f'import("./{other}")' for other in loaded) or name)
    return folder
