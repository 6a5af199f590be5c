import { describe, expect, it } from "vitest";
import { enlarged, type Frame, moved, NEAREST_SCALE, seenThrough, whole } from "../src/page/panels/map-view";

const size = { width: 600, height: 400 };
/** A plane of the drawing's own size. */
const frame: Frame = { ...size, x: (value) => value, y: (value) => value };

describe("the stretch of the map that is in sight", () => {
  it("keeps what is under the pointer where it is, however near it comes", () => {
    for (const at of [
      [300, 200],
      [150, 350],
      [420, 90],
    ] as const) {
      const near = seenThrough(frame, enlarged(whole(size), size, 3, at));
      expect([near.x(at[0]), near.y(at[1])]).toEqual([expect.closeTo(at[0]), expect.closeTo(at[1])]);
      expect(near.x(at[0] + 10)).toBeCloseTo(at[0] + 30);
    }
  });

  it("follows what drags it, by as much as it is enlarged", () => {
    const near = enlarged(whole(size), size, 2, [300, 200]);
    const before = seenThrough(frame, near);
    const after = seenThrough(frame, moved(near, size, 40, -25));
    expect(after.x(300) - before.x(300)).toBeCloseTo(40);
    expect(after.y(200) - before.y(200)).toBeCloseTo(-25);
  });

  it("never shows what lies beyond the drawing, and is all of it at the least", () => {
    const far = moved(enlarged(whole(size), size, 2, [300, 200]), size, 9999, 9999);
    const seen = seenThrough(frame, far);
    expect([seen.x(0), seen.y(0)]).toEqual([0, 0]);
    expect(enlarged(far, size, 0.01, [0, 0])).toEqual(whole(size));
    expect(enlarged(far, size, 1000, [0, 0]).scale).toBe(NEAREST_SCALE);
  });
});
