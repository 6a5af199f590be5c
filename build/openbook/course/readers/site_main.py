"""The element that holds what a page says, its title, and what all pages of a site have in common round their text.

Which element that is differs from generator to generator (Sphinx, Jupyter Book, mystmd, MkDocs, mdBook, Quarto,
Docusaurus, VitePress, Starlight, Jekyll, Hugo, AsciiDoc), so the known ones are tried in order. Where a page names
none, what the pages of a site begin or end with alike is told from their text by comparing them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, takewhile
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from openbook.config import Config
from openbook.course.encoding import decode
from openbook.course.globs import matches
from openbook.course.readers.html_blocks import Heading, HtmlBlocks, Item
from openbook.course.readers.html_code import UNSEEN
from openbook.course.readers.plain_blocks import squeeze
from openbook.course.readers.site_furniture import is_chrome, is_furniture
from openbook.course.readers.site_pages import FURNITURE, look_at
from openbook.course.source import relative
from openbook.errors import BuildWarning

_MAIN = (
    "main#quarto-document-content",
    "article.md-content__inner",
    "article.bd-article",
    "div.theme-doc-markdown",
    "main .vp-doc",
    ".VPHome",
    "div.book .page-inner",
    "body.article:has(> #content)",
    "body.book:has(> #content)",
    "body.manpage:has(> #content)",
    'article[role="main"]',
    '[role="main"] .document',
    '[role="main"]',
    "[itemprop='articleBody']",
    "main .td-content",
    "article.book-page",
    "div.document div.body",
    "main article",
    ".post-content",
    ".page-content",
    ".main-content",
    "main",
    "article",
    "#content",
    "#main-content",
    ".content",
    "body",
)
_SITE_NAME = re.compile(r"\s+(?:[|•·—–»]|-|::)\s+(?:(?!\s(?:-|::)\s)[^|•·—–»])*$")
_NO_RUNNING = frozenset(("code", "math"))
_SAMPLE = 24
_LEAST_PAGES = 5
_MOST = 0.6
_SHOWN = 60
_BOUNDARY = re.compile(r"^\s+(?:[|•·—–»(\[]|-|::)|^\s*[|•·»(\[]")


class Common(NamedTuple):
    """What the pages of a site have in common.

    Attributes:
        running: keys of items, as ``key_of`` returns them, that most pages begin or end with.
        suffix: of most pages' ``<title>``: the site's name, with what stands before it; or "".
    """

    running: frozenset[str] = frozenset()
    suffix: str = ""


NOTHING = Common()


def main_of(tree: LexborHTMLParser) -> LexborNode | None:
    """Return the element that holds what a page says; None for a page without a body."""
    for selector in _MAIN:
        found = [node for node in tree.css(selector) if not is_furniture(node)]
        if found and (selector == "body" or _has_text(found[0])):
            if selector in ("main article", "article") and not _is_most(found, tree):
                continue  # a list of articles, or a card among others
            return found[0]
    return tree.body


def _has_text(node: LexborNode) -> bool:
    for child in node.iter(include_text=True):
        tag = child.tag or "-"
        if tag == "-text":
            if (child.text_content or "").strip():
                return True
        elif not (tag.startswith("-") or tag in UNSEEN or is_furniture(child)) and _has_text(child):
            return True
    return False


def _is_most(articles: list[LexborNode], tree: LexborHTMLParser) -> bool:
    """Tell whether one article holds most of what a page says."""
    whole = tree.css_first("main") or tree.body
    if len(articles) > 1 or whole is None:
        return False
    blocks = HtmlBlocks(is_furniture)
    return 2 * len(blocks.text(articles[0]).split()) >= len(blocks.text(whole).split())


def head_title(tree: LexborHTMLParser, suffix: str = "") -> str:
    """Return what the ``<title>`` says of a page, without the name of the site.

    Args:
        tree: the page.
        suffix: that the titles of the site's pages have in common.
    """
    title = _whole_title(tree)
    if suffix and title.endswith(suffix) and len(title) > len(suffix):
        return title.removesuffix(suffix)
    return _SITE_NAME.sub("", title) or title


def items_of(root: LexborNode, running: frozenset[str] = frozenset()) -> list[Item]:
    """Return what stands in the main element of a page, without what the site's pages begin and end with alike."""
    items = [
        item
        for item in HtmlBlocks(is_furniture).read(root)
        if isinstance(item, Heading) or item.kind != "paragraph" or not is_chrome(item.text)
    ]
    start, end = 0, len(items)
    while start < end and key_of(items[start]) in running:
        start += 1
    while end > start and key_of(items[end - 1]) in running:
        end -= 1
    return items[start:end] if start < end else items


