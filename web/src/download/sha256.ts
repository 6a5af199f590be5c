/**
 * SHA-256 of bytes, as lower-case hex.
 *
 * The browser's own (`crypto.subtle`) exists only on https and localhost. A course opened over plain http from a
 * machine in the lecture hall would otherwise have to trust its files unchecked, so there is a second implementation
 * (FIPS 180-4, section 6.2), about a tenth as fast. It also takes a file piece by piece, which the browser's own cannot.
 */

import { BlockHash } from "./block_hash";

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  return hex(subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : digest(bytes));
}

export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** The digest in JavaScript: 32 bytes. */
export function digest(bytes: Uint8Array): Uint8Array {
  return new Sha256().update(bytes).digest();
}

/** The same, piece by piece, for a file that is never in memory whole. */
export class Sha256 extends BlockHash {
  protected override readonly littleEndian = false;
  protected override readonly state = new Uint32Array(tables().initial);
  readonly #schedule = new Uint32Array(64);

  protected override compress(view: DataView, offset: number): void {
    compress(this.state, this.#schedule, tables().constants, view, offset);
  }
}

function compress(
  state: Uint32Array,
  schedule: Uint32Array,
  constants: Uint32Array,
  view: DataView,
  offset: number,
): void {
  const at = (array: Uint32Array, index: number): number => array[index] as number;
  for (let t = 0; t < 16; t++) schedule[t] = view.getUint32(offset + t * 4);
  for (let t = 16; t < 64; t++) {
    const x = at(schedule, t - 15);
    const y = at(schedule, t - 2);
    const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    schedule[t] = (at(schedule, t - 16) + small0 + at(schedule, t - 7) + small1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + at(constants, t) + at(schedule, t)) | 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (at(state, index) + word) | 0;
  });
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

let cached: { initial: Uint32Array; constants: Uint32Array } | undefined;

/** The first 32 bits of the fractional parts of the square and cube roots of the first primes. */
function tables(): { initial: Uint32Array; constants: Uint32Array } {
  if (cached) return cached;
  const initial = new Uint32Array(8);
  const constants = new Uint32Array(64);
  let count = 0;
  for (let candidate = 2; count < 64; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) prime = false;
    }
    if (!prime) continue;
    if (count < 8) initial[count] = fraction(candidate ** (1 / 2));
    constants[count] = fraction(candidate ** (1 / 3));
    count++;
  }
  cached = { initial, constants };
  return cached;
}

function fraction(value: number): number {
  return ((value - Math.floor(value)) * 0x100000000) >>> 0;
}
