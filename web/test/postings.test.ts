import { describe, expect, it } from "vitest";
import { type PackedEntry, unpackTerms } from "../src/index/postings";

describe("unpackTerms", () => {
  it("reads gaps and frequencies", () => {
    expect(
      unpackTerms([
        ["loss", "0 1*3", "7*2"],
        ["x", "", "0 0"],
        ["__proto__", "", "3"],
      ]),
    ).toEqual([
      ["loss", { 0: { 0: 1, 2: 3 }, 1: { 7: 2 } }],
      ["x", { 1: { 0: 1, 1: 1 } }],
      ["__proto__", { 1: { 3: 1 } }],
    ]);
  });

  it.each([[{}], [[["loss", "", "two"]]], [[["loss", "", "1*x"]]], [[[7, "", "1"]]]])("refuses %j", (file) => {
    expect(() => unpackTerms(file as unknown as PackedEntry[])).toThrow(TypeError);
  });
});
