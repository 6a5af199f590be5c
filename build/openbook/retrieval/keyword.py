"""Keyword search: BM25 as MiniSearch computes it, over the serialised index.

A term's score in one field of one chunk is::

    boost · ln(1 + (N − n + 0.5) / (n + 0.5)) · (d + tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / average)))

N is the number of chunks, n how many of them hold the term in that field, tf how often this one does, length its
number of unique tokens there. MiniSearch sums that over terms and fields and multiplies a chunk's sum by the number of
distinct terms that it matched; ``divide_by_matched_terms`` takes that factor out again. With it and d = 0 the formula
is that of Robertson and Zaragoza, *The Probabilistic Relevance Framework* (2009), with the idf of Lucene.

The operations are MiniSearch's in MiniSearch's order, so that the scores are the tab's to the last bit or nearly so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from openbook.index.tokens import tokenize
from openbook.retrieval.collection import ChunkRef
from openbook.retrieval.trace import Field, KeywordHit, QueryTerm, TermContribution
from openbook.settings import KeywordSettings

FIELDS: Final[tuple[Field, ...]] = ("title", "text")
"""In the order in which MiniSearch was given them, which is the order of summation."""


STOP_WORDS: Final = frozenset(
    tokenize("a an and are as at be by did do does for how in is it of on or the to was were what which who")
)
"""Words of a question that are not searched for, unless it has no others. They are in the index all the same.

