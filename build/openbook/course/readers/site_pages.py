"""Which pages of a built site are none of its text: lists of its pages, ways to them, the same page once more.

What a page is, it says in its head, or its path does. All that is left out is named in a warning, but for what no site
is without: its 404 page, its index and the page that searches it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from openbook.course.encoding import decode
from openbook.course.globs import matches
from openbook.errors import BuildWarning, first_of

FURNITURE = (
    "404.html",
    "**/404.html",
    "404/index.html",
    "genindex.html",
    "genindex-*.html",
    "py-modindex.html",
    "searchindex.html",
    "site_libs/**",
    "_static/**",
)
"""Pages that no reader of a site means."""

_LISTS = (
    "**/tags/**",
    "**/tag/*/**",
    "**/categories/**",
    "**/category/*/**",
    "**/page/*/index.html",
    "**/page[0-9]*/index.html",
    "**/authors/**",
    "**/contributors/**",
    "**/archives/index.html",
    "**/archives.html",
    "**/archive/index.html",
    "**/tags.html",
    "**/categories.html",
    "**/author/*/**",
)
_SEARCH = ("search.html", "search/index.html", "**/search.html", "**/search/index.html")
_WHOLE = ("print.html", "**/print.html", "print_page/index.html", "**/print_page/index.html", "**/_print/**")
_ANY = "en"  # what course.language is when nobody says it
_HEAD = 16_384
_FEW = 40
_LINKED = 0.3
_REFRESH = re.compile(r"<meta[^>]+http-equiv=[\"']?refresh", re.I)
_NO_INDEX = re.compile(r"<meta[^>]+name=[\"']?robots[\"']?[^>]+noindex", re.I)
_HTML = re.compile(r"<html\b[^>]*>", re.I)
_CLASS = re.compile(r"\bclass=(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.I)
_TAG = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
_LANG = re.compile(r"\blang=[\"']?([A-Za-z0-9-]+)", re.I)
_DOCSIFY = re.compile(r"<script[^>]+docsify", re.I)
_LIST_CLASS = re.compile(r"^(?:blog-(?:list|tags|authors)|docs-tags?)[\w-]*-?page$")
_REASONS = {
    "redirect": ("{} only to another page", "leads", "lead"),
    "list": ("{} other pages of the site", "lists", "list"),
    "whole": ("{} the whole site once more", "holds", "hold"),
    "version": ("{} a version of the site that is not the current one", "belongs to", "belong to"),
}


class SitePage(NamedTuple):
    """What is known of a page before it is read.

    Attributes:
        relpath: relative to the site.
        reason: why it is not read, one of ``redirect``, ``list``, ``whole``, ``search``, ``version``; "" if it is.
        language: of ``<html lang>``, in lower case, or "".
    """

    relpath: str
    reason: str
    language: str


def look_at(path: Path, relpath: str) -> SitePage:
    """Look at the beginning of a page; one that cannot be opened is left to its reader, which says so."""
    try:
        raw = path.read_bytes()
    except OSError:
        return SitePage(relpath, "", "")
    html = decode(raw, relpath).text
    head = html[:_HEAD]
    tag = _HTML.search(head)
    lang = _LANG.search(tag[0]) if tag else None
    return SitePage(relpath, _reason(html, head, relpath), lang[1].lower() if lang else "")


def _reason(html: str, head: str, relpath: str) -> str:
    if _REFRESH.search(head):
        return "redirect"
    if matches(relpath, _WHOLE) and (_NO_INDEX.search(head) or "/_print/" in f"/{relpath}"):
        return "whole"
    if matches(relpath, _SEARCH) and _says_little(html):
        return "search"
    tag = _HTML.search(head)
    said = _CLASS.search(tag[0]) if tag else None
    classes = next((group for group in said.groups() if group), "").split() if said else []
    if any(_LIST_CLASS.match(name) for name in classes):
        return "list"
    if "plugin-docs" in classes or "plugin-blog" in classes:  # Docusaurus
        return _of_docusaurus(html, classes)
    return "list" if matches(relpath, _LISTS) and _is_list(html) else ""


def _of_docusaurus(html: str, classes: Sequence[str]) -> str:
    if "theme-doc-version-banner" in html:
        return "version"
    listed = "plugin-blog" in classes and "blog-post-page" not in classes
    return "list" if listed or "generatedIndexPage" in html else ""


def made_by_script(html: str) -> str:
    """Return what writes the text of a page when it is shown, "Docsify" or "a script"; "" when none is known to."""
    if "$docsify" in html or _DOCSIFY.search(html):
        return "Docsify"
    tree = LexborHTMLParser(html)
    mounts = tree.css("#app, #root, #__next, #__nuxt, #___gatsby, #svelte, app-root")
    return "a script" if mounts and tree.css_first("script") is not None else ""


def _says_little(html: str) -> bool:
    main = _rough_main(html)
    return main is None or len(_words(main)) < _FEW


def _is_list(html: str) -> bool:
    """Tell whether a page's headings are links to others, or much of its text is."""
    main = _rough_main(html)
    if main is None:
        return True
    links = [link for link in main.css("a[href]") if not (link.attributes.get("href") or "").startswith("#")]
    headings = main.css("h1 a[href], h2 a[href], h3 a[href], h4 a[href], a h1, a h2, a h3, a h4")
    if any(not (link.attributes.get("href") or "").startswith("#") for link in headings):
        return True
    return sum(len(_words(link)) for link in links) >= _LINKED * len(_words(main))


