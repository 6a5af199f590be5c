/**
 * The hits of keyword search under another k₁ and b, worked out from the trace alone: the frequencies, the lengths and
 * the weights of the terms stand in it. What was below the list before cannot come up, so it is an order of these hits.
 */

import type { KeywordHit, KeywordSettings, KeywordStage } from "./trace";

export function rescore(stage: KeywordStage, changed: Pick<KeywordSettings, "k1" | "b">): KeywordHit[] {
  const { d, boost_title, divide_by_matched_terms } = stage.parameters;
  const { k1, b } = changed;
  const weights = new Map(stage.terms.map((term) => [term.term, term]));
  return stage.hits
    .map((hit) => {
      const factor = divide_by_matched_terms ? 1 : hit.matched_terms;
      const terms = hit.terms.map((one) => {
        const { field, frequency, length } = one;
        const weight = weights.get(one.term);
        const idf = (field === "title" ? weight?.title_idf : weight?.text_idf) ?? 0;
        const boost = field === "title" ? boost_title : 1;
        const average = stage.average_lengths[field];
        const saturation = d + (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / average));
        return { ...one, score: boost * (idf * saturation) * factor };
      });
      return { ...hit, terms, score: terms.reduce((total, { score }) => total + score, 0) };
    })
    .sort((x, y) => Number(y.exact_title) - Number(x.exact_title) || y.score - x.score || x.ordinal - y.ordinal)
    .map((hit, place) => ({ ...hit, rank: place + 1 }));
}
