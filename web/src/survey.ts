/** All chunks as seen from a question: a chunk of the worker of its own, loaded when a block that draws it is opened. */

import { type Plane, project } from "./index/plane";
import type { Survey } from "./protocol";
import { cosines, type Vectors } from "./retrieval/dense";

/** @param question the vector; null for the chunks alone */
export function survey(plane: Plane, vectors: Vectors | null, question: Float32Array | null): Survey {
  const { points, variance } = plane;
  if (!vectors || !question) return { points, variance, question: null };
  return {
    points,
    variance,
    question: {
      point: project(plane, question),
      cosines: cosines(vectors, question),
      errors: errorBounds(vectors, question),
    },
  };
}

/**
 * How far a cosine can be from the one of the vectors before they were rounded: each component is off by at most half
 * of its vector's scale, so the sum is by at most half the scale times the sum of the question's magnitudes.
 */
export function errorBounds({ scales }: Vectors, question: Float32Array): Float64Array {
  let magnitudes = 0;
  for (const value of question) magnitudes += Math.abs(value);
  return Float64Array.from(scales, (scale) => (scale / 2) * magnitudes);
}
