"""``index/generation-<hash>.json``: the engines and models that the page offers; the mirror of
``web/src/generation/offer.ts``.

A file of its own and not part of the manifest: the tab reads it when a reader looks for a model, and not before.
"""

from __future__ import annotations

from typing import Final

import msgspec

from openbook.config import Config
from openbook.generation import webllm
from openbook.generation.webllm import WebLlmOffer, webllm_offer
from openbook.generation.wllama import WllamaOffer, origin_of, wllama_offer
from openbook.settings import EngineName, GenerationSettings

HUB: Final = (
    "https://huggingface.co",
    # Where the hub sends a browser for large files.
    "https://*.huggingface.co",
    "https://*.hf.co",
)
LIBRARIES: Final = "https://raw.githubusercontent.com"
"""WebLLM's compiled model libraries, one a model."""


LOOPBACK: Final = ("http://127.0.0.1:*", "http://localhost:*")
"""Where a program of the reader's own answers."""


class AddressOffer(msgspec.Struct, frozen=True, kw_only=True):
    """``allow``: origins that a reader may type, beside those of their own computer."""

    allow: tuple[str, ...]


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file.

    Attributes:
        engines: in the order in which they are shown.
        answer_tokens: at most, in an answer.
    """

    engines: tuple[EngineName, ...]
    webllm: WebLlmOffer
    answer_tokens: int
    wllama: WllamaOffer
    address: AddressOffer


def offer(config: Config) -> Offer:
    """What the page of a course offers, as its settings say."""
    settings = config.settings.generation
    return Offer(
        engines=settings.engines,
        webllm=webllm_offer(config) if "webllm" in settings.engines else WebLlmOffer(),
        answer_tokens=settings.answer_tokens,
        wllama=wllama_offer(config) if "wllama" in settings.engines else WllamaOffer(models=(), gpu=False),
        address=AddressOffer(allow=settings.address.allow),
    )


def connect_sources(settings: GenerationSettings) -> tuple[str, ...]:
    """The hosts that the page's policy lets the tab reach, as sources of ``connect-src``, the site itself left out."""
    sources: list[str] = []
    if "webllm" in settings.engines:
        origin = webllm.origin_of(settings.webllm)
        if origin is not None:
            sources.append(origin)
        elif not settings.webllm.weights:
            sources += [*HUB, LIBRARIES]
    if "wllama" in settings.engines:
        if not settings.wllama.model:
            sources += HUB
        elif (origin := origin_of(settings.wllama)) is not None:
            # The hub sends a browser to other hosts of its own for large files.
            sources += HUB if origin in HUB else (origin,)
    if "address" in settings.engines:
        sources += [*LOOPBACK, *settings.address.allow]
    return tuple(dict.fromkeys(sources))
