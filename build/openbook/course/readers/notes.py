"""Notes in one of the dialects of Markdown: MyST, Quarto and R Markdown, Jekyll, Hugo, and what all of them share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from openbook.config import Config
from openbook.course.document import DocumentKind
from openbook.course.markdown import Dialect, Files, parse
from openbook.course.readers.base import Reading, make_document
from openbook.course.readers.sections import read_sections
from openbook.course.source import Lecture, Probe, Source

_MARKDOWN = (".md", ".markdown")
_HUGO = re.compile(rb"\{\{[<%]\s*/?\s*\w")
_LIQUID = re.compile(rb"\{%-?\s*(?:include|link|post_url|raw|highlight|assign|capture|comment|figure|if|for)\b")
_JEKYLL_KEYS = frozenset(("layout", "permalink"))
_D2L = re.compile(rb"^:(?:label|width|eqlabel):`|^#@tab |^:(?:begin|end)_tab:", re.MULTILINE)
_CARPENTRIES_KEYS = frozenset(("teaching", "exercises", "questions", "objectives", "keypoints"))


@dataclass(frozen=True, slots=True)
class Notes:
    """Reads notes in a dialect of Markdown.

    Attributes:
        name, suffixes: as ``Reader`` wants them.
        dialect: that the parser is told.
        claims: tells whether a file is in it.
    """

    name: str
    suffixes: tuple[str, ...]
    dialect: Dialect
    claims: Callable[[Probe], bool]
    text: bool = True

    def detects(self, probe: Probe) -> bool:
        """Tell whether a file is of this dialect."""
        return self.claims(probe)

    def kind(self, probe: Probe) -> DocumentKind:
        """Notes, always."""
        return "notes"

    def read(self, raw: bytes, source: Source, config: Config, lecture: Lecture) -> Reading:
        """Read notes."""
        parsed = parse(raw, source.path_in(config), dialect=self.dialect, files=files_of(source, config))
        document = make_document(
            source,
            config,
            lecture,
            title=parsed.title,
            sections=read_sections(parsed, parsed.title or source.path.stem),
            warnings=tuple(parsed.warnings),
        )
        return Reading(document, parsed)


def files_of(source: Source, config: Config) -> Files:
    """Return what a source may include: files of the course that belong to no unreleased lecture."""
    return Files(source.path.resolve(), config.root.resolve(), source.refused)


def _is_quarto(probe: Probe) -> bool:
    return probe.suffix == ".qmd" or probe.beside("_quarto.yml", "_quarto.yaml")


def _is_rmarkdown(probe: Probe) -> bool:
    return probe.suffix == ".rmd" or probe.beside("_bookdown.yml")


def _is_hugo(probe: Probe) -> bool:
    return _HUGO.search(probe.head) is not None or probe.head.startswith((b"+++\n", b"+++\r"))


def _is_jekyll(probe: Probe) -> bool:
    if probe.beside("_toc.yml", "myst.yml", "conf.py"):
        return False
    if probe.beside("_config.yml", "_config.yaml"):
        return True
    return bool(_JEKYLL_KEYS & probe.front_matter.data.keys()) and _LIQUID.search(probe.head) is not None


def _is_mdx(probe: Probe) -> bool:
    return probe.suffix == ".mdx" or probe.beside(*(f"docusaurus.config.{end}" for end in ("js", "ts", "mjs", "cjs")))


MDX = Notes("mdx", (".mdx", *_MARKDOWN), "mdx", _is_mdx)
MKDOCS = Notes("mkdocs", _MARKDOWN, "mkdocs", lambda probe: probe.beside("mkdocs.yml", "mkdocs.yaml", "zensical.toml"))
MDBOOK = Notes("mdbook", _MARKDOWN, "mdbook", lambda probe: probe.beside("book.toml"))
QUARTO = Notes("quarto", (".qmd", *_MARKDOWN), "pandoc", _is_quarto)
RMARKDOWN = Notes("rmarkdown", (".rmd", *_MARKDOWN), "pandoc", _is_rmarkdown)
HUGO = Notes("hugo", _MARKDOWN, "hugo", _is_hugo)
JEKYLL = Notes("jekyll", _MARKDOWN, "jekyll", _is_jekyll)
CARPENTRIES = Notes(
    "carpentries", _MARKDOWN, "myst", lambda probe: len(_CARPENTRIES_KEYS & probe.front_matter.data.keys()) >= 2
)
D2L = Notes("d2l", _MARKDOWN, "myst", lambda probe: _D2L.search(probe.head) is not None)
MYST = Notes("myst", _MARKDOWN, "myst", lambda probe: True)
