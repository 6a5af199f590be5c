/** Reranking: the place for it. There is one mode so far, "off", which keeps the order and the scores. */

import type { FusedHit, RerankHit, RerankStage } from "./trace";

export function rerank(hits: readonly FusedHit[], _parameters: RerankStage["parameters"]): RerankHit[] {
  return hits.map(({ ordinal, id, rank, score }) => ({ ordinal, id, rank, score, rank_before: rank }));
}
