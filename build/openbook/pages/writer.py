"""Fills the templates and writes the pages: notes, decks, the overview, and those that answer questions."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as escape_markup

from openbook.config import Config
from openbook.course.catalogue import Catalogue
from openbook.course.document import Document, Section
from openbook.course.readers import Reading
from openbook.course.readers.sections import split_footnotes
from openbook.course.source import Lecture
from openbook.evaluation.report import Evaluation
from openbook.evaluation.sweep_report import recorded_sweeps
from openbook.pages.addresses import Addresses, Place, quoted, relative
from openbook.pages.assets import COMPONENT, Assets, site_folder
from openbook.pages.blocks import BlockRenderer
from openbook.pages.book import EMBED
from openbook.pages.evaluation import page_context
from openbook.pages.markdown import HtmlRenderer
from openbook.pages.offline import WEB_MANIFEST, colours, web_manifest
from openbook.pages.policies import EMBED_POLICY, READING_POLICY, asking_policy
from openbook.pages.words import RIGHT_TO_LEFT, Words

EVALUATION = "evaluation/index.html"
"""Of a course with a gold set: what retrieval does on it."""
_OUTLINE_DEPTH = 2


class Page(NamedTuple):
    """A document on its way to a page."""

    lecture: Lecture
    document: Document
    path: Path
    reading: Reading
    place: Place


class Writer:
    """Fills the templates and writes the pages."""

    def __init__(self, config: Config, catalogue: Catalogue, assets: Assets, out: Path, measured: bool = False) -> None:
        self._gold_path = config.gold_path
        self._catalogue = catalogue
        self._assets = assets
        self._out = out
        self._asking_policy = asking_policy(config.settings.generation)
        self.written: list[str] = []
        self.pictures: list[str] = []
        self._templates = Environment(
            loader=FileSystemLoader(site_folder() / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            keep_trailing_newline=True,
        )
        language = config.settings.course.language
        self._say = Words(language)
        self._templates.globals["say"] = self._say
        self._templates.filters["keys"] = _keys
        main = language.partition("-")[0].lower()
        self._site = {
            "title": config.title,
            "language": language,
            "direction": "rtl" if main in RIGHT_TO_LEFT else "ltr",
            # The frame's own words are said to be what they are where the course is in another language.
            "chrome": Markup(' lang="{}" dir="ltr"').format(self._say.language) if self._say.foreign else Markup(""),
            "as_of": catalogue.as_of.isoformat(),
            "icon": assets.icon,
            "scheme_script": assets.scheme_script,
            "reading_script": assets.reading_script,
            "policy": READING_POLICY,
            "measured": measured,
            "writes": bool(config.settings.generation.engines),
            "offline": config.settings.site.offline and assets.client is not None,
            "web_manifest": WEB_MANIFEST,
            "papers": colours("paper"),
        }

    def _write(self, url: str, template: str, *, here: str = "", **context: Any) -> None:
        html = self._templates.get_template(template).render(
            site=self._site, up="../" * url.count("/"), here=here, **context
        )
        path = self._out / url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8", newline="\n")
        self.written.append(url)

    def document(self, page: Page, pages: Sequence[Page], addresses: Addresses) -> None:
        """Write the page of a document."""
        document, lecture = page.document, page.lecture
        ordered = list(dict.fromkeys(other.lecture.id for other in pages))
        position = ordered.index(lecture.id)
        context: dict[str, Any] = {
            "title": document.title,
            "kind_name": self._say(f"page.{document.kind}"),
            "other": self._other(page, pages),
            "previous": self._neighbour(page, pages, ordered[position - 1] if position else None),
            "next": self._neighbour(page, pages, ordered[position + 1] if position + 1 < len(ordered) else None),
        }
        if document.kind == "notes":
            first = next(iter(document.sections), None)
            context |= {
                "heading": "" if first is not None and first.level == 1 else document.title,
                "heading_hidden": False,
                "outline": _outline(document.sections),
                "outline_title": self._say("page.contents"),
                "top": page.reading.parsed.top if page.reading.parsed is not None else "",
                "body": Markup(self._notes(page, addresses)),  # noqa: S704
            }
        else:
            slides = self._slides(page, addresses)
            context |= {
                "heading": document.title,
                # The first slide says it in large letters already.
                "heading_hidden": bool(slides) and slides[0]["title"] == document.title,
                "outline": [
                    {"href": slide["href"], "title": f"{slide['number']}. {slide['title']}", "children": ()}
                    for slide in slides
                ],
                "outline_title": self._say("page.slides"),
                "slides": slides,
                "total": max((slide["number"] for slide in slides), default=0),
            }
        template = "notes.html.j2" if document.kind == "notes" else "deck.html.j2"
        self._write(
            document.url, template, styles=[self._assets.base, self._assets.reading], lecture=lecture, page=context
        )

    def _notes(self, page: Page, addresses: Addresses) -> str:
        if page.reading.parsed is not None:
            return HtmlRenderer(page.reading.parsed, addresses, say=self._say).notes(page.reading.parsed.tokens)
        return BlockRenderer(self._pictures(page), self._say).notes(page.document, self._original(page))

    def _pictures(self, page: Page) -> dict[str, tuple[str, bytes]]:
        """Write the pictures that a source held in itself beside its page; name → (address from the page, bytes)."""
        folder = f"{page.place.url.removesuffix('.html')}-pictures"
        found: dict[str, tuple[str, bytes]] = {}
        for name, raw in sorted(page.reading.pictures.items()):
            path = self._out / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
            self.pictures.append(f"{folder}/{name}")
            found[name] = (relative(page.place.url, f"{folder}/{name}"), raw)
        return found

    def _original(self, page: Page) -> str:
        """Copy the file itself beside its page, where it is offered; return its address from there, or ""."""
        if not page.reading.original:
            return ""
        name = f"{page.place.url.removesuffix('.html')}{page.path.suffix.lower()}"
        target = self._out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page.path, target)
        self.pictures.append(name)
        return relative(page.place.url, name)

    def _slides(self, page: Page, addresses: Addresses) -> list[dict[str, Any]]:
        reading = page.reading
        if reading.parsed is None or reading.slides is None:
            blocks = BlockRenderer(self._pictures(page), self._say)
            original = self._original(page)
            slides: list[dict[str, Any]] = []
            parts = ""
            for section in page.document.sections:
                if section.slide is None:  # the name of a part of the deck: it stands on the first slide of that part
                    parts += f'<p class="deck-part" id="{escape(section.anchor)}">{escape(section.title)}</p>\n'
                    continue
                slides.append(
                    {
                        "number": section.slide,
                        "anchor": section.anchor,
                        "href": quoted(section.anchor),
                        "title": section.title,
                        "lead": False,
                        "original": f"{original}#page={section.slide}" if original else "",
                        "body": Markup(parts + blocks.slide(section)),  # noqa: S704
                        "notes": Markup(blocks.speaker_notes(section)),  # noqa: S704
                    }
                )
                parts = ""
            return slides
        renderer = HtmlRenderer(reading.parsed, addresses, deck=True, say=self._say)
        _, footnotes = split_footnotes(reading.parsed.tokens)
        return [
            {
                "number": slide.number,
                "original": "",
                "anchor": slide.anchor,
                "href": quoted(slide.anchor),
                "title": slide.title,
                "lead": "lead" in str(slide.directives.get("_class", slide.directives.get("class", ""))).split(),
                "body": Markup(renderer.slide(slide, footnotes)),  # noqa: S704
                "notes": Markup(renderer.speaker_notes(slide)),  # noqa: S704
            }
            for slide in reading.slides
        ]

    def _other(self, page: Page, pages: Sequence[Page]) -> dict[str, str] | None:
        other = next((p for p in pages if p.lecture.id == page.lecture.id and p.place is not page.place), None)
        if other is None:
            return None
        return {"href": relative(page.place.url, other.place.url), "name": self._say(f"page.{other.document.kind}")}

    def _neighbour(self, page: Page, pages: Sequence[Page], lecture: str | None) -> dict[str, str] | None:
        """The page of the same kind in another lecture, or whatever that lecture has."""
        theirs = [other for other in pages if other.lecture.id == lecture]
        if not theirs:
            return None
        same = next((other for other in theirs if other.document.kind == page.document.kind), theirs[0])
        return {"href": relative(page.place.url, same.place.url), "title": same.lecture.title}

    def overview(self, pages: Sequence[Page]) -> None:
        """Write the list of all lectures."""
        url = "lectures/index.html"
        rows = []
        for lecture in self._catalogue.lectures:
            theirs = [page for page in pages if page.lecture.id == lecture.id]
            rows.append(
                {
                    "number": lecture.number,
                    "week": lecture.week,
                    "title": lecture.title,
                    "release": lecture.release.isoformat() if lecture.release else "",
                    "tags": lecture.tags,
                    "first": relative(url, theirs[0].place.url) if theirs else "",
                    "pages": [
                        {"href": relative(url, page.place.url), "name": self._say(f"page.{page.document.kind}")}
                        for page in theirs
                    ],
                }
            )
        groups = [{"week": week, "lectures": list(group)} for week, group in groupby(rows, key=lambda row: row["week"])]
        styles = [self._assets.base, self._assets.reading]
        self._write(url, "overview.html.j2", here="lectures", styles=styles, groups=groups, count=len(rows))

    def evaluation(self, evaluation: Evaluation, now: str | None) -> None:
        """Write what was measured on the gold set, of an index with passages other than ``now`` if that is given."""
        styles = [self._assets.base, self._assets.reading]
        context = page_context(evaluation, recorded_sweeps(self._gold_path), self._say, now=now)
        self._write(EVALUATION, "evaluation.html.j2", here="evaluation", styles=styles, **context)

    def installable(self) -> None:
        """Write what a browser installs the site by, where it may."""
        if self._site["offline"]:
            named = {key: str(self._site[key]) for key in ("title", "language", "direction", "icon")}
            (self._out / WEB_MANIFEST).write_bytes(web_manifest(**named))
            self.pictures.append(WEB_MANIFEST)

    def index(self) -> None:
        """Write the page that answers questions."""
        site = {**self._site, "policy": self._asking_policy}
        self._site, plain = site, self._site
        self._write("index.html", "index.html.j2", here="ask", styles=[self._assets.base], client=self._assets.client)
        self._site = plain

    def embed(self) -> None:
        """Write the page that is made to be put into a frame. It is no page of its own, so none of ``written``."""
        site = {**self._site, "policy": EMBED_POLICY}
        template = self._templates.get_template("embed.html.j2")
        html = template.render(
            site=site,
            base=self._assets.base,
            component=COMPONENT,
            frame=self._assets.client.frame,  # type: ignore[union-attr]
        )
        (self._out / EMBED).write_text(html, encoding="utf-8", newline="\n")
        self.pictures.append(EMBED)


def _keys(sentence: str, **keys: str) -> Markup:
    """Put names of keys into their places in a sentence."""
    return escape_markup(sentence).format(**{place: Markup("<kbd>{}</kbd>").format(key) for place, key in keys.items()})


def _outline(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """The contents of a document: its two upper levels of headings below the title."""
    listed = [section for section in sections if section.level > 0]
    if listed and listed[0].level == 1 and sum(section.level == 1 for section in listed) == 1:
        listed = listed[1:]
    top = min((section.level for section in listed), default=1)
    root: list[dict[str, Any]] = []
    for section in listed:
        depth = section.level - top
        if depth >= _OUTLINE_DEPTH:
            continue
        siblings = root[-1]["children"] if depth and root else root
        siblings.append({"href": quoted(section.anchor), "title": section.title, "children": []})
    return root
