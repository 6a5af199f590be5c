/**
 * Where the words of a question stand in a passage, and which stretch of it shows most of them.
 *
 * A word is marked when the tokenizer makes any of the wanted terms of it, so that what is marked is what matched:
 * `np.argmax` for "argmax", and in Chinese the two characters of a bigram.
 */

import type { PassageText } from "./retrieval/collection";
import type { VerbatimKind } from "./retrieval/trace";

/** Start and end, in UTF-16 code units; sorted, not overlapping. */
export type Mark = readonly [start: number, end: number];

/** The same, of lines that are no prose. */
export type Block = readonly [start: number, end: number, kind: VerbatimKind];

export interface Wanted {
  readonly terms: ReadonlySet<string>;
  /** A word still being typed; "" for none. */
  readonly prefix: string;
}

const WORD = /[\p{L}\p{N}\p{M}_]+(?:\+\+|#)?/gu;
/** Scripts without spaces between words, which the tokenizer cuts into pairs of characters. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function marksOf(text: string, wanted: Wanted, tokenize: (text: string) => readonly string[]): Mark[] {
  const hit = (word: string): boolean =>
    tokenize(word).some(
      (term) => wanted.terms.has(term) || (wanted.prefix.length > 1 && term.startsWith(wanted.prefix)),
    );
  const marks: [number, number][] = [];
  const add = (start: number, end: number): void => {
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  };
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (!UNSPACED.test(word)) {
      if (hit(word)) add(match.index, match.index + word.length);
      continue;
    }
    const characters = [...word];
    let at = match.index;
    for (let i = 0; i < characters.length; i++) {
      const pair = characters.slice(i, i + 2).join("");
      if (hit(pair)) add(at, at + pair.length);
      at += (characters[i] ?? "").length;
    }
  }
  return marks;
}

/** Where the lines that are code, tables or formulas stand in a text that is made of these parts, in order. */
export function verbatimOf(text: string, parts: readonly PassageText[]): Block[] {
  const found: Block[] = [];
  let from = 0;
  for (const part of parts) {
    const lines = part.text.split("\n");
    for (const [first, last, kind] of part.verbatim ?? []) {
      const block = lines.slice(first, last + 1).join("\n");
      // Parts may overlap, and what they share stands in the text once.
      const start = text.indexOf(block, from);
      if (block === "" || start < 0) continue;
      from = start + block.length;
      found.push([start, from, kind]);
    }
  }
  return found;
}

/** A stretch of text and whether it is marked. */
export interface Run {
  readonly text: string;
  readonly marked: boolean;
}

/** The text between `start` and `end` as runs, to be shown one after the other. */
export function runsOf(text: string, marks: readonly Mark[], start = 0, end = text.length): Run[] {
  const runs: Run[] = [];
  let at = start;
  for (const [from, to] of marks) {
    if (to <= start || from >= end) continue;
    const left = Math.max(from, start);
    const right = Math.min(to, end);
    if (left > at) runs.push({ text: text.slice(at, left), marked: false });
    runs.push({ text: text.slice(left, right), marked: true });
    at = right;
  }
  if (at < end) runs.push({ text: text.slice(at, end), marked: false });
  return runs;
}

/**
 * The stretch of about `length` characters with the most different words marked, cut at spaces.
 * The earliest one wins; without marks it is the beginning.
 */
export function excerptOf(text: string, marks: readonly Mark[], length: number): Mark {
  if (text.length <= length * 1.25) return [0, text.length];
  let best = 0;
  let most = 0;
  for (let first = 0; first < marks.length; first++) {
    const start = marks[first]?.[0] ?? 0;
    const words = new Set<string>();
    for (const [from, to] of marks.slice(first)) {
      if (to > start + length * 0.8) break;
      words.add(text.slice(from, to).toLowerCase());
    }
    if (words.size > most) {
      most = words.size;
      best = start;
    }
  }
  // A little of what stands before, from the beginning of a sentence or line where one is near.
  const lead = text.slice(Math.max(0, best - length * 0.4), best);
  const sentence = Math.max(lead.lastIndexOf(". "), lead.lastIndexOf("\n"), lead.lastIndexOf("。"));
  let start = best - lead.length;
  if (start > 0) {
    const space = lead.search(/\s/);
    start += sentence >= 0 ? sentence + 1 : space >= 0 ? space : lead.length;
  }
  // The sign of a list's item says nothing at either end.
  while (/\s/.test(text[start] ?? "") || (start > 0 && /[•\-–]\s/.test(text.slice(start, start + 2)))) start++;
  let end = Math.min(text.length, start + length);
  if (end < text.length) {
    const space = text.slice(0, end).search(/\s\S*$/);
    if (space > start + length / 2) end = space;
    const kept = text.slice(start, end).replace(/\s[\s•\-–]*$/, "");
    if (kept.length > length / 2) end = start + kept.length;
  }
  return [start, end];
}
