/**
 * The directory of token vectors: which shard holds a chunk's rows, and where in it.
 *
 * The manifest lists the directory with its hash, the directory the shards with half of theirs, so a shard is checked like any
 * other file, and a question fetches only those of its candidates.
 */

import type { ListedFile } from "../download/file";
import { hex } from "../download/sha256";
import { FileFormatError } from "../errors";
import type { PieceWeights } from "../retrieval/late_interaction";
import type { TokenVectorsFile } from "./schema";

/** A chunk's rows: bytes `start` to `end` of a file. */
export interface Place {
  readonly file: ListedFile;
  readonly start: number;
  readonly end: number;
}

export class TokenVectorsDirectory {
  readonly bits: number;
  readonly weights: PieceWeights;
  readonly #file: TokenVectorsFile;
  readonly #folder: string;
  /** Of each shard the first half of its SHA-256, in hex. */
  readonly #digests: readonly string[];
  /** Offset of each chunk's rows if all shards stood one after the other, in bytes; one more than chunks. */
  readonly #offsets: Float64Array;

  /**
   * @param listed the directory's own entry in the manifest
   * @param file what it holds
   * @param chunks how many the index has
   * @throws FileFormatError when it is of another index
   */
  constructor(listed: ListedFile, file: TokenVectorsFile, chunks: number) {
    const { rows, first, sha256, pieces, bits } = file;
    if (rows.length !== chunks) throw new FileFormatError(listed.path, `is of ${rows.length} chunks, not ${chunks}`);
    this.#digests = digestsOf(sha256);
    const whole = this.#digests.every(({ length }) => length === 2 * DIGEST);
    if (!whole || first.length !== this.#digests.length || (chunks > 0 && first[0] !== 0) || bits % 8 !== 0)
      throw new FileFormatError(listed.path, "does not list the shards of every chunk");
    this.bits = bits;
    this.#file = file;
    this.#folder = listed.path.slice(0, listed.path.lastIndexOf("/") + 1);
    this.#offsets = new Float64Array(chunks + 1);
    for (const [i, count] of rows.entries()) this.#offsets[i + 1] = (this.#offsets[i] as number) + count * (bits / 8);
    const counts = new Map<number, number>();
    let id = 0;
    for (const [i, gap] of pieces.gaps.entries()) {
      id += gap;
      counts.set(id, pieces.chunks[i] ?? 0);
    }
    this.weights = { chunks, counts };
  }

  /** Where a chunk's rows are. */
  place(ordinal: number): Place {
    const { first } = this.#file;
    const shard = first.findLastIndex((begin) => begin <= ordinal);
    const digest = this.#digests[shard];
    if (digest === undefined) throw new RangeError(`there is no chunk ${ordinal}`);
    const at = (chunk: number): number => this.#offsets[chunk] as number;
    const begin = at(first[shard] as number);
    const end = at(first[shard + 1] ?? this.#offsets.length - 1);
    return {
      file: { path: `${this.#folder}token-vectors-${digest.slice(0, 12)}.bin`, bytes: end - begin, sha256: digest },
      start: at(ordinal) - begin,
      end: at(ordinal + 1) - begin,
    };
  }
}

/** Bytes kept of a shard's hash. */
const DIGEST = 16;

function digestsOf(base64: string): string[] {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const digits = hex(bytes);
  return Array.from({ length: Math.ceil(bytes.length / DIGEST) }, (_, place) =>
    digits.slice(place * 2 * DIGEST, (place + 1) * 2 * DIGEST),
  );
}
