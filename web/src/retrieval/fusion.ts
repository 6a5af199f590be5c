/** Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009) with a weight for each list. */

import type { DenseHit, FusedHit, FusionSettings, KeywordHit } from "./trace";

/**
 * Fuse two lists of hits, best first; of two alike the one of lower ordinal. A list of weight 0 is left out: what only
 * it found is not a hit.
 */
export function fuse(keyword: readonly KeywordHit[], dense: readonly DenseHit[], settings: FusionSettings): FusedHit[] {
  const keywordHits = settings.keyword_weight === 0 ? [] : keyword;
  const denseHits = settings.dense_weight === 0 ? [] : dense;
  const keywordRanks = new Map(keywordHits.map(({ ordinal, rank }) => [ordinal, rank]));
  const denseRanks = new Map(denseHits.map(({ ordinal, rank }) => [ordinal, rank]));
  const ids = new Map([...keywordHits, ...denseHits].map(({ ordinal, id }) => [ordinal, id]));
  return [...ids]
    .map(([ordinal, id]) => {
      const keywordRank = keywordRanks.get(ordinal) ?? null;
      const denseRank = denseRanks.get(ordinal) ?? null;
      const keywordScore = contribution(settings.keyword_weight, settings.k, keywordRank);
      const denseScore = contribution(settings.dense_weight, settings.k, denseRank);
      return {
        ordinal,
        id,
        score: keywordScore + denseScore,
        keyword_rank: keywordRank,
        dense_rank: denseRank,
        keyword_score: keywordScore,
        dense_score: denseScore,
      };
    })
    .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal)
    .map((hit, place) => ({ ...hit, rank: place + 1 }));
}

function contribution(weight: number, k: number, rank: number | null): number {
  return rank === null ? 0 : weight / (k + rank);
}
