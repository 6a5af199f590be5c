"""The MkDocs plugin: asks the site that MkDocs has just built.

In ``mkdocs.yml``::

    plugins:
      - search
      - openbook

``<open-book></open-book>`` in a page's Markdown becomes a question box that asks the whole site; with
``every_page: true`` one stands at the end of each page.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config import base
from mkdocs.config import config_options as options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from openbook.errors import OpenbookError
from openbook.integrations.built import FOLDER, LINK, build_inside, component, script

logger = get_plugin_logger("openbook")

# As an author writes it: `src` is left to the plugin, unless the author means another site.
_OPENING = re.compile(r"<open-book\b(?P<attributes>[^>]*)>", re.IGNORECASE)
_EMPTY = re.compile(r"(<open-book\b[^>]*>)\s*(</open-book>)", re.IGNORECASE)


class OpenbookConfig(base.Config):  # type: ignore[no-untyped-call]
    """Settings of the plugin.

    Attributes:
        enabled: False leaves the site as it is; ``!ENV`` values are common here.
        course: folder of the ``openbook.toml``, if any, relative to ``mkdocs.yml``.
        as_of: day of the release gate, ``YYYY-MM-DD``; "" for today.
        every_page: a compact box at the end of each page.
    """

    enabled = options.Type(bool, default=True)
    course = options.Type(str, default=".")
    as_of = options.Type(str, default="")
    every_page = options.Type(bool, default=False)


class OpenbookPlugin(BasePlugin[OpenbookConfig]):  # type: ignore[no-untyped-call]
    """Registered as ``openbook`` (entry point ``mkdocs.plugins``)."""

    def on_page_content(self, html: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Complete the components of a page."""
        if not self.config.enabled:
            return html
        src = get_relative_url(f"{FOLDER}/", page.url)
        if not src.endswith("/"):
            src += "/"
        html, found = _OPENING.subn(lambda match: _with_src(match["attributes"], src), html)
        if found:
            link = f'<a href="{src}index.html">{LINK}</a>'
            html = script(src) + _EMPTY.sub(rf"\g<1>{link}\g<2>", html)
        elif self.config.every_page:
            html += component(src, {"compact": ""})
        return html

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Read the site and write openbook's pages into it."""
        if not self.config.enabled:
            return
        theme_language = config.theme.get("language") or config.theme.get("locale") or "en"
        try:
            report = build_inside(
                Path(config.site_dir),
                course=Path(config.config_file_path).parent / self.config.course,
                title=config.site_name,
                language=str(theme_language),
                as_of=self.config.as_of,
            )
        except (OpenbookError, ValueError) as error:
            raise PluginError(f"openbook: {error}") from error
        for warning in report.warnings:
            logger.warning(str(warning))
        logger.info(f"{report.sections} sections, {report.chunks} chunks, in {report.out}")


def _with_src(attributes: str, src: str) -> str:
    return f"<open-book{attributes}>" if re.search(r"\ssrc\s*=", attributes) else f'<open-book src="{src}"{attributes}>'
