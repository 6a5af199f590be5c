"""Bytes → text: UTF-8 as a rule; what else there is, is told apart, and said."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from openbook.errors import UnreadableSourceError

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LFS = b"version https://git-lfs.github.com/spec/"


class Decoded(NamedTuple):
    """A source as text.

    Attributes:
        text: with every line end as a line feed, and no byte order mark.
        warning: what was odd about its bytes, or "".
        line: 1-based line at which that shows, or None.
    """

    text: str
    warning: str = ""
    line: int | None = None


def decode(raw: bytes, source: str) -> Decoded:
    """Decode a source.

    UTF-8 is what it should be. UTF-16 and UTF-32 are known by their byte order mark, or by the zero bytes that every
    other letter has; what is neither is read as Windows-1252, which Latin-1 is a part of.

    Raises:
        UnreadableSourceError: it is no text at all, or stands for a file that git has not fetched.
    """
    if raw.startswith(_LFS):
        raise UnreadableSourceError("is the pointer to a file of Git LFS.", source=source, hint='Run "git lfs pull".')
    name = next((name for mark, name in _MARKS if raw.startswith(mark)), None)
    if name is None and raw.count(0, 0, 4096) > min(len(raw), 4096) // 4:
        name = "utf-16-le" if raw[:64].count(0) and raw[0] else "utf-16-be"
    try:
        text = raw.decode(name or "utf-8")
        warning = "" if name in (None, "utf-8-sig") else f"is {name.upper()}, and read as such; save it as UTF-8."
        line = None
    except UnicodeDecodeError as error:
        if name not in (None, "utf-8-sig"):
            raise UnreadableSourceError(f"is not {name} as its first bytes say.", source=source) from error
        line = raw[: error.start].count(b"\n") + 1
        text = raw.decode("cp1252", "replace").removeprefix("ï»¿")
        warning = "is not UTF-8; it is read as Windows-1252 (Latin-1). Save it as UTF-8."
    if _is_binary(text):
        raise UnreadableSourceError("holds no text.", source=source, hint="Add it to sources.exclude.")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        warning = warning or "holds NUL characters, which are left out."
        text = text.replace("\0", "")
    return Decoded(unify_line_ends(text), warning, line)


def unify_line_ends(text: str) -> str:
    r"""Write every line end as ``\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_binary(text: str) -> bool:
    head = text[:8192]
    odd = sum(char < " " and char not in "\t\n\r\f\v\x1b" for char in head)
    return odd > max(3, len(head) // 20)
