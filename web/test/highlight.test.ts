import { describe, expect, it } from "vitest";
import { excerptOf, marksOf, runsOf, verbatimOf } from "../src/highlight";
import { tokenize } from "../src/retrieval/tokens";

/** The text with what is marked in brackets. */
function marked(text: string, terms: string[], prefix = ""): string {
  const marks = marksOf(text, { terms: new Set(terms), prefix }, tokenize);
  return runsOf(text, marks)
    .map((run) => (run.marked ? `[${run.text}]` : run.text))
    .join("");
}

describe("the marks in a passage", () => {
  it.each([
    ["Call optimizer.zero_grad() first.", ["zero_grad"], "Call optimizer.[zero_grad]() first."],
    ["Zero the GRADIENTS, not the grade", ["gradient"], "Zero the [GRADIENTS], not the grade"],
    ["naïve Bayes", ["naive"], "[naïve] Bayes"],
    ["C++ is not C", ["c++"], "[C++] is not C"],
    ["np.argmax(x)", ["argmax"], "np.[argmax](x)"],
    ["泛化误差很大", ["误差"], "泛化[误差]很大"],
    ["nothing here", ["else"], "nothing here"],
  ])("%s", (text, terms, expected) => {
    expect(marked(text, terms)).toBe(expected);
  });

  it("show the beginning of a word that is being typed", () => {
    expect(marked("a learning rate", [], "lea")).toBe("a [learning] rate");
    expect(marked("a learning rate", [], "l")).toBe("a learning rate");
  });

  it("lose and double nothing, whatever is cut out", () => {
    const text = "one two three two one";
    const marks = marksOf(text, { terms: new Set(["two"]), prefix: "" }, tokenize);
    for (let start = 0; start <= text.length; start++) {
      for (let end = start; end <= text.length; end++) {
        const runs = runsOf(text, marks, start, end);
        expect(runs.map((run) => run.text).join("")).toBe(text.slice(start, end));
      }
    }
  });
});

describe("an excerpt", () => {
  const filler = "Some words that do not matter here. ".repeat(20);
  const text = `${filler}The split leaks the future. ${filler}`;
  const marks = marksOf(text, { terms: new Set(["split", "leak"]), prefix: "" }, tokenize);

  it("is the whole of a short text", () => {
    expect(excerptOf("short", [], 300)).toEqual([0, 5]);
  });

  it("is the beginning where nothing is marked", () => {
    expect(excerptOf(text, [], 300)[0]).toBe(0);
  });

  it("shows the words that matched, from the beginning of a sentence", () => {
    const [start, end] = excerptOf(text, marks, 300);
    expect(text.slice(start, end)).toContain("split leaks");
    expect(text.slice(start, end)).toMatch(/^(Some|The) /);
    expect(end - start).toBeLessThanOrEqual(300);
  });

  it("prefers a stretch with more different words over an earlier one", () => {
    const twice = `A split. ${filler} The split leaks. ${filler}`;
    const both = marksOf(twice, { terms: new Set(["split", "leak"]), prefix: "" }, tokenize);
    const [start, end] = excerptOf(twice, both, 200);
    expect(twice.slice(start, end)).toContain("split leaks");
  });
});

describe("code, tables and formulas in a passage", () => {
  const first = { text: "Before.\n\nx = 1\n\ny = 2\n\nAfter.", verbatim: [[2, 4, "code"]] as const };
  const second = { text: "After.\n\na | b\n\nEnd.", verbatim: [[2, 2, "table"]] as const };

  it("are found in the text that the parts were joined to", () => {
    const text = "Before.\n\nx = 1\n\ny = 2\n\nAfter.\n\na | b\n\nEnd.";
    const found = verbatimOf(text, [first, second]).map(([start, end]) => text.slice(start, end));
    expect(found).toEqual(["x = 1\n\ny = 2", "a | b"]);
  });

  it("are none where there are none", () => {
    expect(verbatimOf("Only prose.", [{ text: "Only prose." }])).toEqual([]);
  });
});
