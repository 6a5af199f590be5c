import { describe, expect, it } from "vitest";
import { Catalogue } from "../src/index/catalogue";
import { placeOf } from "../src/page/place";

describe("where a passage stands", () => {
  const catalogue = new Catalogue({
    lectures: [
      {
        id: "l01",
        number: 1,
        title: "Bread",
        week: 1,
        tags: [],
        release: null,
        notes: "lectures/l01/notes.html",
        slides: "lectures/l01/slides.html",
        notes_updated: "2026-11-12",
        slides_updated: null,
      },
    ],
    headings: ["Bread", "Dough"],
    chunks: { lecture: [0, 0], kind: [0, 1], path: [[0, 1], [0]], anchor: ["dough", "1"], part: [1, 1], parts: [1, 1] },
  });

  it("says when its source was last changed, where that is known", () => {
    expect(placeOf(catalogue, [0])).toMatchObject({ title: "Dough", updated: "updated Nov 12, 2026" });
    expect(placeOf(catalogue, [1]).updated).toBe("");
  });
});
