"""What a cross-encoder reads: a question and a passage as one sequence of word pieces.

``[CLS] question [SEP] passage [SEP]``, the pieces up to the first ``[SEP]`` of type 0 and the others of type 1 (Devlin
et al., *BERT*, 2019; Nogueira and Cho, *Passage Re-ranking with BERT*, 2019). What does not fit is cut from the end of
the passage, so that the closing ``[SEP]`` stays; of a question that alone takes more than half of the room, the end is
cut first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openbook.retrieval.collection import ChunkRef


class Pair(NamedTuple):
    """A sequence for the model.

    Attributes:
        ids: of the word pieces, special tokens included.
        types: 0 or 1 for each.
    """

    ids: list[int]
    types: list[int]


def pair(question: Sequence[int], passage: Sequence[int], opening: int, closing: int, limit: int) -> Pair:
    """Join the word pieces of a question and a passage.

    Args:
        question: ids, special tokens left out.
        passage: the same.
        opening: id of ``[CLS]``.
        closing: id of ``[SEP]``.
        limit: most ids that the model reads, at least 5.

    Returns:
        At most ``limit`` ids.
    """
    room = limit - 3
    asked = list(question[: max(room // 2, room - len(passage))])
    read = list(passage[: room - len(asked)])
    return Pair(
        ids=[opening, *asked, closing, *read, closing],
        types=[0] * (len(asked) + 2) + [1] * (len(read) + 1),
    )


def passage_text(chunk: ChunkRef, text: str) -> str:
    """What of a chunk is read: its heading path, an empty line, its text."""
    return " / ".join(chunk.path) + "\n\n" + text
