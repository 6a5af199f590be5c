/** Packed postings → MiniSearch's; the mirror of `pack` in `build/openbook/index/keyword.py`. */

import type { Postings, TermEntry } from "../retrieval/keyword";

/**
 * A term, then the postings of each field: `gap` or `gap*frequency` for each document, with spaces between.
 *
 * A gap is how many documents stand between this one and the one before.
 */
export type PackedEntry = readonly [term: string, ...fields: string[]];

/** @throws TypeError when the file is not a list of packed entries. */
export function unpackTerms(file: readonly PackedEntry[]): TermEntry[] {
  if (!Array.isArray(file)) throw new TypeError("not a list of terms");
  return file.map(unpack);
}

function unpack([term, ...fields]: PackedEntry): TermEntry {
  if (typeof term !== "string") throw new TypeError("a term is not a string");
  const postings: Record<string, Record<string, number>> = {};
  for (const [field, text] of fields.entries()) {
    if (text === "") continue;
    const documents: Record<string, number> = {};
    let last = -1;
    for (const word of text.split(" ")) {
      const [gap, frequency = "1"] = word.split("*");
      last += Number(gap) + 1;
      documents[last] = Number(frequency);
      if (!Number.isInteger(last) || !Number.isInteger(documents[last])) throw new TypeError(`${term}: ${word}`);
    }
    postings[field] = documents;
  }
  return [term, postings satisfies Postings];
}
