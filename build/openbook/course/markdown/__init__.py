"""Markdown as courses write it: one parser for chunks and for pages."""

from openbook.course.markdown.context import Cell, Files
from openbook.course.markdown.syntax import Dialect, Parsed, parse, parse_cells, parser
from openbook.course.markdown.text import html_text, image_alt, inline_text, role_text

__all__ = [
    "Cell",
    "Dialect",
    "Files",
    "Parsed",
    "html_text",
    "image_alt",
    "inline_text",
    "parse",
    "parse_cells",
    "parser",
    "role_text",
]
