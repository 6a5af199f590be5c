"""Metrics of a ranking against labelled sections: hit@k and reciprocal rank.

A question's ranking is a list of chunks; a label is a section. So a ranking is first read as one of sections, each at
the place of its first chunk: a long section is not a hit twice, and does not push others down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from openbook.evaluation.gold import section_of

CUTOFF = 10
"""Reciprocal ranks beyond it count as 0: MRR@10."""


class Metrics(msgspec.Struct, frozen=True, kw_only=True):
    """Means over questions; each between 0 and 1.

    Attributes:
        questions: how many.
        hit_1, hit_5: share of the questions with a relevant section first, or among the first five.
        mrr_10: mean of 1 / rank of the first relevant section, 0 beyond rank 10.
    """

    questions: int
    hit_1: float
    hit_5: float
    mrr_10: float


def first_relevant_rank(chunk_ids: Iterable[str], relevant: Collection[str]) -> int | None:
    """1-based rank of the first relevant section, or None.

    Args:
        chunk_ids: ranked, best first.
        relevant: sections.
    """
    sections = dict.fromkeys(section_of(chunk_id) for chunk_id in chunk_ids)
    for rank, section in enumerate(sections, 1):
        if section in relevant:
            return rank
    return None


def metrics(ranks: Sequence[int | None]) -> Metrics:
    """Sum up the questions' first relevant ranks; all zero when there are none."""
    count = len(ranks)

    def mean(values: Iterable[float]) -> float:
        return sum(values) / count if count else 0.0

    return Metrics(
        questions=count,
        hit_1=mean(float(rank is not None and rank <= 1) for rank in ranks),
        hit_5=mean(float(rank is not None and rank <= 5) for rank in ranks),
        mrr_10=mean(1 / rank if rank is not None and rank <= CUTOFF else 0.0 for rank in ranks),
    )
