/**
 * MaxSim of a text with each sentence of a chunk, from the signs that late interaction has of the chunk's pieces.
 *
 * `build/openbook/retrieval/spans.py` says which pieces a sentence has and why.
 */

import { makeTables, type PieceWeights, pieceIdf, type QuestionPieces, similarities } from "./late_interaction";
import type { Span } from "./sentences";

/** Ordinal of a chunk, its text and spans → the MaxSim of each span; null for a chunk without signs. */
export type SpanScores = (ordinal: number, text: string, spans: readonly Span[]) => readonly number[] | null;

/** First piece of each span, and the one behind its last; null when the rows are not of this text. */
export function pieceRanges(
  text: string,
  spans: readonly Span[],
  rows: number,
  countTokens: (text: string) => number,
): [first: number, last: number][] | null {
  const ranges: [number, number][] = [];
  let place = 0;
  let end = 0;
  for (const span of spans) {
    place += countTokens(text.slice(end, span.start));
    const first = place;
    place += countTokens(text.slice(span.start, span.end));
    ranges.push([first, place]);
    end = span.end;
  }
  place += countTokens(text.slice(end));
  const heading = rows - place;
  return heading < 0 ? null : ranges.map(([first, last]) => [first + heading, last + heading]);
}

/**
 * Compare a text with the spans of chunks.
 *
 * @param read the text: the question, or a sentence of an answer
 * @param bits directions of the signs
 * @param signs of each chunk that may be asked for
 */
export function spanScorer(
  read: QuestionPieces,
  weights: PieceWeights,
  bits: number,
  signs: ReadonlyMap<number, Uint8Array>,
  countTokens: (text: string) => number,
): SpanScores {
  const tables = makeTables(read, bits);
  const idf = read.ids.map((id) => pieceIdf(weights, id));
  return (ordinal, text, spans) => {
    const held = signs.get(ordinal);
    if (!held) return null;
    const rows = held.length / tables.width;
    const ranges = pieceRanges(text, spans, rows, countTokens);
    if (!ranges) return null;
    const found = similarities(tables, held);
    return ranges.map(([first, last]) => {
      if (last <= first) return 0;
      let numerator = 0;
      let denominator = 0;
      for (const [piece, weight] of idf.entries()) {
        let best = Number.NEGATIVE_INFINITY;
        for (let row = first; row < last; row += 1) best = Math.max(best, found[piece * rows + row] as number);
        numerator += weight * best;
        denominator += weight;
      }
      return denominator > 0 ? numerator / denominator : 0;
    });
  };
}
