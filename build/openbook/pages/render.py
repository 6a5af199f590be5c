"""Write the pages of a course: notes, decks, the overview, and the page that answers questions."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as escape_markup

from openbook.chunking import Chunk
from openbook.config import Config
from openbook.course.catalogue import Catalogue
from openbook.course.document import Document, Section
from openbook.course.readers import Reading, read_source
from openbook.course.readers.sections import split_footnotes
from openbook.course.source import Lecture
from openbook.errors import BuildWarning
from openbook.evaluation import report as evaluation_report
from openbook.evaluation.gold import Question
from openbook.evaluation.report import Evaluation
from openbook.evaluation.sweep_report import recorded_sweeps
from openbook.generation.offer import connect_sources
from openbook.pages.addresses import Addresses, Course, Found, Place, quoted, relative
from openbook.pages.assets import COMPONENT, Assets, site_folder, write_assets
from openbook.pages.blocks import BlockRenderer
from openbook.pages.book import EMBED
from openbook.pages.engines import ENGINES, ClientGraph
from openbook.pages.evaluation import page_context
from openbook.pages.links import LinkCheck, as_warnings, raise_for_dangling
from openbook.pages.markdown import HtmlRenderer
from openbook.pages.offline import WEB_MANIFEST, colours, web_manifest
from openbook.pages.words import RIGHT_TO_LEFT, Words
from openbook.settings import GenerationSettings

_COMMON_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; manifest-src 'self'; base-uri 'none';"
    " form-action 'none'"
)
READING_POLICY = (
    f"{_COMMON_POLICY}; script-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Of pages to read: two scripts of their own, nothing fetched; the page that answers may stand in a frame on them."""


def asking_policy(generation: GenerationSettings) -> str:
    """The policy of ``index.html``: also fetches the index and runs WebAssembly in a worker, which only the client's
    own policy for Trusted Types may start; reaches the hosts that the engines on offer need, and no other.
    """
    connect = " ".join(["'self'", *connect_sources(generation)])
    return (
        f"{_COMMON_POLICY}; script-src 'self' 'wasm-unsafe-eval'; connect-src {connect}; worker-src 'self';"
        " font-src 'self'; require-trusted-types-for 'script'; trusted-types openbook lit-html"
    )


EMBED_POLICY = (
    f"{_COMMON_POLICY}; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; font-src 'self';"
    " require-trusted-types-for 'script'; trusted-types openbook lit-html"
)
"""Of that page: as ``index.html``, without the engines."""

EVALUATION = "evaluation/index.html"
"""Of a course with a gold set: what retrieval does on it."""
_EVALUATION_DATA = f"{EVALUATION.rpartition('/')[0]}/{evaluation_report.FILE}"

_OUTLINE_DEPTH = 2


class SiteReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was written.

    Attributes:
        pages: urls of the pages, relative to the site's root.
        files: every file written, pages included, relative to the site's root.
        links: how many addresses were verified.
        warnings: what was noticed while rendering.
        assets: the files of every site.
        engine_bytes: of the files that each engine on offer needs for itself alone; no reader loads them unasked.
    """

    pages: tuple[str, ...]
    files: tuple[str, ...]
    links: int
    warnings: tuple[BuildWarning, ...]
    assets: Assets
    engine_bytes: dict[str, int]


class _Page(NamedTuple):
    """A document on its way to a page."""

    lecture: Lecture
    document: Document
    path: Path
    reading: Reading
    place: Place


def render_site(
    config: Config,
    catalogue: Catalogue,
    documents: Sequence[Document],
    out: Path,
    *,
    client: Path | None,
    readings: Mapping[str, Reading] | None = None,
    chunks: Iterable[Chunk] = (),
    strict: bool | None = None,
    measured: bool = False,
) -> SiteReport:
    """Write the pages of a course and verify every link in them.

    Args:
        config: of the course.
        catalogue: its lectures; of the unreleased ones only the paths are used.
        documents: the released lectures' documents, as the chunks were cut from.
        out: the site's root; files of an earlier build that are not written again are left where they are.
        client: folder that Vite wrote, as ``assets.client_folder()``; None writes no ``index.html``.
        readings: by ``Document.source``, where the caller has them already; the rest is read here.
        chunks: whose urls are verified too.
        strict: whether a dangling link is an error; by default when the course has an ``openbook.toml``. The urls
            of chunks are always errors.
        measured: whether the pages link to that of the evaluation, which ``add_evaluation`` will write.

    Returns:
        What was written and noticed.

    Raises:
        DanglingLinkError: links that lead nowhere, all of them with file and line.
        ClientMissingError: ``client`` does not hold a built client.
    """
    found = Found()
    pages = _prepare(config, catalogue, documents, readings or {})
    course = _course(config, catalogue, pages)
    offline, engines = config.settings.site.offline, config.settings.generation.engines
    graph = None if client is None else ClientGraph(client)
    left_out = frozenset() if graph is None else graph.only([engine for engine in ENGINES if engine not in engines])
    assets = write_assets(out, client=client, offline=offline, without=left_out)
    writer = _Writer(config, catalogue, assets, out, measured)
    writer.installable()
    elsewhere = {url for lecture in catalogue.lectures for source in lecture.sources if (url := source.url)}
    here = [page for page in pages if page.document.url not in elsewhere]
    for page in here:
        writer.document(page, pages, Addresses(course, page.place, page.path, page.document.source, found))
    writer.overview(pages)
    if assets.client is not None:
        writer.index()
        writer.embed()
    for inside, path in sorted(found.files.items()):
        target = out / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    check = LinkCheck(
        out,
        writer.written,
        ("index.html", EVALUATION) if measured else ("index.html",),
        elsewhere={
            page.document.url: frozenset(section.anchor for section in page.document.sections)
            for page in pages
            if page.document.url in elsewhere
        },
    )
    dangling = [*found.dangling, *check.dangling(found.origins)]
    broken = check.chunks(chunks)
    if strict if strict is not None else config.path is not None:
        raise_for_dangling([*dangling, *broken])
    raise_for_dangling(broken)
    warnings = [*found.warnings, *as_warnings(dangling)]
    warnings += check.repeated_ids({page.place.url: page.document.source for page in here})
    return SiteReport(
        pages=tuple(writer.written),
        files=tuple(sorted({*writer.written, *writer.pictures, *assets.files, *found.files})),
        links=check.links,
        warnings=tuple(dict.fromkeys(warnings)),
        assets=assets,
        engine_bytes={} if graph is None else graph.bytes(engines),
    )


def add_evaluation(
    config: Config,
    catalogue: Catalogue,
    out: Path,
    *,
    assets: Assets,
    evaluation: Evaluation,
    now: str | None = None,
) -> None:
    """Write the page of what was measured, and beside it the same as JSON, into a site that is there.

    Args:
        config: of the course.
        catalogue: its lectures.
        out: the site's root.
        assets: of the site.
        evaluation: what was measured.
        now: hash of the site's passages where what was measured is an earlier build's, which the page then says.
    """
    writer = _Writer(config, catalogue, assets, out, measured=True)
    writer.evaluation(evaluation, now)
    (out / _EVALUATION_DATA).write_bytes(msgspec.json.encode(evaluation))


def earlier_evaluation(out: Path, questions: Iterable[Question]) -> Evaluation | None:
    """What the evaluation page of a site that is there shows.

    Args:
        out: the site's root.
        questions: that can be asked now.

    Returns:
        None when there is none, or one of another version, or one with a question or a label that is not among these:
        it may be about a lecture that is not released any more.
    """
    try:
        found = msgspec.json.decode((out / _EVALUATION_DATA).read_bytes(), type=Evaluation)
    except (OSError, msgspec.MsgspecError):
        return None
    now = {question.id: question for question in questions}
    texts = [(one.id, one.text) for one in found.questions]
    texts += [(one.id, one.text) for one in found.gate.questions] if found.gate else []
    shown = all(name in now and now[name].text == text for name, text in texts)
    labelled = shown and all({*one.relevant} <= {*now[one.id].relevant} for one in found.questions)
    return found if labelled else None


def _prepare(
    config: Config, catalogue: Catalogue, documents: Sequence[Document], readings: Mapping[str, Reading]
) -> list[_Page]:
    by_source = {document.source: document for document in documents}
    pages = []
    for lecture in catalogue.lectures:
        for source in lecture.sources:
            name = source.path_in(config)
            document = by_source.get(name)
            if document is None:
                continue
            reading = readings.get(name) or read_source(source, config, lecture)
            place = Place(document.url, document.title, reading.targets, reading.titles)
            pages.append(_Page(lecture, document, source.path.resolve(), reading, place))
    return pages


def _course(config: Config, catalogue: Catalogue, pages: Sequence[_Page]) -> Course:
    labels: dict[str, tuple[Place, str]] = {}
    for page in pages:
        tokens = page.reading.parsed.tokens if page.reading.parsed is not None else ()
        labelled = {token.content for token in tokens if token.type == "myst_target"}
        for label, anchor in page.place.targets.items():
            # A heading's own slug is no label: "summary" in every lecture means the one of that lecture.
            own_slug = label == anchor and anchor in page.place.titles and label not in labelled
            if not own_slug:
                labels.setdefault(label, (page.place, anchor))
    folders: dict[Path, bool] = {}
    for released, lectures in ((False, catalogue.unreleased), (True, catalogue.lectures)):
        for lecture in lectures:
            for source in lecture.sources:
                if source.owns_folder:
                    folders[source.path.resolve().parent] = released
    return Course(
        root=config.root.resolve(),
        sources_root=config.sources_root,
        places={page.path: page.place for page in pages},
        unreleased=frozenset(source.path.resolve() for lecture in catalogue.unreleased for source in lecture.sources),
        folders=folders,
        labels=labels,
        permalinks={
            str(page.reading.parsed.front_matter.data["permalink"]).strip("/"): page.path
            for page in reversed(pages)
            if page.reading.parsed is not None and page.reading.parsed.front_matter.data.get("permalink")
        },
    )


class _Writer:
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

    def document(self, page: _Page, pages: Sequence[_Page], addresses: Addresses) -> None:
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

    def _notes(self, page: _Page, addresses: Addresses) -> str:
        if page.reading.parsed is not None:
            return HtmlRenderer(page.reading.parsed, addresses, say=self._say).notes(page.reading.parsed.tokens)
        return BlockRenderer(self._pictures(page), self._say).notes(page.document, self._original(page))

    def _pictures(self, page: _Page) -> dict[str, tuple[str, bytes]]:
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

    def _original(self, page: _Page) -> str:
        """Copy the file itself beside its page, where it is offered; return its address from there, or ""."""
        if not page.reading.original:
            return ""
        name = f"{page.place.url.removesuffix('.html')}{page.path.suffix.lower()}"
        target = self._out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page.path, target)
        self.pictures.append(name)
        return relative(page.place.url, name)

    def _slides(self, page: _Page, addresses: Addresses) -> list[dict[str, Any]]:
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

    def _other(self, page: _Page, pages: Sequence[_Page]) -> dict[str, str] | None:
        other = next((p for p in pages if p.lecture.id == page.lecture.id and p.place is not page.place), None)
        if other is None:
            return None
        return {"href": relative(page.place.url, other.place.url), "name": self._say(f"page.{other.document.kind}")}

    def _neighbour(self, page: _Page, pages: Sequence[_Page], lecture: str | None) -> dict[str, str] | None:
        """The page of the same kind in another lecture, or whatever that lecture has."""
        theirs = [other for other in pages if other.lecture.id == lecture]
        if not theirs:
            return None
        same = next((other for other in theirs if other.document.kind == page.document.kind), theirs[0])
        return {"href": relative(page.place.url, same.place.url), "title": same.lecture.title}

    def overview(self, pages: Sequence[_Page]) -> None:
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
