/**
 * What a cross-encoder reads: a question and a passage as one sequence of word pieces.
 *
 * `[CLS] question [SEP] passage [SEP]`; `build/openbook/retrieval/cross_encoder.py` says what is cut when it does not
 * fit.
 */

import type { ChunkRef } from "./collection";

export interface Pair {
  /** Of the word pieces, special tokens included. */
  readonly ids: readonly number[];
  /** 0 up to the first `[SEP]`, 1 from there. */
  readonly types: readonly number[];
}

/**
 * Join the word pieces of a question and a passage, special tokens left out in both.
 *
 * @param opening id of `[CLS]`
 * @param closing id of `[SEP]`
 * @param limit most ids that the model reads, at least 5
 */
export function pair(
  question: readonly number[],
  passage: readonly number[],
  opening: number,
  closing: number,
  limit: number,
): Pair {
  const room = limit - 3;
  const asked = question.slice(0, Math.max(Math.floor(room / 2), room - passage.length));
  const read = passage.slice(0, room - asked.length);
  return {
    ids: [opening, ...asked, closing, ...read, closing],
    types: [...new Array<number>(asked.length + 2).fill(0), ...new Array<number>(read.length + 1).fill(1)],
  };
}

/** What of a chunk is read: its heading path, an empty line, its text. */
export function passageText(chunk: ChunkRef, text: string): string {
  return `${chunk.path.join(" / ")}\n\n${text}`;
}
