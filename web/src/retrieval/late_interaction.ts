/**
 * Late interaction: MaxSim of the question's word pieces against one bit a direction of each passage's.
 *
 * The formula and the order of operations are written down in `build/openbook/retrieval/late_interaction.py`; the
 * numbers here are the same to the last bit.
 */

import { ShapeError } from "./errors";
import { projection } from "./projection";

/** Weight of a neighbour's cosine beside a piece's own. */
const NEIGHBOUR = 0.3;

/** The question as the encoder read it, special tokens left out. */
export interface QuestionPieces {
  readonly ids: readonly number[];
  readonly pieces: readonly string[];
  /** Row after row, each of unit length. */
  readonly vectors: Float32Array;
  readonly dims: number;
}

/** In how many chunks each word piece stands. */
export interface PieceWeights {
  /** Number of chunks. */
  readonly chunks: number;
  readonly counts: ReadonlyMap<number, number>;
}

/** Partial sums: for piece i, byte b of signs and its value v, `sums[(i * width + b) * 256 + v]`. */
export interface Tables {
  readonly pieces: number;
  /** Bytes of signs a piece. */
  readonly width: number;
  readonly sums: Float32Array;
}

/** One passage's score and how it came about. */
export interface MaxSim {
  /** Weighted mean of the greatest cosines. */
  readonly score: number;
  /** Weighted mean of `best`. */
  readonly inOrder: number;
  /** For each piece of the question its greatest of `matches`. */
  readonly best: Float64Array;
  /** Which of the passage's kept pieces that was; the first of equals. */
  readonly places: Int32Array;
  /** Each piece of the question with each of the passage's, neighbours counted, row after row: the heat map. */
  readonly matches: Float64Array;
}

/** `ln(1 + (N − n + 0.5) / (n + 0.5))`; greatest for a piece that is in no chunk. */
export function pieceIdf({ chunks, counts }: PieceWeights, piece: number): number {
  const count = counts.get(piece) ?? 0;
  return Math.log(1 + (chunks - count + 0.5) / (count + 0.5));
}

/** Each row of `dims` components scaled to length 1. */
export function unitRows(vectors: Float32Array, dims: number): Float32Array {
  const unit = new Float32Array(vectors.length);
  for (let start = 0; start < vectors.length; start += dims) {
    let square = 0;
    for (let i = start; i < start + dims; i += 1) square += (vectors[i] as number) * (vectors[i] as number);
    const length = Math.max(Math.sqrt(square), 1e-12);
    for (let i = start; i < start + dims; i += 1) unit[i] = (vectors[i] as number) / length;
  }
  return unit;
}

/** Project the question's pieces and tabulate their products with every byte of signs. */
export function makeTables(question: QuestionPieces, bits: number): Tables {
  const { vectors, dims } = question;
  const pieces = vectors.length / dims;
  const width = bits / 8;
  const transform = projection(dims, bits);
  const scale = (Math.sqrt(Math.PI / 2) * Math.sqrt(transform.width)) / (bits * transform.gain);
  const sums = new Float32Array(pieces * width * 256);
  const table = new Float64Array(256);
  for (let piece = 0; piece < pieces; piece += 1) {
    const projected = transform.apply(vectors, piece * dims);
    for (let byte = 0; byte < width; byte += 1) {
      let first = 0;
      for (let j = 0; j < 8; j += 1) first -= (projected[byte * 8 + j] as number) * scale;
      table[0] = first;
      for (let j = 0; j < 8; j += 1) {
        const twice = 2 * ((projected[byte * 8 + j] as number) * scale);
        const half = 1 << j;
        for (let v = 0; v < half; v += 1) table[half + v] = (table[v] as number) + twice;
      }
      sums.set(table, (piece * width + byte) * 256);
    }
  }
  return { pieces, width, sums };
}

/**
 * Score one passage.
 *
 * @param weights of the question's pieces
 * @param signs the passage's pieces, row after row; none give the score 0, as does a question without pieces
 * @throws ShapeError when the signs are not whole rows
 */
export function maxSim(tables: Tables, weights: ArrayLike<number>, signs: Uint8Array): MaxSim {
  const { pieces } = tables;
  const cosines = similarities(tables, signs);
  const matches = inOrder(cosines, pieces);
  const rows = pieces > 0 ? cosines.length / pieces : 0;
  const best = new Float64Array(pieces);
  const places = new Int32Array(pieces);
  if (rows === 0) return { score: 0, inOrder: 0, best, places, matches };
  let [bySelf, byMatch, denominator] = [0, 0, 0];
  for (let piece = 0; piece < pieces; piece += 1) {
    let nearest = Number.NEGATIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    let place = 0;
    for (let row = 0; row < rows; row += 1) {
      const at = piece * rows + row;
      const match = matches[at] as number;
      if (match > greatest) {
        greatest = match;
        place = row;
      }
      if ((cosines[at] as number) > nearest) nearest = cosines[at] as number;
    }
    best[piece] = greatest;
    places[piece] = place;
    const weight = weights[piece] as number;
    bySelf += weight * nearest;
    byMatch += weight * greatest;
    denominator += weight;
  }
  const mean = (sum: number): number => (denominator > 0 ? sum / denominator : 0);
  return { score: mean(bySelf), inOrder: mean(byMatch), best, places, matches };
}

/** Each pair of pieces with its neighbours on either side, in the same order. */
function inOrder(cosines: Float64Array, pieces: number): Float64Array {
  const rows = pieces > 0 ? cosines.length / pieces : 0;
  const found = new Float64Array(cosines.length);
  for (let piece = 0; piece < pieces; piece += 1) {
    const [first, last] = [piece === 0, piece === pieces - 1];
    const share = 1 + NEIGHBOUR * (2 - Number(first) - Number(last));
    const start = piece * rows;
    for (let row = 0; row < rows; row += 1) {
      const at = start + row;
      let match = cosines[at] as number;
      if (!first && row > 0) match += NEIGHBOUR * (cosines[at - rows - 1] as number);
      if (!last && row < rows - 1) match += NEIGHBOUR * (cosines[at + rows + 1] as number);
      found[at] = match / share;
    }
  }
  return found;
}

/**
 * Estimated cosine of each piece of the question with each of a passage.
 *
 * @returns row after row, a row a piece of the question
 * @throws ShapeError as `maxSim`
 */
export function similarities(tables: Tables, signs: Uint8Array): Float64Array {
  const { pieces, width, sums } = tables;
  const rows = rowsOf(signs, width);
  const found = new Float64Array(pieces * rows);
  for (let piece = 0; piece < pieces; piece += 1) {
    const base = piece * width * 256;
    let at = 0;
    for (let row = 0; row < rows; row += 1) {
      let sum = 0;
      for (let table = base, end = base + width * 256; table < end; table += 256) {
        sum += sums[table + (signs[at] as number)] as number;
        at += 1;
      }
      found[piece * rows + row] = sum;
    }
  }
  return found;
}

function rowsOf(signs: Uint8Array, width: number): number {
  const rows = signs.length / width;
  if (!Number.isInteger(rows)) {
    throw new ShapeError(`${signs.length} bytes of signs are not whole rows of ${width}`);
  }
  return rows;
}
