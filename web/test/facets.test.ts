import { describe, expect, it } from "vitest";
import type { CatalogueFile, LectureEntry } from "../src/index/schema";
import { facetsOf, partInWords } from "../src/page/facets";

const lecture = (number: number, week: number | null, tags: string[]): LectureEntry => ({
  id: `l0${number}`,
  number,
  title: `Title ${number}`,
  week,
  tags,
  release: null,
  notes: null,
  slides: null,
  notes_updated: null,
  slides_updated: null,
});
const catalogue = (lectures: LectureEntry[], of: number[], kind: (0 | 1)[]): CatalogueFile => ({
  lectures,
  headings: [],
  chunks: { lecture: of, kind, path: [], anchor: [], part: [], parts: [] },
});

describe("what a course can be filtered by", () => {
  const course = catalogue(
    [lecture(1, 1, ["all", "b"]), lecture(2, 2, ["all", "a"]), lecture(3, 9, ["c"])],
    [0, 0, 1],
    [0, 1, 0],
  );

  it("is what has passages, and tells lectures apart", () => {
    expect(facetsOf(course)).toEqual({
      lectures: [
        { id: "l01", name: "1 · Title 1" },
        { id: "l02", name: "2 · Title 2" },
      ],
      weeks: [1, 2],
      kinds: ["notes", "slides"],
      tags: ["a", "b"],
    });
  });

  it("is nothing in a course of one lecture without slides", () => {
    const one = catalogue([lecture(1, 1, ["a"])], [0], [0]);
    expect(facetsOf(one)).toEqual({ lectures: [], weeks: [], kinds: [], tags: [] });
  });

  it("is said in words, whatever of it the course has", () => {
    const filter = { lecture: "l02", week: 2, kind: "slides", tags: ["a"] } as const;
    expect(partInWords(filter, course)).toBe("2 · Title 2, Week 2, Slides, a");
    expect(partInWords({ ...filter, lecture: "gone" }, course)).toBe("gone, Week 2, Slides, a");
  });
});
