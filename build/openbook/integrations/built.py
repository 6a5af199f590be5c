"""What the plugins have in common: build inside a site that was just built, and the markup of the component."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from html import escape
from pathlib import Path

import msgspec

from openbook.build import build_site
from openbook.build_report import BuildReport
from openbook.config import load_config
from openbook.pages.assets import COMPONENT

FOLDER = "openbook"
"""What the folder is called that openbook writes into the site."""

ATTRIBUTES = ("question", "lecture", "compact", "working")
"""Of ``<open-book>``, besides ``src``."""

LINK = "Ask the notes"
"""What stands there until the component has loaded, and on paper."""


def build_inside(site: Path, *, course: Path, title: str, language: str, as_of: str = "") -> BuildReport:
    """Read the pages in ``site`` and write openbook's own into ``site/openbook``.

    Args:
        site: folder of the site that was just built.
        course: folder of its sources; an ``openbook.toml`` there is read.
        title: of the course, where the settings have none.
        language: BCP 47 tag, where there are no settings.
        as_of: day of the release gate, ``YYYY-MM-DD``; "" for today.

    Raises:
        OpenbookError: as the build raises it.
        ValueError: ``as_of`` is no date.
    """
    config = load_config(course)
    if not config.settings.course.title or config.path is None:
        known = config.settings.course
        named = msgspec.structs.replace(
            known,
            title=known.title or title,
            language=known.language if config.path is not None else language.replace("_", "-"),
        )
        config = msgspec.structs.replace(config, settings=msgspec.structs.replace(config.settings, course=named))
    day = date.fromisoformat(as_of) if as_of else None
    return build_site(config.with_site(site), out=site / FOLDER, as_of=day)


def component(src: str, attributes: Mapping[str, str], *, link: str = LINK) -> str:
    """HTML of one component, with the script that defines it.

    Args:
        src: address of openbook's folder, seen from the page, ending with a slash.
        attributes: by the names in ``ATTRIBUTES``; one without a value is "".
        link: text of the link that stands there until the component has loaded.
    """
    given = "".join(
        f' {name}="{escape(attributes[name])}"' if attributes[name] else f" {name}"
        for name in ATTRIBUTES
        if name in attributes
    )
    address = escape(src)
    return (
        f'{script(src)}<open-book src="{address}"{given}><a href="{address}index.html">{escape(link)}</a></open-book>'
    )


def script(src: str) -> str:
    """The script that defines ``<open-book>``; a page may have it more than once."""
    return f'<script type="module" src="{escape(src)}{COMPONENT}"></script>'
