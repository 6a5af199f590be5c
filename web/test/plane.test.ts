import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { project, readPlane } from "../src/index/plane";
import type { PlaneFile } from "../src/index/schema";

interface Case {
  readonly plane: PlaneFile;
  readonly points: readonly (readonly [number, number])[];
  readonly question: readonly number[];
  readonly point: readonly [number, number];
}

const cases: Case[] = JSON.parse(readFileSync(new URL("../../tests/parity/plane.json", import.meta.url), "utf8"));

describe("the plane of the chunks", () => {
  it.each(cases)("is read as Python wrote it, and a question falls where Python puts it", (one) => {
    const plane = readPlane("index/plane.json", one.plane, one.points.length);
    expect([...plane.points]).toEqual(one.points.flat());
    const [x, y] = project(plane, Float32Array.from(one.question));
    expect(x).toBeCloseTo(one.point[0], 6);
    expect(y).toBeCloseTo(one.point[1], 6);
  });

  it("of another number of chunks is refused", () => {
    const [first] = cases;
    expect(first && (() => readPlane("index/plane.json", first.plane, 3))).toThrow(/points has/);
  });
});
