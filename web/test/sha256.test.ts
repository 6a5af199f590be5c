import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digest, hex, sha256 } from "../src/download/sha256";

const lengths = [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 100_003];

describe("the SHA-256 for pages without crypto.subtle", () => {
  it.each(lengths)("gives what the system gives for %i bytes", (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 5)) & 255);
    expect(hex(digest(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it("reads a view that does not begin at its buffer's beginning", () => {
    const bytes = new Uint8Array(200).map((_, i) => i).subarray(13, 150);
    expect(hex(digest(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});

describe("sha256", () => {
  it("takes the browser's own where there is one", async () => {
    expect(await sha256(new TextEncoder().encode("abc"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
