"""Metrics of a ranking against labels: hit@k, reciprocal rank, nDCG and recall.

A question's ranking is a list of chunks; a label is a section. So a ranking is first read as one of sections, each at
the place of its first chunk: a long section is not a hit twice, and does not push others down.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

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


MEASURES: Final = ("hit_1", "hit_5", "mrr_10", "ndcg_10", "recall_10", "recall_50")
"""What is measured of each question's ranking, in the order of :func:`judge`'s result.

* ``hit_1``, ``hit_5``: 1 when something relevant is first, or among the first five.
* ``mrr_10``: 1 / rank of the first relevant one, 0 beyond rank 10.
* ``ndcg_10``: as trec_eval's ``ndcg_cut_10`` and so as BEIR reports it: gain = grade, not 2^grade − 1, discount
  log2(rank + 1), over the same sum for the best ranking there could be of all that is labelled (Järvelin and
  Kekäläinen, *Cumulated gain-based evaluation of IR techniques*, TOIS 2002).
* ``recall_10``, ``recall_50``: share of what is relevant that is among the first 10, or 50.
"""


def judge(ranking: Sequence[str], grades: Mapping[str, int]) -> tuple[float, ...]:
    """Measure one ranking.

    Args:
        ranking: distinct ids, best first.
        grades: id → grade; an id with a grade below 1, or with none, is not relevant.

    Returns:
        One number for each of ``MEASURES``; all 0 when nothing is relevant.
    """
    relevant = {name: grade for name, grade in grades.items() if grade > 0}
    if not relevant:
        return (0.0,) * len(MEASURES)
    ranks = [rank for rank, name in enumerate(ranking, 1) if name in relevant]
    first = ranks[0] if ranks else None
    gain = sum(relevant.get(name, 0) / math.log2(rank + 1) for rank, name in enumerate(ranking[:CUTOFF], 1))
    best = sorted(relevant.values(), reverse=True)[:CUTOFF]
    ideal = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, 1))
    return (
        float(first == 1),
        float(first is not None and first <= 5),
        1 / first if first is not None and first <= CUTOFF else 0.0,
        gain / ideal,
        sum(rank <= 10 for rank in ranks) / len(relevant),
        sum(rank <= 50 for rank in ranks) / len(relevant),
    )