def key_of(item: Item) -> str:
    """Return what two pages are compared by; "" for code and formulas, which may well be the same."""
    if isinstance(item, Heading):
        return f"heading {item.title}"
    return "" if item.kind in _NO_RUNNING else f"{item.kind} {item.text}"


def common_to(config: Config) -> Common:
    """Return what the pages of a site have in common, told from some of them.

    Pages that the settings exclude, or give a release date, are not looked at.

    Args:
        config: of the course that the site is.
    """
    root, exclude = config.sources_root, config.settings.sources.exclude
    return _common_to(root, root.stat().st_mtime_ns, exclude, dated(config))


def dated(config: Config) -> frozenset[str]:
    """Return the ids of the lectures that the settings give a release date."""
    return frozenset(id_ for id_, said in config.settings.lectures.items() if said.release is not None)


def is_dated(relpath: str, ids: Container[str]) -> bool:
    """Tell whether a page, or a folder that it is in, is one of the lectures ``ids``."""
    id_ = relpath.rpartition(".")[0]
    while id_:
        if id_ in ids:
            return True
        id_ = id_.rpartition("/")[0]
    return False


@lru_cache(maxsize=4)
def _common_to(root: Path, _changed: int, exclude: tuple[str, ...], unread: frozenset[str]) -> Common:
    pages: list[list[str]] = []
    titles: list[str] = []
    for path in _sample(root, exclude, unread):
        tree = LexborHTMLParser(decode(path.read_bytes(), path.name).text)
        main = main_of(tree)
        keys = [key_of(item) for item in items_of(main)] if main is not None else []
        if keys:
            pages.append(keys)
            titles.append(_whole_title(tree))
    if len(pages) < _LEAST_PAGES:
        return NOTHING
    alike = _of_most((set(keys) - {""} for keys in pages), len(pages))
    edges = ({*takewhile(alike.__contains__, keys), *takewhile(alike.__contains__, reversed(keys))} for keys in pages)
    return Common(_of_most(edges, len(pages)), _suffix(titles))


def _of_most(groups: Iterable[Iterable[str]], pages: int) -> frozenset[str]:
    counts = Counter(chain.from_iterable(groups))
    return frozenset(text for text, count in counts.items() if count >= _MOST * pages)


def running_text(config: Config) -> Iterator[BuildWarning]:
    """Say what is taken for text that stands round the pages of a site."""
    texts = sorted(" ".join(key.partition(" ")[2].split())[:_SHOWN] for key in common_to(config).running)
    if texts:
        message = f"left out where pages begin or end with it, as most do: {'; '.join(texts)}."
        yield BuildWarning("running-text", message, relative(config.sources_root, config.root))


def _sample(root: Path, exclude: tuple[str, ...], unread: frozenset[str]) -> Sequence[Path]:
    """Return pages from all over a site, none of them a list, what openbook wrote, or not to be read."""
    paths = []
    for folder, folders, names in os.walk(root):
        inside = Path(folder)
        if (inside / "index" / "manifest.json").is_file():
            folders.clear()
            continue
        folders.sort()
        paths += [inside / name for name in sorted(names) if name.endswith((".html", ".htm"))]
    names_of = {path: path.relative_to(root).as_posix() for path in paths}
    left_out = (*FURNITURE, *exclude)
    pages = [path for path, name in names_of.items() if not matches(name, left_out) and not is_dated(name, unread)]
    step = max(1, len(pages) // _SAMPLE)
    return [path for path in pages[::step] if not look_at(path, names_of[path]).reason]


def _suffix(titles: Sequence[str]) -> str:
    """Return the longest end of a title that most have, beginning where a name is set off."""
    ends = ({title[at:] for at in range(1, len(title)) if _BOUNDARY.match(title[at:])} for title in titles)
    return max(_of_most(ends, len(titles)), key=len, default="")


def _whole_title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return " ".join(squeeze(node.text() if node is not None else "").split())
