/**
 * The abstention gate: whether anything is answered at all. A search always returns its top five, whatever it was
 * asked, and a small model answers from whatever it is shown; so the decision is made in code: from the best score of
 * the cross-encoder where the reader has switched that on, else from the question's answerability where there is late
 * interaction, else from the best cosine. `build/openbook/retrieval/gate.py` says what answerability is and why.
 */

import { GateError } from "./errors";
import { termWeights } from "./keyword";
import { collapse } from "./passages";
import { tokenize } from "./tokens";
import type { GateScore, GateThreshold, QueryTerm } from "./trace";
import { asTyped } from "./words";

/** Weight of the coverage beside MaxSim's 1. */
const COVERAGE = 0.2;

export interface Verdict {
  readonly open: boolean;
  /** Best of the dense list. */
  readonly cosine: number;
  /** Best MaxSim, or null without late interaction. */
  readonly late_interaction: number | null;
  /** Of the question. */
  readonly coverage: number;
  /** Its words that stand nowhere in the course. */
  readonly absent: readonly string[];
  /** Of both; null without late interaction. */
  readonly answerability: number | null;
  /** Best score of the cross-encoder, or null without. */
  readonly cross_encoder: number | null;
  /** The score that was compared. */
  readonly decided_by: GateScore;
  /** What it was compared with, and where that comes from. */
  readonly threshold: number;
  readonly source: GateThreshold["source"];
  /** The score minus the threshold: negative when the gate is closed. */
  readonly margin: number;
}

/** How much of a question stands anywhere in the course. */
export interface Coverage {
  /** Of its terms, weighted by their IDF: 0 to 1, and 1 for a question without terms. */
  readonly share: number;
  /** Its words that stand nowhere, nor any part of them, as they were typed. */
  readonly absent: readonly string[];
}

/**
 * Look which of a question's terms the course has.
 *
 * @param chunks in the index
 */
export function cover(question: string, terms: readonly QueryTerm[], chunks: number): Coverage {
  const weights = termWeights(terms, chunks);
  const present = new Map<string, boolean>();
  let held = 0;
  let total = 0;
  for (const [place, { term, title_chunks, text_chunks }] of terms.entries()) {
    const weight = weights[place] ?? 0;
    present.set(term, title_chunks + text_chunks > 0);
    total += weight;
    if (present.get(term)) held += weight;
  }
  const absent = asTyped(collapse(question)).filter((word) => {
    const found = tokenize(word).flatMap((token) => present.get(token) ?? []);
    return found.length > 0 && !found.includes(true);
  });
  return { share: total > 0 ? held / total : 1, absent: [...new Set(absent)] };
}

/** Mean of the best MaxSim and, with the weight `COVERAGE`, the question's coverage. */
function answerabilityOf(late_interaction: number, coverage: number): number {
  return (late_interaction + COVERAGE * coverage) / (1 + COVERAGE);
}

/**
 * Open when the score that decides reaches its threshold.
 *
 * @throws GateError when the index has no threshold
 */
export function gate(
  cosine: number,
  late_interaction: number | null,
  covered: Coverage,
  threshold: GateThreshold | null,
  cross_encoder: number | null = null,
): Verdict {
  if (threshold === null) {
    throw new GateError("The index has no threshold for the abstention gate: build the site again.");
  }
  const answerability = late_interaction === null ? null : answerabilityOf(late_interaction, covered.share);
  const verdict = (decided_by: GateScore, score: number, least: number, source: GateThreshold["source"]): Verdict => ({
    open: score >= least,
    cosine,
    late_interaction,
    coverage: covered.share,
    absent: covered.absent,
    answerability,
    cross_encoder,
    decided_by,
    threshold: least,
    source,
    margin: score - least,
  });
  if (cross_encoder !== null && threshold.cross_encoder !== null)
    return verdict("cross_encoder", cross_encoder, threshold.cross_encoder, threshold.cross_encoder_source);
  return answerability !== null && threshold.answerability !== null
    ? verdict("answerability", answerability, threshold.answerability, threshold.answerability_source)
    : verdict("cosine", cosine, threshold.cosine, threshold.source);
}

/**
 * Refuse a threshold that was written down with something else: it says nothing about this index.
 *
 * @throws GateError when it is stale
 */
export function checkThreshold(
  threshold: GateThreshold,
  now: { readonly corpus: string; readonly model: string; readonly tokenizer: string },
): void {
  const stale = (["corpus", "model", "tokenizer"] as const).filter((name) => threshold[name] !== now[name]);
  if (stale.length > 0) {
    throw new GateError(`The gate's threshold was found on another ${stale.join(" and ")}: build the site again.`);
  }
}
