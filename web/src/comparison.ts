/** What the heat map shows: every piece of the question against every piece of one chunk, with the pieces' words. */

import type { Comparison } from "./protocol";
import type { TokenVectors } from "./retrieval/collection";
import { makeTables, maxSim, pieceIdf, type QuestionPieces } from "./retrieval/late_interaction";

/**
 * @param signs of the chunk
 * @param path heading path of the chunk
 * @param text of the chunk
 * @param pieces word pieces of a text as the build read it, special tokens left out
 * @throws Error when the chunk's text does not have the pieces that its rows stand for
 */
export function compare(
  ordinal: number,
  question: QuestionPieces,
  held: TokenVectors,
  signs: Uint8Array,
  path: readonly string[],
  text: string,
  pieces: (text: string) => string[],
): Comparison {
  const rows = signs.length / (held.bits / 8);
  // A course may be embedded with the headings or without; the number of rows says which.
  const passage = [`${path.join(" / ")}\n\n${text}`, text].map(pieces).find((found) => found.length === rows);
  if (!passage) throw new Error(`the text of chunk ${ordinal} does not have the ${rows} word pieces of its vectors`);
  const tables = makeTables(question, held.bits);
  const weights = question.ids.map((id) => pieceIdf(held.weights, id));
  return {
    ordinal,
    question: question.pieces,
    weights,
    passage,
    ...maxSim(tables, weights, signs),
  };
}
