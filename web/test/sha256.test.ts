import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Md5 } from "../src/download/md5";
import { digest, hex, Sha256, sha256 } from "../src/download/sha256";

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

describe("a hash taken piece by piece", () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) & 255);
  it.each([[[0, 1000]], [[0, 1, 64, 65, 127, 128, 1000]], [[0, 63, 63, 64, 200, 936, 1000]]])(
    "is that of the whole, cut at %j",
    (cuts) => {
      const [sha, md5] = [new Sha256(), new Md5()];
      cuts.slice(1).forEach((end, i) => {
        sha.update(bytes.subarray(cuts[i], end));
        md5.update(bytes.subarray(cuts[i], end));
      });
      expect(hex(sha.digest())).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(hex(md5.digest())).toBe(createHash("md5").update(bytes).digest("hex"));
    },
  );

  it.each(lengths)("gives the system's MD5 for %i bytes", (length) => {
    const some = Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 5)) & 255);
    expect(hex(new Md5().update(some).digest())).toBe(createHash("md5").update(some).digest("hex"));
  });
});
