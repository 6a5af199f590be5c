/**
 * MD5 of bytes (RFC 1321).
 *
 * Not for trust: a hub that lists its weights by MD5 can be held to its own list, which finds a broken transfer and no
 * more. The browser has none of its own.
 */

import { BlockHash } from "./block_hash";

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Uint32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 0x100000000));

export class Md5 extends BlockHash {
  protected override readonly littleEndian = true;
  protected override readonly state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);

  protected override compress(view: DataView, offset: number): void {
    let [a, b, c, d] = this.state as unknown as [number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      let mixed: number;
      let word: number;
      if (round === 0) [mixed, word] = [(b & c) | (~b & d), i];
      else if (round === 1) [mixed, word] = [(d & b) | (~d & c), (5 * i + 1) % 16];
      else if (round === 2) [mixed, word] = [b ^ c ^ d, (3 * i + 5) % 16];
      else [mixed, word] = [c ^ (b | ~d), (7 * i) % 16];
      const sum = (a + mixed + (SINES[i] as number) + view.getUint32(offset + word * 4, true)) | 0;
      const shift = SHIFTS[round * 4 + (i % 4)] as number;
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    [a, b, c, d].forEach((word, index) => {
      this.state[index] = ((this.state[index] as number) + word) | 0;
    });
  }
}
