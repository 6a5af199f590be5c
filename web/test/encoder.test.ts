import { describe, expect, it } from "vitest";
import { cut } from "../src/encoder/cut";
import { cosine, floatsFromBase64 } from "../src/encoder/vector";

describe("a question longer than the encoder reads", () => {
  it("keeps its closing special token", () => {
    expect(cut([101, 1, 2, 3, 4, 102], 4)).toEqual([101, 1, 2, 102]);
  });

  it("of just the right length stays as it is", () => {
    expect(cut([101, 1, 2, 102], 4)).toEqual([101, 1, 2, 102]);
  });
});

describe("vectors of the manifest", () => {
  it("are little-endian float32 in base64", () => {
    expect([...floatsFromBase64("AACAPwAAAMA=")]).toEqual([1, -2]);
  });

  it("are compared by their angle", () => {
    expect(cosine([1, 0], [2, 0])).toBe(1);
    expect(cosine([1, 0], [0, 5])).toBe(0);
    expect(cosine([1, 0], [-1, 0])).toBe(-1);
    expect(cosine([0, 0], [1, 0])).toBe(0);
  });
});
