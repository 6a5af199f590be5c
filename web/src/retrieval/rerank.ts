/**
 * Reranking: late interaction or a cross-encoder orders the first of the fused hits anew; "off" leaves them.
 *
 * `build/openbook/retrieval/rerank.py` says what is summed and why.
 */

import { termWeights } from "./keyword";
import type { DenseHit, FusedHit, KeywordHit, KeywordSettings, QueryTerm, RerankHit, RerankSettings } from "./trace";

/** The hits in the order that fusion gave them. */
export function unchanged(hits: readonly FusedHit[]): RerankHit[] {
  return hits.map((hit) => kept(hit, hit.rank));
}

/** What a text would score that held every term of the question, each without end; the title not counted. */
export function greatestKeywordScore(terms: readonly QueryTerm[], chunks: number, settings: KeywordSettings): number {
  const total = termWeights(terms, chunks).reduce((sum, weight) => sum + weight, 0);
  return total * (settings.d + settings.k1 + 1) * (settings.divide_by_matched_terms ? 1 : terms.length);
}

/**
 * Reorder the hits that have a score.
 *
 * @param hits of fusion
 * @param keyword and `dense`: the lists that were fused
 * @param scores ordinal → MaxSim without and with neighbours, of the first `settings.depth` hits
 * @param greatest keyword score that the question could have
 * @returns the hits with a score, best first, of two alike the one of lower ordinal; then the others as they were
 */
export function rerank(
  hits: readonly FusedHit[],
  keyword: readonly KeywordHit[],
  dense: readonly DenseHit[],
  scores: ReadonlyMap<number, readonly [number, number]>,
  greatest: number,
  settings: RerankSettings,
): RerankHit[] {
  const shares = new Map(greatest > 0 ? keyword.map((hit) => [hit.ordinal, hit.score / greatest]) : []);
  const cosines = new Map(dense.map((hit) => [hit.ordinal, hit.score]));
  const first = hits.flatMap((hit) => {
    const found = scores.get(hit.ordinal);
    if (!found) return [];
    const [late_interaction, in_order] = found;
    const keyword_score = settings.keyword_weight * (shares.get(hit.ordinal) ?? 0);
    const cosine_score = settings.cosine_weight * (cosines.get(hit.ordinal) ?? 0);
    const score = in_order + keyword_score + cosine_score;
    return [{ ...kept(hit, 0), score, late_interaction, in_order, keyword_score, cosine_score }];
  });
  first.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
  return [...first.map((hit, place) => ({ ...hit, rank: place + 1 })), ...restOf(hits, scores)];
}

/** Reorder the hits that a cross-encoder has scored; the others stay behind them as they were. */
export function rerankByCrossEncoder(hits: readonly FusedHit[], scores: ReadonlyMap<number, number>): RerankHit[] {
  const first = hits.flatMap((hit) => {
    const score = scores.get(hit.ordinal);
    return score === undefined ? [] : [{ ...kept(hit, 0), score, cross_encoder: score }];
  });
  first.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal);
  return [...first.map((hit, place) => ({ ...hit, rank: place + 1 })), ...restOf(hits, scores)];
}

/** The hits without a score, behind those that have one. */
function restOf(hits: readonly FusedHit[], scores: ReadonlyMap<number, unknown>): RerankHit[] {
  const rest = hits.filter((hit) => !scores.has(hit.ordinal));
  return rest.map((hit, place) => kept(hit, hits.length - rest.length + place + 1));
}

function kept({ ordinal, id, rank: rank_before, score }: FusedHit, rank: number): RerankHit {
  const nothing = { late_interaction: null, in_order: null, keyword_score: 0, cosine_score: 0, cross_encoder: null };
  return { ordinal, id, rank, score, rank_before, ...nothing };
}