BM25 gives a frequent word little weight, but not none: in short passages "how", "does" and "which" are rare enough to
outvote a topic. MRR@10 of keyword search on the dev halves, without and with this list: squad2-half-dev (1,430
questions) 0.866 and 0.878, xquad-en (588) 0.951 and 0.955; on the two small sets it is the other way round, cranfield
(110) 0.816 and 0.804, the course that ships (107) 0.502 and 0.485; fused with dense search the four move by -0.9 to
+1.2 points. It also spares the reader the longest posting lists, several shards a question. A list of 61 words was no
better. The list is English; of other languages nothing was measured.
"""


def term_weights(terms: Sequence[QueryTerm], chunks: int) -> list[float]:
    """Weight of each term of a question: its IDF in the texts; of one that is in no text, that of the rarest possible.

    Args:
        terms: of the question.
        chunks: in the index.
    """
    rarest = math.log(1 + (chunks + 0.5) / 0.5)
    return [term.text_idf if term.text_chunks > 0 else rarest for term in terms]


@dataclass(frozen=True, slots=True)
class KeywordIndex:
    """The serialised index, read.

    Attributes:
        documents: number of chunks, N.
        lengths: per ordinal the unique tokens in each of ``FIELDS``.
        averages: mean length in each of ``FIELDS``.
        postings: term → for each of ``FIELDS``, ordinal → term frequency, in index order.
    """

    documents: int
    lengths: Mapping[int, tuple[int, int]]
    averages: tuple[float, float]
    postings: Mapping[str, tuple[Mapping[int, int], Mapping[int, int]]]

    @classmethod
    def from_serialised(cls, data: Mapping[str, Any]) -> KeywordIndex:
        """Read what ``JSON.stringify(miniSearch)`` gives (serialisation version 2), parsed.

        The chunks must carry their ordinals as ids.
        """
        ordinals = {short: int(document) for short, document in data["documentIds"].items()}
        places = [data["fieldIds"][field] for field in FIELDS]

        def of_field(postings: Mapping[str, Mapping[str, int]], place: int) -> dict[int, int]:
            return {ordinals[short]: frequency for short, frequency in postings.get(str(place), {}).items()}

        def length(lengths: list[int | None], place: int) -> int:
            return (lengths[place] or 0) if place < len(lengths) else 0

        def average(place: int) -> float:
            averages = data["averageFieldLength"]
            return (averages[place] or 0.0) if place < len(averages) else 0.0

        return cls(
            documents=data["documentCount"],
            lengths={
                ordinals[short]: (length(lengths, places[0]), length(lengths, places[1]))
                for short, lengths in data["fieldLength"].items()
            },
            averages=(average(places[0]), average(places[1])),
            postings={
                term: (of_field(postings, places[0]), of_field(postings, places[1])) for term, postings in data["index"]
            },
        )

    def idf(self, term: str, field: Field) -> float:
        """Weight of ``term`` in ``field``; 0.0 when it is not in any chunk."""
        postings = self.postings.get(term)
        chunks = len(postings[FIELDS.index(field)]) if postings else 0
        return math.log(1 + (self.documents - chunks + 0.5) / (chunks + 0.5)) if chunks else 0.0

    def rarity(self, term: str) -> float:
        """Weight of ``term`` in the texts; of one that stands in none, what the rarest would have."""
        return self.idf(term, "text") or math.log(1 + (self.documents + 0.5) / 0.5)


def query_terms(question: str) -> list[str]:
    """Return the distinct terms of a question, in order, without stop words unless it has no other words."""
    terms = dict.fromkeys(tokenize(question))
    return [term for term in terms if term not in STOP_WORDS] or list(terms)


def keyword(
    index: KeywordIndex,
    question: str,
    settings: KeywordSettings,
    chunk: Callable[[int], ChunkRef],
    allowed: AbstractSet[int] | None = None,
) -> tuple[list[QueryTerm], list[KeywordHit]]:
    """Find the chunks that hold any of the question's terms.

    Args:
        index: postings and lengths.
        question: as it was asked.
        settings: of ``[retrieval.keyword]``.
        chunk: gives a chunk's id and heading path.
        allowed: ordinals that a filter lets through; None for all. Weights and lengths are the whole course's.

    Returns:
        The question's terms with their weights, and the best ``settings.depth`` hits: first the sections of which
        the question is the heading, then by score; of two alike the one of lower ordinal.
    """
    terms = query_terms(question)
    contributions = _contributions(index, terms, settings)
    titled = _titled(index, question, terms, chunk)
    scored = []
    for ordinal, of_chunk in contributions.items():
        if allowed is not None and ordinal not in allowed:
            continue
        total, matched = _total(of_chunk)
        score = total * matched
        if settings.divide_by_matched_terms:
            score /= matched
        scored.append((ordinal not in titled, -score, ordinal, matched))
    hits = []
    for rank, (untitled, negative, ordinal, matched) in enumerate(sorted(scored)[: settings.depth], 1):
        # The factor that a hit's score has over its contributions' sum, so that what is drawn adds up.
        factor = 1 if settings.divide_by_matched_terms else matched
        hits.append(
            KeywordHit(
                ordinal=ordinal,
                id=chunk(ordinal).id,
                rank=rank,
                score=-negative,
                exact_title=not untitled,
                matched_terms=matched,
                terms=tuple(
                    TermContribution(
                        term=term,
                        field=FIELDS[place],
                        frequency=index.postings[term][place][ordinal],
                        length=index.lengths[ordinal][place],
                        score=score * factor,
                    )
                    for term, place, score in contributions[ordinal]
                ),
            )
        )
    return [_query_term(index, term) for term in terms], hits


def _contributions(
    index: KeywordIndex, terms: list[str], settings: KeywordSettings
) -> dict[int, list[tuple[str, int, float]]]:
    """Per ordinal: term, place of the field in ``FIELDS``, score."""
    found: dict[int, list[tuple[str, int, float]]] = {}
    boosts = (settings.boost_title, 1.0)
    for term in terms:
        for place, postings in enumerate(index.postings.get(term, ())):
            if boosts[place] == 0 or not postings:
                continue
            idf = index.idf(term, FIELDS[place])
            average = index.averages[place]
            for ordinal, frequency in postings.items():
                length = index.lengths[ordinal][place]
                saturation = settings.d + frequency * (settings.k1 + 1) / (
                    frequency + settings.k1 * (1 - settings.b + settings.b * length / average)
                )
                found.setdefault(ordinal, []).append((term, place, boosts[place] * (idf * saturation)))
    return found


def _total(contributions: list[tuple[str, int, float]]) -> tuple[float, int]:
    """Sum as MiniSearch does: the fields of each term, then the terms; and count the terms."""
    by_term: dict[str, float] = {}
    for term, _, score in contributions:
        by_term[term] = by_term[term] + score if term in by_term else score
    total = 0.0
    for score in by_term.values():
        total = total + score
    return total, len(by_term)


def _titled(index: KeywordIndex, question: str, terms: list[str], chunk: Callable[[int], ChunkRef]) -> set[int]:
    """The chunks whose own heading is, token for token, the question."""
    if not terms or any(term not in index.postings for term in terms):
        return set()
    tokens = tokenize(question)
    shortest, *others = sorted((index.postings[term][0] for term in terms), key=len)
    return {
        ordinal
        for ordinal in shortest
        if all(ordinal in postings for postings in others) and tokenize(chunk(ordinal).path[-1]) == tokens
    }


def _query_term(index: KeywordIndex, term: str) -> QueryTerm:
    title, text = index.postings.get(term, ({}, {}))
    return QueryTerm(
        term=term,
        title_chunks=len(title),
        text_chunks=len(text),
        title_idf=index.idf(term, "title"),
        text_idf=index.idf(term, "text"),
    )
