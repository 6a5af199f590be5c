"""Which sentences answer a question of the gold set, labelled by hand: what the extractive answer is tuned on.

::

    [[answer]]
    question = "q017"
    sentences = ["The gap keeps them apart."]

A sentence is written as it stands in the notes. None means that the passages that are found hold no sentence that
answers, and that nothing is the best that can be quoted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import msgspec

from openbook.errors import GoldError
from openbook.evaluation.gold import NonEmpty, read_labels

ANSWERS: Final = "answers.toml"
"""Beside the gold set."""

_SPACES = re.compile(r"\s+")


class Labelled(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question's sentences.

    Attributes:
        question: id of a question of the gold set.
        sentences: that answer it, with single spaces; code and tables too.
    """

    question: NonEmpty
    sentences: tuple[NonEmpty, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    answer: tuple[Labelled, ...] = ()


def flat(text: str) -> str:
    """A text on one line, as the labels write it."""
    return _SPACES.sub(" ", text).strip()


def load_answers(path: Path, questions: Collection[str], texts: Iterable[str] | None = None) -> tuple[Labelled, ...]:
    """Read and check the labels.

    Args:
        path: of the TOML file.
        questions: ids of the gold set.
        texts: of the course's chunks, in which every sentence must stand; None to check all but that.

    Raises:
        GoldError: the file cannot be read or is not valid.
    """
    labels, lines = read_labels(path, _File, "question")
    found = labels.answer
    course = None if texts is None else "\n".join(flat(one) for one in texts)
    seen: set[str] = set()
    for one in found:
        missing = [sentence for sentence in one.sentences if course is not None and flat(sentence) not in course]
        problem = ""
        if one.question not in questions:
            problem = "is no question of the gold set"
        elif one.question in seen:
            problem = "is labelled twice"
        elif missing:
            problem = f"has a sentence that stands nowhere in the course: {missing[0]!r}"
        if problem:
            raise GoldError(f"{one.question!r} {problem}.", source=path, line=lines.get(one.question))
        seen.add(one.question)
    return found