def _rough_main(html: str) -> LexborNode | None:
    tree = LexborHTMLParser(html)
    for node in tree.css("script, style, nav, footer, noscript, form, body > header"):
        node.decompose()
    return tree.css_first("main, [role=main]") or tree.body


def _words(node: LexborNode) -> list[str]:
    return (node.text(separator=" ") or "").split()


def translations(pages: Sequence[SitePage], language: str) -> Mapping[str, str]:
    """Return path → folder, for every page that is another page's translation; the folder of the site itself is "".

    That is so when the path, with the folder of the other language in place of its own, is a page as well.

    Args:
        pages: of the site.
        language: to read; where no page is in it, the language of the site's first page is.
    """
    known = {page.relpath: page.language.partition("-")[0] for page in pages}
    main = language.lower().partition("-")[0]
    if main not in known.values() or (main == _ANY and known.get("index.html")):
        main = known.get("index.html", "")
    folders = {folder for page in pages if (folder := _own_folder(page)) and known[page.relpath] == main}
    found: dict[str, str] = {}
    for page in pages:
        if not main or known[page.relpath] in ("", main):
            continue
        own = _own_folder(page)
        bare = page.relpath.removeprefix(f"{own}/") if own else page.relpath
        others = {bare, *(f"{folder}/{bare}" for folder in folders)} - {page.relpath}
        if any(known.get(path) == main for path in others):
            found[page.relpath] = own
    return found


def _by_folder(pages: list[SitePage], language: str) -> list[SitePage]:
    """Return pages that name no language with that of their first folder, where one such as ``en-US`` is read."""
    main = language.lower().partition("-")[0]
    tags = {folder for page in pages if _TAG.fullmatch(folder := page.relpath.partition("/")[0])}
    if not any(re.split("[-_]", tag)[0] == main for tag in tags):
        return pages
    named = {tag: tag.lower().replace("_", "-") for tag in tags}
    return [
        page if page.language else page._replace(language=named.get(page.relpath.partition("/")[0], ""))
        for page in pages
    ]


def _own_folder(page: SitePage) -> str:
    """Return the first folder of a page's path, when it is that of its language."""
    folder, slash, _ = page.relpath.partition("/")
    named = folder.lower().replace("_", "-") in (page.language, page.language.partition("-")[0])
    return folder if slash and page.language and named else ""


def site_warnings(pages: Sequence[SitePage], folders: Mapping[str, str], where: str) -> Iterator[BuildWarning]:
    """Say which pages are not read, a warning for each reason.

    Args:
        pages: that are not read, for a reason of their own.
        folders: those that are translations, as ``translations`` returns them.
        where: the site.
    """
    for reason, (text, one, many) in _REASONS.items():
        paths = [page.relpath for page in pages if page.reason == reason]
        if paths:
            verb = text.format(one if len(paths) == 1 else many)
            again = "" if reason == "redirect" else '; "html" in sources.readers reads such a page all the same'
            message = f"{_pages(paths)} {verb}, not read: {first_of(paths)}{again}."
            yield BuildWarning("left-out", message, where)
    if folders:
        verb = "translates" if len(folders) == 1 else "translate"
        message = (
            f"{_pages(list(folders))} {verb} what is read in another language, not read: {first_of(list(folders))}; "
        )
        found = [f"{folder}/" for folder in dict.fromkeys(folders.values()) if folder]
        message += f"in {first_of(found)}; " if len(found) > 1 else ""
        yield BuildWarning("left-out", f"{message}course.language chooses the language.", where)


def _pages(paths: Sequence[str]) -> str:
    return "1 page" if len(paths) == 1 else f"{len(paths)} pages"


def pages_to_read(
    paths: Sequence[tuple[Path, str]], language: str, said: Callable[[str], bool], where: str
) -> tuple[list[Path], list[BuildWarning]]:
    """Choose the pages of a site that are read.

    Args:
        paths: absolute, and relative to the site.
        language: of the course, when the settings say it.
        said: whether the settings name a reader for a page, or a release date: it is read then, whatever it is, and not
            looked at before.
        where: the site, for warnings.

    Returns:
        The paths, and what was left out.
    """
    pages = [look_at(path, relpath) if not said(relpath) else SitePage(relpath, "", "") for path, relpath in paths]
    read = _by_folder([page for page in pages if not page.reason], language)
    folders = translations(read, language)
    kept = {page.relpath for page in read if page.relpath not in folders}
    warnings = site_warnings([page for page in pages if page.reason], folders, where)
    return [path for path, relpath in paths if relpath in kept], list(warnings)
