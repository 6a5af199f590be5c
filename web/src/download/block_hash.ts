/** What SHA-256 and MD5 share: blocks of 64 bytes, and how the last of them is filled (Merkle and Damgård). */

export abstract class BlockHash {
  /** What has not filled a block yet. */
  readonly #rest = new Uint8Array(64);
  #length = 0;

  update(bytes: Uint8Array): this {
    const held = this.#length % 64;
    this.#length += bytes.length;
    let from = 0;
    if (held > 0) {
      from = Math.min(64 - held, bytes.length);
      this.#rest.set(bytes.subarray(0, from), held);
      if (held + from < 64) return this;
      this.#blocks(this.#rest);
    }
    const whole = from + Math.floor((bytes.length - from) / 64) * 64;
    this.#blocks(bytes.subarray(from, whole));
    this.#rest.set(bytes.subarray(whole));
    return this;
  }

  /** The hash; nothing can be added behind. */
  digest(): Uint8Array {
    // The rest, a 1 bit, zeros, and the length in bits as a 64-bit number, in one or two last blocks.
    const rest = this.#length % 64;
    const tail = new Uint8Array(rest < 56 ? 64 : 128);
    tail.set(this.#rest.subarray(0, rest));
    tail[rest] = 0x80;
    const end = new DataView(tail.buffer);
    const [high, low] = [Math.floor(this.#length / 0x20000000), (this.#length << 3) >>> 0];
    end.setUint32(tail.length - 8, this.littleEndian ? low : high, this.littleEndian);
    end.setUint32(tail.length - 4, this.littleEndian ? high : low, this.littleEndian);
    this.#blocks(tail);
    const out = new DataView(new ArrayBuffer(this.state.length * 4));
    this.state.forEach((word, index) => {
      out.setUint32(index * 4, word, this.littleEndian);
    });
    return new Uint8Array(out.buffer);
  }

  protected abstract readonly littleEndian: boolean;
  protected abstract readonly state: Uint32Array;
  protected abstract compress(view: DataView, offset: number): void;

  #blocks(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let offset = 0; offset < bytes.length; offset += 64) this.compress(view, offset);
  }
}
