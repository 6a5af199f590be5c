"""Reranking: late interaction or a cross-encoder orders the first of the fused hits anew; "off" leaves them.

With late interaction a hit's new score is its MaxSim, neighbours counted, plus small shares of what the first stages
found: its keyword score and its cosine.
Ranks would lose by how much; a score of MaxSim alone forgets that the question's own words stand in a passage. The
keyword score counts as a share of the greatest that the question could have, not of the best hit's: where a question
shares few words with any passage, the passage that shares the most is not for that reason a good one. See
docs/late-interaction.md for what was compared. A cross-encoder's score stands alone: it has read both texts.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from openbook.retrieval.keyword import term_weights
from openbook.retrieval.trace import DenseHit, FusedHit, KeywordHit, QueryTerm, RerankHit
from openbook.settings import KeywordSettings, RerankSettings


def unchanged(hits: Sequence[FusedHit]) -> list[RerankHit]:
    """Return ``hits`` in the order that fusion gave them."""
    return [
        RerankHit(ordinal=hit.ordinal, id=hit.id, rank=hit.rank, score=hit.score, rank_before=hit.rank) for hit in hits
    ]


def greatest_keyword_score(terms: Sequence[QueryTerm], chunks: int, settings: KeywordSettings) -> float:
    """What a text would score that held every term of the question, each without end; the title not counted.

    Args:
        terms: of the question; one that is in no text counts as the rarest would.
        chunks: in the index.
        settings: of keyword search.
    """
    total = 0.0
    for weight in term_weights(terms, chunks):
        total += weight
    return total * (settings.d + settings.k1 + 1) * (1 if settings.divide_by_matched_terms else len(terms))


def rerank(
    hits: Sequence[FusedHit],
    keyword: Sequence[KeywordHit],
    dense: Sequence[DenseHit],
    scores: Mapping[int, tuple[float, float]],
    greatest: float,
    settings: RerankSettings,
) -> list[RerankHit]:
    """Reorder the hits that have a score.

    Args:
        hits: of fusion.
        keyword: one of the lists that were fused.
        dense: the other.
        scores: ordinal → MaxSim without and with neighbours, of the first ``settings.depth`` hits.
        greatest: keyword score that the question could have.
        settings: the weights.

    Returns:
        The hits with a score, best first, of two alike the one of lower ordinal; then the others as they were.
    """
    shares = {hit.ordinal: hit.score / greatest for hit in keyword} if greatest > 0 else {}
    cosines = {hit.ordinal: hit.score for hit in dense}
    reranked = []
    for hit in hits:
        if hit.ordinal not in scores:
            continue
        found, in_order = scores[hit.ordinal]
        keyword_score = settings.keyword_weight * shares.get(hit.ordinal, 0.0)
        cosine_score = settings.cosine_weight * cosines.get(hit.ordinal, 0.0)
        score = in_order + keyword_score + cosine_score
        reranked.append((score, hit, found, in_order, keyword_score, cosine_score))
    reranked.sort(key=lambda one: (-one[0], one[1].ordinal))
    first = [
        RerankHit(
            ordinal=hit.ordinal,
            id=hit.id,
            rank=rank,
            score=score,
            rank_before=hit.rank,
            late_interaction=found,
            in_order=in_order,
            keyword_score=keyword_score,
            cosine_score=cosine_score,
        )
        for rank, (score, hit, found, in_order, keyword_score, cosine_score) in enumerate(reranked, 1)
    ]
    return first + _rest(hits, scores)


def rerank_by_cross_encoder(hits: Sequence[FusedHit], scores: Mapping[int, float]) -> list[RerankHit]:
    """Reorder the hits that a cross-encoder has scored.

    Args:
        hits: of fusion.
        scores: ordinal → score of the cross-encoder.

    Returns:
        As :func:`rerank`.
    """
    scored = [hit for hit in hits if hit.ordinal in scores]
    scored.sort(key=lambda hit: (-scores[hit.ordinal], hit.ordinal))
    first = [
        RerankHit(
            ordinal=hit.ordinal,
            id=hit.id,
            rank=rank,
            score=scores[hit.ordinal],
            rank_before=hit.rank,
            cross_encoder=scores[hit.ordinal],
        )
        for rank, hit in enumerate(scored, 1)
    ]
    return first + _rest(hits, scores)


def _rest(hits: Sequence[FusedHit], scores: Container[int]) -> list[RerankHit]:
    """The hits without a score, behind those that have one."""
    rest = [hit for hit in hits if hit.ordinal not in scores]
    return [
        RerankHit(ordinal=hit.ordinal, id=hit.id, rank=rank, score=hit.score, rank_before=hit.rank)
        for rank, hit in enumerate(rest, len(hits) - len(rest) + 1)
    ]
