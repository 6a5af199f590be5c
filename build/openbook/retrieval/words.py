"""Words of a question as they were typed, without the punctuation around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openbook.index.tokens import tokenize

_LEADING: Final = re.compile(r"^[\"'`“”‘’«(\[{<¿¡]+")
_TRAILING: Final = re.compile(r"[.,;:!?…\"'`“”‘’»\]}>。？！，、；：]+$")


def as_typed(text: str) -> Iterator[str]:
    """The words of a text, in order; what has no token is none.

    Args:
        text: on one line. What is written without spaces is one word.
    """
    for raw in text.split(" "):
        word = _TRAILING.sub("", _LEADING.sub("", raw))
        if word.endswith(")") and "(" not in word:
            word = _TRAILING.sub("", word[:-1])
        if tokenize(word):
            yield word
