"""Sentences with citations, labelled by hand: what the check is tuned on and measured with.

::

    [[sentence]]
    id = "c001"
    text = "A shuffled split leaks [1]."
    kind = "paraphrase"
    given = ["l08-evaluating-on-groups-and-time/notes#why-a-shuffled-split-leaks"]
    split = "dev"

``given`` are the passages that the answer was written from, numbered from 1. The kind says what is wrong with the
sentence, and so what the check must say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from openbook.errors import GoldError
from openbook.evaluation.gold import NonEmpty, Split, read_labels, section_of
from openbook.index.read import Index
from openbook.retrieval.check import check
from openbook.retrieval.citations import citations
from openbook.retrieval.late_interaction import PieceWeights, QuestionPieces
from openbook.retrieval.passages import PassagePart, PassageTexts, join_parts, label
from openbook.retrieval.spans import CountTokens, SpanScores, span_scorer
from openbook.retrieval.trace import CheckedSentence, Passage, Verdict
from openbook.settings import CheckSettings

SentenceKind = Literal[
    "verbatim",
    "paraphrase",
    "partial",
    "number-changed",
    "negated",
    "other-section",
    "absent",
    "wrong-passage",
    "uncited",
    "unknown-citation",
]

CITATIONS: Final = "citations.toml"
"""Beside the gold set."""

FAITHFUL: Final = frozenset(["verbatim", "paraphrase"])
"""Kinds that the check should call supported; every other kind it should not."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A labelled sentence.

    Attributes:
        id: unique.
        text: as it would stand in an answer, with its citations.
        kind: verbatim and paraphrase are faithful; partial adds what is not there; number-changed and negated are near
            the passage and wrong; other-section and wrong-passage are true but cite another passage; absent is
            plausible and nowhere; uncited; unknown-citation cites a number that was not given.
        given: the sections that were given, the first is [1].
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    text: NonEmpty
    kind: SentenceKind
    given: Annotated[tuple[NonEmpty, ...], msgspec.Meta(min_length=1)]
    split: Split

    @property
    def faithful(self) -> bool:
        """Whether the passages that it cites say it."""
        return self.kind in FAITHFUL


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sentence: tuple[Sentence, ...] = ()


def load_citations(
    path: Path, sections: Collection[str] | None = None, hidden: tuple[str, ...] = ()
) -> tuple[Sentence, ...]:
    """Read and check the labelled sentences.

    Args:
        path: of the TOML file.
        sections: those that exist; None to check all but that.
        hidden: what the sections of lectures that are not released begin with; a sentence that was given one is left
            out.

    Raises:
        GoldError: the file cannot be read or is not valid.
    """
    labels, lines = read_labels(path, _File, "id")
    found = labels.sentence
    seen: set[str] = set()
    known = []
    for one in found:
        held_back = any(section.startswith(hidden) for section in one.given)
        problem = _problem(one, seen, None if held_back else sections)
        if problem:
            raise GoldError(f"{one.id!r} {problem}.", source=path, line=lines.get(one.id))
        seen.add(one.id)
        if not held_back:
            known.append(one)
    return tuple(known)


def _problem(one: Sentence, seen: Collection[str], sections: Collection[str] | None) -> str:
    if one.id in seen:
        return "has the id of an earlier one"
    given = range(1, len(one.given) + 1)
    numbers = [number for cited in citations(one.text, given) for number in cited.numbers]
    outside = [number for number in numbers if not 1 <= number <= len(one.given)]
    if (one.kind == "uncited") != (not numbers):
        return f"is of kind {one.kind!r} and cites {numbers or 'nothing'}"
    if (one.kind == "unknown-citation") != bool(outside):
        return f"is of kind {one.kind!r} and cites {numbers} of {len(one.given)} passages"
    unknown = [section for section in one.given if sections is not None and section not in sections]
    return f"names sections that the course does not have: {', '.join(unknown)}" if unknown else ""


def section_passage(index: Index, section: str, number: int) -> PassageTexts:
    """A whole section as a numbered passage.

    Raises:
        GoldError: the index does not have it.
    """
    ordinals = [ordinal for ordinal in range(index.size) if section_of(index.chunk(ordinal).id) == section]
    if not ordinals:
        raise GoldError(f"the index has no section {section!r}.")
    ordinals.sort(key=lambda ordinal: index.chunk(ordinal).part)
    first = index.chunk(ordinals[0])
    texts = index.passages(ordinals)
    parts = tuple(
        PassagePart(ordinal, index.chunk(ordinal).part, one.text, one.verbatim)
        for ordinal, one in zip(ordinals, texts, strict=True)
    )
    passage = Passage(
        number=number, ordinal=ordinals[0], ordinals=tuple(ordinals), id=first.id, label=label(first),
        lecture=first.lecture, kind=first.kind, path=first.path, url=first.url,
        text=join_parts((part.part, part.text) for part in parts),
    )  # fmt: skip
    return PassageTexts(passage, parts)


def check_gold(
    index: Index,
    sentences: Sequence[Sentence],
    read: Callable[[str], QuestionPieces],
    count_tokens: CountTokens,
    settings: CheckSettings,
    *,
    token_vectors: bool = True,
) -> list[CheckedSentence]:
    """What the check says of each sentence.

    Args:
        index: with all the sections that are given.
        sentences: labelled.
        read: a text's word pieces with their vectors.
        count_tokens: word pieces of a text, special tokens not counted.
        settings: of ``[retrieval.check]``.
        token_vectors: False for the check by words alone.
    """
    vectors = index.token_vectors if token_vectors else None
    weights = None if vectors is None else PieceWeights(vectors.chunks, vectors.counts)
    found = []
    for one in sentences:
        passages = [section_passage(index, section, number) for number, section in enumerate(one.given, 1)]
        near_of = None
        if vectors is not None and weights is not None:
            signs = {ordinal: vectors.of(ordinal) for item in passages for ordinal in item.passage.ordinals}
            near_of = _comparer(read, weights, vectors.bits, signs, count_tokens)
        (checked,) = check(one.text, passages, index.keyword.rarity, near_of, settings)
        found.append(checked)
    return found


def _comparer(
    read: Callable[[str], QuestionPieces],
    weights: PieceWeights,
    bits: int,
    signs: dict[int, NDArray[np.uint8]],
    count_tokens: CountTokens,
) -> Callable[[str], SpanScores]:
    return lambda text: span_scorer(read(text), weights, bits, signs, count_tokens)


def right(sentence: Sentence, verdict: Verdict) -> bool:
    """Whether the verdict is what the label asks for."""
    if sentence.kind in ("uncited", "unknown-citation"):
        return verdict == sentence.kind
    return (verdict == "supported") == sentence.faithful
