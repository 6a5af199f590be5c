"""Markdown as courses write it: one parser for chunks and for pages."""

from openbook.course.markdown.syntax import Parsed, parse, parser
from openbook.course.markdown.text import html_text, image_alt, inline_text, role_text

__all__ = ["Parsed", "html_text", "image_alt", "inline_text", "parse", "parser", "role_text"]
