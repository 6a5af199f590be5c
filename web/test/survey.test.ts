import { describe, expect, it } from "vitest";
import { errorBounds } from "../src/survey";
import { count, since, sum } from "../src/traffic";

describe("the error of a cosine from int8", () => {
  it("is never more than its bound", () => {
    const dims = 32;
    let state = 7;
    const random = (): number => {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      return state / 2 ** 30 - 1;
    };
    for (let trial = 0; trial < 50; trial++) {
      const exact = Float64Array.from({ length: dims }, random);
      const question = Float32Array.from({ length: dims }, random);
      const scale = Math.max(...exact.map(Math.abs)) / 127;
      const values = Int8Array.from(exact, (value) => Math.round(value / scale));
      const cosine = exact.reduce((total, value, i) => total + value * (question[i] ?? 0), 0);
      const rounded = values.reduce((total, value, i) => total + scale * value * (question[i] ?? 0), 0);
      const [bound = 0] = errorBounds({ dims, values, scales: Float32Array.of(scale) }, question);
      expect(Math.abs(cosine - rounded)).toBeLessThanOrEqual(bound + 1e-9);
      expect(bound).toBeLessThan(0.5);
    }
  });
});

describe("what was fetched", () => {
  const entries = [
    { name: "https://course.example/index.html", transferSize: 1000 },
    { name: "https://elsewhere.example/x", transferSize: 50 },
    { name: "https://course.example/kept.js", transferSize: 0 },
    { name: "blob:https://course.example/1", transferSize: 9 },
  ];

  it("is counted by request, other origins apart", () => {
    expect(count(entries, "https://course.example")).toEqual({ bytes: 1050, requests: 3, foreign: 1 });
  });

  it("adds up, and what a question needed is the difference", () => {
    const before = count(entries.slice(0, 1), "https://course.example");
    const after = sum(before, count(entries.slice(1), "https://course.example"));
    expect(since(before, after)).toEqual({ bytes: 50, requests: 2, foreign: 1 });
  });
});
