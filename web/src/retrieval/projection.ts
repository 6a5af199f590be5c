/**
 * A fixed projection of token vectors before their signs are kept: a randomised Hadamard transform, subsampled.
 *
 * `build/openbook/index/projection.py` says what it is and why; the operations here are the same in the same order,
 * so the numbers are the same to the last bit, and the tab needs no matrix.
 */

const SEED = 20_240_229;
const BLOCK = 128;
const ROUNDS = 3;

/** Marsaglia's generator (2003), shifts 13, 17, 5. */
export class XorShift32 {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next integer, 1 … 2³² − 1. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  /** The integers below `count` in an order of the generator's (Fisher and Yates, from the end). */
  shuffled(count: number): Uint16Array {
    const order = Uint16Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i -= 1) {
      const j = this.next() % (i + 1);
      const kept = order[i] as number;
      order[i] = order[j] as number;
      order[j] = kept;
    }
    return order;
  }
}

export class Projection {
  readonly dims: number;
  readonly bits: number;
  /** The next multiple of the block's size from `dims`. */
  readonly width: number;
  /** What the transform multiplies lengths by, before directions are dropped. */
  readonly gain = Math.sqrt(BLOCK ** ROUNDS);
  readonly #signs: Int8Array[] = [];
  readonly #orders: Uint16Array[] = [];

  constructor(dims: number, bits: number) {
    this.dims = dims;
    this.bits = bits;
    this.width = Math.ceil(dims / BLOCK) * BLOCK;
    const generator = new XorShift32(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      this.#signs.push(Int8Array.from({ length: this.width }, () => (generator.next() >>> 31 === 0 ? 1 : -1)));
      this.#orders.push(generator.shuffled(this.width));
    }
  }

  /** `bits` components, times `gain`, of the vector that starts at `offset` of `vectors`. */
  apply(vectors: Float32Array, offset: number): Float64Array {
    let state = new Float64Array(this.width);
    for (let i = 0; i < this.dims; i += 1) state[i] = vectors[offset + i] as number;
    for (let round = 0; round < ROUNDS; round += 1) {
      const signs = this.#signs[round] as Int8Array;
      const order = this.#orders[round] as Uint16Array;
      for (let i = 0; i < this.width; i += 1) state[i] = (state[i] as number) * (signs[i] as number);
      for (let half = 1; half < BLOCK; half *= 2) {
        for (let start = 0; start < this.width; start += 2 * half) {
          for (let i = start; i < start + half; i += 1) {
            const a = state[i] as number;
            const b = state[i + half] as number;
            state[i] = a + b;
            state[i + half] = a - b;
          }
        }
      }
      const next = new Float64Array(this.width);
      for (let i = 0; i < this.width; i += 1) next[i] = state[order[i] as number] as number;
      state = next;
    }
    return state.subarray(0, this.bits);
  }
}

const made = new Map<string, Projection>();

/** The projection for these sizes; made once. */
export function projection(dims: number, bits: number): Projection {
  const key = `${dims}/${bits}`;
  let found = made.get(key);
  if (!found) {
    found = new Projection(dims, bits);
    made.set(key, found);
  }
  return found;
}
