/**
 * The abstention gate: whether anything is answered at all. A search always returns its top five, whatever it was
 * asked, and a small model answers from whatever it is shown; so the decision is made in code: from the best score of
 * the cross-encoder where the reader has switched that on, else from the best MaxSim where there is late interaction,
 * which tells questions on other subjects from the course's far better than the best cosine, which decides where there
 * is neither.
 */

import { GateError } from "./errors";
import type { GateScore, GateThreshold } from "./trace";

export interface Verdict {
  readonly open: boolean;
  /** Best of the dense list. */
  readonly cosine: number;
  /** Best MaxSim, or null without late interaction. */
  readonly late_interaction: number | null;
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

/**
 * Open when the score that decides reaches its threshold.
 *
 * @throws GateError when the index has no threshold
 */
export function gate(
  cosine: number,
  late_interaction: number | null,
  threshold: GateThreshold | null,
  cross_encoder: number | null = null,
): Verdict {
  if (threshold === null) {
    throw new GateError("The index has no threshold for the abstention gate: build the site again.");
  }
  const verdict = (decided_by: GateScore, score: number, least: number, source: GateThreshold["source"]): Verdict => ({
    open: score >= least,
    cosine,
    late_interaction,
    cross_encoder,
    decided_by,
    threshold: least,
    source,
    margin: score - least,
  });
  if (cross_encoder !== null && threshold.cross_encoder !== null)
    return verdict("cross_encoder", cross_encoder, threshold.cross_encoder, threshold.cross_encoder_source);
  return late_interaction !== null && threshold.late_interaction !== null
    ? verdict("late_interaction", late_interaction, threshold.late_interaction, threshold.late_interaction_source)
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
