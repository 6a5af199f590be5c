"""The Sphinx extension: asks the HTML that Sphinx has just built.

In ``conf.py`` (Jupyter Book 1: in ``_config.yml`` under ``sphinx: extra_extensions``)::

    extensions = ["myst_parser", "openbook.sphinx"]

The directive ``{openbook}`` puts the question box on a page; ``openbook_sidebar = True`` puts it in the place of the
search box. Only HTML is built on; in other formats the directive leaves nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from openbook import __version__
from openbook.errors import OpenbookError
from openbook.integrations.built import FOLDER, LINK, build_inside, component

logger = logging.getLogger(__name__)

_NO_SITE = frozenset({"applehelp", "devhelp", "epub", "htmlhelp", "qthelp"})
"""Builders whose format is HTML and whose output is no site."""
_SEARCH_BOXES = frozenset(
    {"searchbox.html", "search-button-field.html", "search-button.html", "search-field.html", "sidebar/search.html"}
)
"""What themes call the search box in their sidebars."""
_BOX = "openbook-box.html"


class Box(nodes.General, nodes.Element):  # type: ignore[misc]
    """The place of a component; attributes ``options`` and ``link``."""


class OpenbookDirective(SphinxDirective):
    """``{openbook}``: a question box at this place. Its content is the text of the link that stands there on paper."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "question": directives.unchanged_required,
        "lecture": directives.unchanged_required,
        "compact": directives.flag,
        "working": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Return the node."""
        options = {name: value or "" for name, value in self.options.items()}
        return [Box("", options=options, link=" ".join(self.content).strip() or LINK)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive, the settings and the build."""
    app.add_config_value("openbook_build", True, "", bool)
    app.add_config_value("openbook_course", ".", "", str)
    app.add_config_value("openbook_as_of", "", "", str)
    app.add_config_value("openbook_sidebar", False, "html", bool)
    nothing = (_skip, None)
    app.add_node(Box, html=(_visit_html, None), latex=nothing, text=nothing, man=nothing, texinfo=nothing)
    app.add_directive("openbook", OpenbookDirective)
    app.connect("config-inited", _find_template)
    app.connect("html-page-context", _replace_search_box)
    app.connect("build-finished", _build)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _visit_html(translator: Any, node: Box) -> None:
    builder = translator.builder
    if not _is_site(builder):
        raise nodes.SkipNode
    here = builder.get_target_uri(builder.current_docname)
    translator.body.append(component(relative_uri(here, f"{FOLDER}/"), node["options"], link=node["link"]) + "\n")
    raise nodes.SkipNode


def _skip(translator: Any, node: Box) -> None:
    raise nodes.SkipNode


def _is_site(builder: Any) -> bool:
    return bool(builder.format == "html" and builder.name not in _NO_SITE)


def _find_template(app: Sphinx, config: Any) -> None:
    if config.openbook_sidebar:
        config.templates_path = [*config.templates_path, str(Path(__file__).parent / "templates")]


def _replace_search_box(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if not app.config.openbook_sidebar or not _is_site(app.builder):
        return
    sidebars = context.get("sidebars")
    if sidebars is None:  # an old theme, whose layout names the search box itself
        return
    kept = [name for name in sidebars if name not in _SEARCH_BOXES]
    place = next((number for number, name in enumerate(sidebars) if name in _SEARCH_BOXES), 0)
    context["sidebars"] = [*kept[:place], _BOX, *kept[place:]]


def _build(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or not app.config.openbook_build or not _is_site(app.builder):
        return
    try:
        report = build_inside(
            Path(app.outdir),
            course=Path(app.confdir) / app.config.openbook_course,
            title=app.config.html_title if app.config.html_title != _default_title(app) else app.config.project,
            language=app.config.language,
            as_of=app.config.openbook_as_of,
        )
    except (OpenbookError, ValueError) as error:
        raise ExtensionError(f"openbook: {error}") from error
    for warning in report.warnings:
        logger.warning("openbook: %s", warning, type="openbook", subtype=warning.kind)
    logger.info("openbook: %s sections, %s chunks, in %s", report.sections, report.chunks, report.out)


def _default_title(app: Sphinx) -> str:
    return f"{app.config.project} {app.config.release} documentation"
