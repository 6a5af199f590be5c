/** Dense search: exact cosine of a float32 question against int8 chunks. */

import type { DenseHit, DenseSettings } from "./trace";

/** Row i stands for `scales[i] * values[i * dims … (i + 1) * dims]`, a unit vector but for rounding. */
export interface Vectors {
  readonly dims: number;
  readonly scales: Float32Array;
  readonly values: Int8Array;
}

/** The `settings.depth` chunks of greatest cosine; of two alike the one of lower ordinal. */
export function dense(
  vectors: Vectors,
  question: Float32Array,
  settings: DenseSettings,
  id: (ordinal: number) => string,
): DenseHit[] {
  throw new Error(`not built yet: ${vectors} ${question} ${settings} ${id}`);
}
