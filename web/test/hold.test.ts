import { describe, expect, it } from "vitest";
import { FileFormatError } from "../src/errors";
import { Catalogue } from "../src/index/catalogue";
import { readVectors, shardsFor } from "../src/index/hold";

const shards = [
  { first: "1.0.21", last: "batch", file: "0" },
  { first: "bias", last: "gradient", file: "1" },
  { first: "gradients", last: "zero_grad", file: "2" },
  { first: "é", last: "数据", file: "3" },
];
const names = (terms: string[], prefix = "") => shardsFor(shards, terms, prefix).map(({ file }) => file);

describe("the shards that a question needs", () => {
  it("are those whose range its terms fall in", () => {
    expect(names(["adam", "zero"])).toEqual(["0", "2"]);
    expect(names(["数"])).toEqual(["3"]);
  });

  it("are none for a term that falls between two ranges", () => {
    expect(names(["beta"])).toEqual([]);
  });

  it("are all that a word being typed may go on into", () => {
    expect(names([], "gradient")).toEqual(["1", "2"]);
    expect(names([], "b")).toEqual(["0", "1"]);
    expect(names([], "beta")).toEqual([]);
    expect(names([], "zz")).toEqual([]);
  });
});

describe("vectors", () => {
  it("are scales, then rows", () => {
    const bytes = new Uint8Array(2 * (4 + 3));
    new Float32Array(bytes.buffer, 0, 2).set([0.5, 0.25]);
    new Int8Array(bytes.buffer, 8).set([1, -2, 127, -127, 0, 3]);
    const vectors = readVectors({ path: "v", bytes: 14, sha256: "" }, bytes, 2, 3);
    expect([...vectors.scales]).toEqual([0.5, 0.25]);
    expect([...vectors.values]).toEqual([1, -2, 127, -127, 0, 3]);
  });

  it("of another number than the manifest says are refused", () => {
    expect(() => readVectors({ path: "v", bytes: 9, sha256: "" }, new Uint8Array(9), 2, 3)).toThrow(FileFormatError);
  });
});

describe("the catalogue", () => {
  const undated = { notes_updated: null, slides_updated: null };
  const trees = "lectures/l09/slides.html";
  const groups = "../guide/groups.html";
  const catalogue = new Catalogue({
    lectures: [
      {
        id: "l08-x",
        number: 8,
        title: "Groups",
        week: 4,
        tags: ["leaks"],
        release: null,
        notes: groups,
        slides: null,
        ...undated,
      },
      {
        id: "l09",
        number: 9,
        title: "Trees",
        week: null,
        tags: [],
        release: null,
        notes: null,
        slides: trees,
        ...undated,
      },
    ],
    headings: ["Groups", "Leaks", "Trees"],
    chunks: {
      lecture: [0, 1],
      kind: [0, 1],
      path: [[0, 1], [2]],
      anchor: ["leaks", "2"],
      part: [1, 1],
      parts: [2, 1],
    },
  });

  it("gives a chunk with its headings and address", () => {
    expect(catalogue.chunk(0)).toEqual({
      id: "l08-x/notes#leaks",
      lecture: "l08-x",
      lectureNumber: 8,
      kind: "notes",
      path: ["Groups", "Leaks"],
      anchor: "leaks",
      part: 1,
      parts: 2,
      url: "../guide/groups.html#leaks",
      week: 4,
      tags: ["leaks"],
    });
    expect(catalogue.chunk(1).url).toBe("lectures/l09/slides.html#2");
  });

  it("has no chunk past its end", () => {
    expect(() => catalogue.chunk(2)).toThrow(RangeError);
  });
});
