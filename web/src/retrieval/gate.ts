/**
 * The abstention gate: whether anything is answered at all. A search always returns its top five, whatever it was
 * asked, and a small model answers from whatever it is shown; so the decision is made in code, from the best cosine.
 */

import { GateError } from "./errors";
import type { GateThreshold } from "./trace";

export interface Verdict {
  readonly open: boolean;
  /** Best of the dense list. */
  readonly cosine: number;
  readonly threshold: number;
  /** `cosine - threshold`: negative when the gate is closed. */
  readonly margin: number;
}

/**
 * Open when the best cosine reaches the threshold.
 *
 * @throws GateError when the index has no threshold
 */
export function gate(cosine: number, threshold: GateThreshold | null): Verdict {
  if (threshold === null) {
    throw new GateError("The index has no threshold for the abstention gate: build the site again.");
  }
  return {
    open: cosine >= threshold.cosine,
    cosine,
    threshold: threshold.cosine,
    margin: cosine - threshold.cosine,
  };
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
