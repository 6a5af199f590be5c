"""Files of language models, as the tab is told of them."""

from __future__ import annotations

from typing import Final

import msgspec

FOLDER: Final = "generation"
"""In the site, for what a course brings of its own."""


class ModelFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that the tab downloads; the mirror of ``ListedFile`` in ``web/src/download/``.

    Attributes:
        path: relative to the site's root, or to ``from``.
        bytes: its size.
        sha256: lower-case hex.
        origin: address of the folder on another host, called ``from`` in the file; None for a file of the site.
    """

    path: str
    bytes: int
    sha256: str
    origin: str | None = msgspec.field(default=None, name="from")
