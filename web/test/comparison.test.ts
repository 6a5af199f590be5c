import { describe, expect, it } from "vitest";
import { compare } from "../src/comparison";
import { FileFormatError } from "../src/errors";
import { TokenVectorsDirectory } from "../src/index/token_vectors";
import { unitRows } from "../src/retrieval/late_interaction";

const half = (digit: string): string => digit.repeat(32);
const listed = { path: "index/token-vectors-0.json", bytes: 1, sha256: half("0").repeat(2) };

describe("the directory of token vectors", () => {
  const file = {
    bits: 16,
    rows: [3, 0, 2, 5],
    first: [0, 3],
    sha256: btoa("\xaa".repeat(16) + "\xbb".repeat(16)),
    pieces: { gaps: [5, 1, 100], chunks: [4, 1, 2] },
  };
  const directory = new TokenVectorsDirectory(listed, file, 4);

  it("says in which bytes of which shard a chunk's rows are", () => {
    const shard = { path: "index/token-vectors-aaaaaaaaaaaa.bin", bytes: 10, sha256: half("a") };
    expect(directory.place(0)).toEqual({ file: shard, start: 0, end: 6 });
    expect(directory.place(1)).toEqual({ file: shard, start: 6, end: 6 });
    expect(directory.place(2)).toEqual({ file: shard, start: 6, end: 10 });
    expect(directory.place(3)).toMatchObject({ file: { bytes: 10, sha256: half("b") }, start: 0, end: 10 });
  });

  it("counts in how many chunks a piece stands", () => {
    expect([...directory.weights.counts]).toEqual([
      [5, 4],
      [6, 1],
      [106, 2],
    ]);
    expect(directory.weights.chunks).toBe(4);
  });

  it("of another index is refused", () => {
    expect(() => new TokenVectorsDirectory(listed, file, 5)).toThrow(FileFormatError);
    expect(() => new TokenVectorsDirectory(listed, { ...file, first: [1, 3] }, 4)).toThrow(FileFormatError);
    // A hash that is cut would be any file's.
    const cut = btoa("\xaa".repeat(16) + "\xbb".repeat(5));
    expect(() => new TokenVectorsDirectory(listed, { ...file, sha256: cut }, 4)).toThrow(FileFormatError);
  });
});

describe("the comparison of a question and a chunk", () => {
  const dims = 128;
  const vectors = unitRows(
    Float32Array.from({ length: 2 * dims }, (_, i) => Math.sin(i * i)),
    dims,
  );
  const question = { ids: [7, 8], pieces: ["why", "split"], vectors, dims };
  const held = { bits: 64, signs: [], weights: { chunks: 10, counts: new Map([[7, 9]]) } };
  const signs = Uint8Array.from({ length: 3 * 8 }, (_, i) => (i * 37) % 256);
  const words = (text: string): string[] => text.split(/\s+/);

  it("names the pieces of what was embedded, headings and text or text alone", () => {
    expect(compare(4, question, held, signs, ["Trees"], "a split", words).passage).toEqual(["Trees", "a", "split"]);
    expect(compare(4, question, held, signs, ["Trees"], "a good split", words).passage).toEqual(["a", "good", "split"]);
  });

  it("dots the greatest of each row", () => {
    const { matches, best, places, weights } = compare(4, question, held, signs, ["Trees"], "a split", words);
    for (const row of [0, 1]) {
      const own = [...matches.subarray(row * 3, row * 3 + 3)];
      expect(best[row]).toBe(Math.max(...own));
      expect(own.indexOf(best[row] as number)).toBe(places[row]);
    }
    expect(weights[1]).toBeGreaterThan(weights[0] as number);
  });

  it("does not label rows with pieces that they do not stand for", () => {
    expect(() => compare(4, question, held, signs, ["Trees"], "one", words)).toThrow("3 word pieces");
  });
});
