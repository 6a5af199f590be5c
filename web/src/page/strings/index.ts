/**
 * Every word that the page says, in the language that was chosen before the page is there.
 *
 * English is in the page's first file, and is what the others are typed by. Another language is a file of its own,
 * fetched only when it is wanted. `S` and `LOCALE` change once, in `speak`, before the first component renders: read
 * them where a word is needed, and keep none from when a module was read.
 */

import type { ErrorRecord } from "../../errors";
import { en } from "./en";
import type { Explanation } from "./explanation";

export type Strings = typeof en;

export const S: Strings = en;
/** Of numbers and dates, a BCP 47 tag. */
export const LOCALE = "en";

/** What went wrong and what to do, for a reader of the page. */
export function explain(error: ErrorRecord): Explanation {
  const words = S.errors[error.kind](error);
  if (error.kind !== "engine-unavailable") return words;
  return { ...words, next: S.unavailable[error.found as keyof Strings["unavailable"]] ?? words.next };
}
