/**
 * Words of a question that are nowhere in the course, and what they may be misspellings of.
 * `build/openbook/retrieval/spelling.py` says how, and why so.
 */

import type { KeywordIndex } from "./keyword";
import { collapse } from "./passages";
import { tokenize } from "./tokens";
import type { QueryTerm } from "./trace";
import { asTyped } from "./words";

/** Letters that both words begin with. */
const PREFIX = 2;
/** Letters; shorter words are one slip from too many others. */
const SHORTEST = 5;
/** Letters from which on two slips are looked past. */
const LONG = 8;
/** Words that stand nowhere: where so many do, and they are half of the question or more, nothing is offered. */
const ABSENT = 3;
/** Chunks that hold a word that is offered. */
const COMMON = 2;

const LETTERS = /^[a-z\u00e0-\u024f_]+$/;

/** The course's terms that begin with a prefix, with the number of chunks that hold each. */
export type Vocabulary = (prefix: string) => Promise<ReadonlyMap<string, number>>;

/**
 * The question, on one line, with the words of the course that its own are nearest to; null when there is nothing to
 * mend.
 *
 * @param pieces of it, as the encoder read it
 */
export async function respell(
  question: string,
  terms: readonly QueryTerm[],
  pieces: readonly string[],
  vocabulary: Vocabulary,
): Promise<string | null> {
  const absent = new Set(
    terms.flatMap(({ term, title_chunks, text_chunks }) => (title_chunks + text_chunks === 0 ? [term] : [])),
  );
  const known = new Set(
    pieces.filter((piece, place) => !piece.includes("##") && !(pieces[place + 1] ?? "").includes("##")),
  );
  const typed = collapse(question);
  let mended = typed;
  const words = asTyped(typed).map((word) => [word, tokenize(word)[0] ?? ""] as const);
  // Whole words: the parts of a misspelt identifier are absent too.
  const all = new Set(terms.map(({ term }) => term));
  const asked = new Set(words.flatMap(([, whole]) => (all.has(whole) ? [whole] : [])));
  if ([...asked].filter((whole) => absent.has(whole)).length >= Math.max(ABSENT, asked.size / 2)) return null;
  for (const [word, whole] of words) {
    if (!absent.has(whole) || known.has(whole) || known.has(word.toLowerCase()) || !LETTERS.test(whole)) continue;
    const meant = nearest(whole, await vocabulary(whole.slice(0, PREFIX)));
    // A function: what is put in may hold a `$`.
    if (meant !== null) mended = mended.replace(word, () => meant);
  }
  return mended === typed ? null : mended;
}

/** The terms of an index that begin with a prefix, as far as they have been loaded. */
export function vocabularyOf({ postings }: KeywordIndex, prefix: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [term, fields] of postings)
    if (term.startsWith(prefix)) found.set(term, new Set(Object.values(fields).flatMap(Object.keys)).size);
  return found;
}

/**
 * The word of a vocabulary that another is a slip away from, or, when it is long, two. Of several the nearest, of these
 * the one in most chunks, of these the first in the order of code points.
 */
export function nearest(word: string, vocabulary: ReadonlyMap<string, number>): string | null {
  if (word.length < SHORTEST) return null;
  const most = word.length < LONG ? 1 : 2;
  const found = [...vocabulary].flatMap(([term, chunks]) => {
    if (!term.startsWith(word.slice(0, PREFIX)) || term.at(-1) !== word.at(-1)) return [];
    if (chunks < COMMON || !LETTERS.test(term)) return [];
    const distance = slips(word, term, most);
    return distance <= most ? [{ term, distance, chunks }] : [];
  });
  found.sort((a, b) => a.distance - b.distance || b.chunks - a.chunks || (a.term < b.term ? -1 : 1));
  return found[0]?.term ?? null;
}

/** How many slips make one word of another; `most + 1` when it is more than `most`. */
export function slips(first: string, second: string, most: number): number {
  if (Math.abs(first.length - second.length) > most) return most + 1;
  let last: number[] = [];
  let before: number[] = [];
  let row = Array.from({ length: second.length + 1 }, (_, place) => place);
  const at = (cells: readonly number[], place: number): number => cells[place] ?? 0;
  for (let i = 1; i <= first.length; i++) {
    [last, before, row] = [before, row, [i]];
    for (let j = 1; j <= second.length; j++) {
      const [a, b] = [first[i - 1], second[j - 1]];
      let cost = Math.min(at(before, j) + 1, at(row, j - 1) + 1, at(before, j - 1) + (a === b ? 0 : 1));
      if (i > 1 && j > 1 && a === second[j - 2] && first[i - 2] === b) cost = Math.min(cost, at(last, j - 2) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return most + 1;
  }
  return Math.min(row.at(-1) ?? 0, most + 1);
}
