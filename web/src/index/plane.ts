/** The plane that the chunks are drawn on, and where a question falls on it; mirrors `build/openbook/index/plane.py`. */

import { FileFormatError } from "../errors";
import type { PlaneFile } from "./schema";

export interface Plane {
  readonly variance: readonly [number, number];
  readonly mean: Float32Array;
  /** [2 × dims] */
  readonly components: Float32Array;
  /** [chunks × 2] */
  readonly points: Float32Array;
}

/** @throws FileFormatError when an array has another length than so many chunks need */
export function readPlane(path: string, file: PlaneFile, chunks: number): Plane {
  const array = (name: "mean" | "components" | "points", length: number): Float32Array => {
    const found = floats(file[name]);
    if (found.length !== length) throw new FileFormatError(path, `${name} has ${found.length} numbers, not ${length}`);
    return found;
  };
  return {
    variance: file.variance,
    mean: array("mean", file.dims),
    components: array("components", 2 * file.dims),
    points: array("points", 2 * chunks),
  };
}

/** `(vector − mean) · component`, for both axes. */
export function project({ mean, components }: Plane, vector: Float32Array): [number, number] {
  const point: [number, number] = [0, 0];
  for (let i = 0; i < mean.length; i++) {
    const value = (vector[i] ?? 0) - (mean[i] ?? 0);
    point[0] += value * (components[i] ?? 0);
    point[1] += value * (components[mean.length + i] ?? 0);
  }
  return point;
}

function floats(base64: string): Float32Array {
  const text = atob(base64);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}
