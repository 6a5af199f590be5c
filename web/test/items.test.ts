import { describe, expect, it } from "vitest";
import { Catalogue } from "../src/index/catalogue";
import type { Manifest } from "../src/index/schema";
import { listOf } from "../src/page/items";
import { INITIAL, type State, typing } from "../src/page/state";
import type { KeywordHit } from "../src/retrieval/trace";

const lecture = (number: number, title: string) => ({
  id: `l0${number}`,
  number,
  title,
  week: null,
  tags: [],
  release: null,
  notes: `l0${number}.html`,
  slides: null,
  notes_updated: null,
  slides_updated: null,
});

const catalogue = new Catalogue({
  lectures: [lecture(1, "Bread"), lecture(2, "Tea")],
  headings: ["Bread", "Tea", "Dough", "Yeast", "Steeping"],
  // Two parts of one section, another section of the same lecture, one of the other.
  chunks: {
    lecture: [0, 0, 0, 1],
    kind: [0, 0, 0, 0],
    path: [
      [0, 2],
      [0, 2],
      [0, 3],
      [1, 4],
    ],
    anchor: ["dough", "dough", "yeast", "steeping"],
    part: [1, 2, 1, 1],
    parts: [2, 2, 1, 1],
  },
});

function found(...ordinals: number[]): State {
  const hits = ordinals.map((ordinal) => ({ id: `chunk ${ordinal}`, ordinal }) as KeywordHit);
  const index = { manifest: {} as Manifest, catalogue, encoderBytes: null, encoderKept: false, crossBytes: null };
  const open: State = { ...INITIAL, index: { ...index, crossKept: false } };
  return { ...typing(open, 1, "water"), typed: { hits, texts: [], ms: 1 } };
}

describe("what is found by keyword", () => {
  it("stands lecture by lecture, the lecture of the best first, each named once", () => {
    const items = listOf(found(3, 2, 0))?.items.map(({ group, place }) => [group, place.title]);
    expect(items).toEqual([
      ["Lecture 2 · Tea", "Steeping"],
      ["Lecture 1 · Bread", "Yeast"],
      ["", "Dough"],
    ]);
    expect(listOf(found(2, 3, 0))?.items.map(({ place }) => place.title)).toEqual(["Yeast", "Dough", "Steeping"]);
  });

  it("shows a section once, by the part that matched best, and says no more than the lecture above it does not", () => {
    const list = listOf(found(1, 0, 2));
    expect(list?.items.map(({ key }) => key)).toEqual(["chunk 1", "chunk 2"]);
    expect(list?.items[0]?.place).toMatchObject({ title: "Dough", part: "part 2 of 2", lecture: "", above: [] });
    expect(list?.count).toContain("2 of 3");
  });
});
