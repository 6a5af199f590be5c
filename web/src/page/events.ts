/** What a component deep in the page tells the page itself. */

import type { Filter } from "../retrieval/filter";

/** The reader wants the whole course searched. */
export function dropFilter(from: HTMLElement): void {
  from.dispatchEvent(new CustomEvent<Filter | null>("ob-filter", { detail: null, bubbles: true, composed: true }));
}

/** The reader asks this instead. */
export function askInstead(from: HTMLElement, question: string): void {
  from.dispatchEvent(new CustomEvent<string>("ob-ask", { detail: question, bubbles: true, composed: true }));
}
