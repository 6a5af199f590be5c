/**
 * Dense search: exact cosine of a float32 question against int8 chunks.
 *
 * The order of summation is part of the interface, so that Python's scores are these to the last bit; it is written
 * down in `build/openbook/retrieval/dense.py`. Eight sums also keep the processor's multipliers busy.
 */

import { ShapeError } from "./errors";
import type { DenseHit, DenseSettings } from "./trace";

/** Row i stands for `scales[i] * values[i * dims … (i + 1) * dims]`, a unit vector but for rounding. */
export interface Vectors {
  readonly dims: number;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

/**
 * The cosine of the question with each chunk.
 *
 * @throws ShapeError when the question has another number of dimensions than the chunks
 */
export function cosines(vectors: Vectors, question: Float32Array): Float64Array {
  const { dims, scales, values } = vectors;
  if (question.length !== dims) {
    throw new ShapeError(`the question's vector has ${question.length} components, the chunks' have ${dims}`);
  }
  // Converting once is faster than at every product; the padding lets the loop go in eights.
  const padded = Math.ceil(dims / 8) * 8;
  const q = new Float64Array(padded);
  q.set(question);
  const whole = dims - (dims % 8);
  const scores = new Float64Array(scales.length);
  for (let row = 0; row < scores.length; row += 1) {
    const offset = row * dims;
    let [s0, s1, s2, s3, s4, s5, s6, s7] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let j = 0; j < whole; j += 8) {
      const at = offset + j;
      s0 += (q[j] as number) * (values[at] as number);
      s1 += (q[j + 1] as number) * (values[at + 1] as number);
      s2 += (q[j + 2] as number) * (values[at + 2] as number);
      s3 += (q[j + 3] as number) * (values[at + 3] as number);
      s4 += (q[j + 4] as number) * (values[at + 4] as number);
      s5 += (q[j + 5] as number) * (values[at + 5] as number);
      s6 += (q[j + 6] as number) * (values[at + 6] as number);
      s7 += (q[j + 7] as number) * (values[at + 7] as number);
    }
    const rest = dims - whole;
    const at = offset + whole;
    if (rest > 0) s0 += (q[whole] as number) * (values[at] as number);
    if (rest > 1) s1 += (q[whole + 1] as number) * (values[at + 1] as number);
    if (rest > 2) s2 += (q[whole + 2] as number) * (values[at + 2] as number);
    if (rest > 3) s3 += (q[whole + 3] as number) * (values[at + 3] as number);
    if (rest > 4) s4 += (q[whole + 4] as number) * (values[at + 4] as number);
    if (rest > 5) s5 += (q[whole + 5] as number) * (values[at + 5] as number);
    if (rest > 6) s6 += (q[whole + 6] as number) * (values[at + 6] as number);
    scores[row] = (s0 + s4 + (s2 + s6) + (s1 + s5 + (s3 + s7))) * (scales[row] as number);
  }
  return scores;
}

/**
 * The `settings.depth` chunks of greatest cosine; of two alike the one of lower ordinal.
 *
 * @param allowed ordinals that a filter lets through; null for all
 * @throws ShapeError as `cosines`
 */
export function dense(
  vectors: Vectors,
  question: Float32Array,
  settings: DenseSettings,
  id: (ordinal: number) => string,
  allowed: ReadonlySet<number> | null = null,
): DenseHit[] {
  const scores = cosines(vectors, question);
  return best(scores, settings.depth, allowed).map((ordinal, place) => ({
    ordinal,
    id: id(ordinal),
    rank: place + 1,
    score: scores[ordinal] as number,
  }));
}

/** Positions of the `count` greatest scores, in order; sorting all of them would take longer than scoring. */
function best(scores: Float64Array, count: number, allowed: ReadonlySet<number> | null): number[] {
  const kept: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let ordinal = 0; ordinal < scores.length; ordinal += 1) {
    if (allowed && !allowed.has(ordinal)) continue;
    const score = scores[ordinal] as number;
    if (kept.length === count && score <= least) continue;
    let place = kept.length;
    while (place > 0 && (scores[kept[place - 1] as number] as number) < score) place -= 1;
    kept.splice(place, 0, ordinal);
    if (kept.length > count) kept.pop();
    least = scores[kept.at(-1) as number] as number;
  }
  return kept;
}
