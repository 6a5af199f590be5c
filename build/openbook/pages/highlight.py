"""Code to HTML with Pygments' short class names; the colours are in ``site/styles/code.css``."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from pygments import highlight as pygments_highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_PLAIN = frozenset({"", "text", "txt", "plain", "none", "output"})
_ALIASES = {"console": "console", "shell": "bash", "sh": "bash", "ojs": "javascript", "jsonc": "json"}
_LARGEST = 100_000
"""Characters above which code is shown without colours: data pasted as code, which a lexer may take minutes for."""


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(_ALIASES.get(language, language), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


_FORMATTER = HtmlFormatter[str](nowrap=True)


def highlight(code: str, language: str) -> str:
    """Return ``code`` as HTML, escaped; coloured when Pygments knows the language.

    Args:
        code: without the fence's last line break.
        language: as the fence names it; any case.
    """
    name = language.lower()
    lexer = None if name in _PLAIN or len(code) > _LARGEST else _lexer(name)
    if lexer is None:
        return escape(code, quote=False)
    return pygments_highlight(code, lexer, _FORMATTER).rstrip("\n")
