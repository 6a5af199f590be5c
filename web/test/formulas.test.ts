// What they are set as is looked at in a browser: tests/browser/test_anywhere.py.
import { describe, expect, it } from "vitest";
import { Formulas } from "../src/page/formulas";

const FOUND: [string, string[], string[]][] = [
  ["with (1-1/n)^n \\approx e^{-1}, so", ["(1-1/n)^n \\approx e^{-1}"], ["(1-1/n)^n \\approx e^{-1}"]],
  ["a rule \\eta_t for \\eta", ["\\eta", "\\eta_t"], ["\\eta_t", "\\eta"]],
  ["\\eta\\lambda is not \\etable", ["\\eta"], ["\\eta"]],
  ["x_i, not x_ij, max_i or 2x_i", ["x_i"], ["x_i"]],
  ["e^{-1} and -1-2/3 |a|", ["e^{-1}", "a/b", "|a|_1-[x]"], ["e^{-1}"]],
  ["nothing here", ["\\eta"], []],
];

describe("formulas in prose", () => {
  it.each(FOUND)("%s", (text, known, expected) => {
    const formulas = new Formulas({ formulas: known.map((tex) => [tex, ["math", {}, tex]]) });
    const found = formulas.within(text, 0, text.length);
    expect(found.map(([start, end]) => text.slice(start, end))).toEqual(expected);
  });

  it("are none in a course without them", () => {
    expect(new Formulas({ formulas: [] }).within("\\eta", 0, 4)).toEqual([]);
  });
});
