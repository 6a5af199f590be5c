/**
 * `index/generation-<hash>.json`: the engines and models that the page offers; the mirror of
 * `build/openbook/generation/offer.py`. Read when a reader looks for a model, and not before.
 */

import type { EngineName } from "./engine";

export interface Offer {
  /** In the order in which they are shown. */
  readonly engines: readonly EngineName[];
}
