"""The pages of a course: which there are, where they lead, what is put beside them, and whether every link holds."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from openbook.chunking import Chunk
from openbook.config import Config
from openbook.course.catalogue import Catalogue
from openbook.course.document import Document
from openbook.course.readers import Reading, read_source
from openbook.errors import BuildWarning
from openbook.evaluation import report as evaluation_report
from openbook.evaluation.gold import Question
from openbook.evaluation.report import Evaluation
from openbook.pages.addresses import Addresses, Course, Found, Place
from openbook.pages.assets import Assets, write_assets
from openbook.pages.engines import ENGINES, ClientGraph
from openbook.pages.links import LinkCheck, as_warnings, raise_for_dangling
from openbook.pages.writer import EVALUATION, Page, Writer

_EVALUATION_DATA = f"{EVALUATION.rpartition('/')[0]}/{evaluation_report.FILE}"


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
    writer = Writer(config, catalogue, assets, out, measured)
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
    writer = Writer(config, catalogue, assets, out, measured=True)
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
) -> list[Page]:
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
            pages.append(Page(lecture, document, source.path.resolve(), reading, place))
    return pages


def _course(config: Config, catalogue: Catalogue, pages: Sequence[Page]) -> Course:
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
