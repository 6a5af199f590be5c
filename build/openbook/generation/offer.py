"""``index/generation-<hash>.json``: the engines and models that the page offers; the mirror of
``web/src/generation/offer.ts``.

A file of its own and not part of the manifest: the tab reads it when a reader looks for a model, and not before.
"""

from __future__ import annotations

from typing import Final

import msgspec

from openbook.config import Config
from openbook.settings import EngineName, GenerationSettings

HUB: Final = (
    "https://huggingface.co",
    # Where the hub sends a browser for large files.
    "https://*.huggingface.co",
    "https://*.hf.co",
)
LIBRARIES: Final = "https://raw.githubusercontent.com"
"""WebLLM's compiled model libraries, one a model."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file.

    Attributes:
        engines: in the order in which they are shown.
    """

    engines: tuple[EngineName, ...]


def offer(config: Config) -> Offer:
    """What the page of a course offers, as its settings say."""
    return Offer(engines=config.settings.generation.engines)


def connect_sources(settings: GenerationSettings) -> tuple[str, ...]:
    """The hosts that the page's policy lets the tab reach, as sources of ``connect-src``, the site itself left out."""
    sources: list[str] = []
    if "webllm" in settings.engines:
        sources += [*HUB, LIBRARIES]
    if "wllama" in settings.engines:
        sources += HUB
    return tuple(dict.fromkeys(sources))
