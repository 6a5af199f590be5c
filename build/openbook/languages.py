"""What follows from the language of a course: what an encoder that does not know it is still good for.

An English encoder reads Spanish in pieces of words, many of which mean something to it, and Chinese in characters, of
which it knows a few hundred. ``python -m bench languages`` measures both on two real courses: with all-MiniLM-L6-v2 the
fused ranking is better than keyword search in Spanish and far worse in Chinese. So an unknown language in Latin script
keeps dense search and reranking, one in another script is searched by keyword alone; and in neither does the gate close
by a score that nobody has calibrated for the language.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from openbook.settings import RetrievalSettings

NOT_LATIN: Final = frozenset(
    {
        *("am", "ar", "as", "be", "bg", "bn", "bo", "ckb", "dv", "dz", "el", "fa", "gu", "he", "hi", "hy", "ja", "ka"),
        *("km", "kn", "ko", "ky", "lo", "mk", "ml", "mn", "mr", "my", "ne", "or", "pa", "ps", "ru", "sa", "sd", "si"),
        *("sr", "ta", "te", "tg", "th", "ti", "ug", "uk", "ur", "yi", "yue", "zh"),
    }
)
"""Primary subtags of languages that are mostly written in another script than Latin."""

PROMPTED: Final = frozenset({"de", "es", "fr", "zh"})
"""Languages for which the prompt says that the answer is to be in them; English goes without saying."""


def primary(tag: str) -> str:
    """Return the language of a BCP 47 tag: ``zh`` of ``zh-Hans-CN``."""
    return tag.replace("_", "-").partition("-")[0].lower()


def is_foreign(language: str, known: Sequence[str]) -> bool:
    """Tell whether a model does not know a course's language.

    Args:
        language: of the course, a BCP 47 tag.
        known: primary subtags that the model was made for; empty where that is not said, which counts as all.
    """
    return bool(known) and primary(language) not in known


def retrieval_for(settings: RetrievalSettings, language: str, known: Sequence[str]) -> RetrievalSettings:
    """Return the settings that a site searches with.

    Args:
        settings: of the course.
        language: of the course, a BCP 47 tag.
        known: as for :func:`is_foreign`.
    """
    spoken = primary(language)
    if not settings.prompt.language and spoken in PROMPTED:
        settings = msgspec.structs.replace(settings, prompt=msgspec.structs.replace(settings.prompt, language=spoken))
    if not is_foreign(language, known) or spoken not in NOT_LATIN:
        return settings
    return msgspec.structs.replace(
        settings,
        fusion=msgspec.structs.replace(settings.fusion, dense_weight=0.0),
        rerank=msgspec.structs.replace(settings.rerank, mode="off"),
    )
