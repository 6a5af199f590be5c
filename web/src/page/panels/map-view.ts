/** The map's geometry: where a point is drawn, with which sign, and which stretch of the plane is in sight. Pure. */

import type { Survey } from "../../protocol";

/** Colours, and shapes beside them, so that lectures are told apart without hue. */
const COLOURS = 8;

/** Size of the drawing on a wide and on a narrow panel; signs keep their size, so a narrow one is drawn anew. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const WIDE: Size = { width: 680, height: 500 };
export const NARROW: Size = { width: 340, height: 340 };
const MARGIN = 16;

type Shape = (x: number, y: number, r: number) => string;

const SHAPES: readonly Shape[] = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${x} ${y - 1.35 * r}L${x + 1.35 * r} ${y}L${x} ${y + 1.35 * r}L${x - 1.35 * r} ${y}z`,
  (x, y, r) => `M${x} ${y - 1.2 * r}L${x + 1.2 * r} ${y + r}H${x - 1.2 * r}z`,
  (x, y, r) => `M${x} ${y + 1.2 * r}L${x + 1.2 * r} ${y - r}H${x - 1.2 * r}z`,
  (x, y, r) => `M${x - 1.2 * r} ${y - r / 2.5}h${2.4 * r}v${r / 1.25}h${-2.4 * r}z`,
  (x, y, r) => `M${x - r / 2.5} ${y - 1.2 * r}h${r / 1.25}v${2.4 * r}h${-r / 1.25}z`,
];

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** Both axes to one scale, so that a distance is one, whatever its direction. */
export function frameOf({ points, question }: Survey, { width, height }: Size): Frame {
  const xs = points.filter((_, place) => place % 2 === 0);
  const ys = points.filter((_, place) => place % 2 === 1);
  const range = (values: Float32Array, own: number): readonly [number, number] => {
    let [least, most] = [own, own];
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
    return [least, most];
  };
  const [x0, x1] = range(xs, question?.point[0] ?? 0);
  const [y0, y1] = range(ys, question?.point[1] ?? 0);
  const scale = Math.min((width - 2 * MARGIN) / (x1 - x0 || 1), (height - 2 * MARGIN) / (y1 - y0 || 1));
  return {
    width,
    height,
    x: (value) => width / 2 + (value - (x0 + x1) / 2) * scale,
    y: (value) => height / 2 - (value - (y0 + y1) / 2) * scale,
  };
}

export function colourOf(lecture: number): string {
  return `c${(lecture % COLOURS) + 1}`;
}

/** With seven shapes to eight colours no pair comes twice in the first 56 lectures. */
export function shapeOf(lecture: number): Shape {
  return SHAPES[lecture % SHAPES.length] as Shape;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A stretch of the drawing: how many times it is enlarged, and which point of the drawing is in the middle. */
export interface Stretch {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Nearer than this, neighbours are apart. */
export const NEAREST_SCALE = 16;

/** All of the drawing. */
export function whole({ width, height }: Size): Stretch {
  return { scale: 1, x: width / 2, y: height / 2 };
}

/** Enlarged by a factor, so that what is under `at` (as it is seen) stays there. */
export function enlarged(stretch: Stretch, size: Size, factor: number, at: readonly [number, number]): Stretch {
  const scale = Math.min(NEAREST_SCALE, Math.max(1, stretch.scale * factor));
  const shift = 1 / stretch.scale - 1 / scale;
  return within(
    {
      scale,
      x: stretch.x + (at[0] - size.width / 2) * shift,
      y: stretch.y + (at[1] - size.height / 2) * shift,
    },
    size,
  );
}

/** Moved so that what is seen follows by that much. */
export function moved(stretch: Stretch, size: Size, dx: number, dy: number): Stretch {
  const { scale, x, y } = stretch;
  return within({ scale, x: x - dx / scale, y: y - dy / scale }, size);
}

/** The frame of what is in sight. */
export function seenThrough(frame: Frame, { scale, x, y }: Stretch): Frame {
  return {
    ...frame,
    x: (value) => (frame.x(value) - x) * scale + frame.width / 2,
    y: (value) => (frame.y(value) - y) * scale + frame.height / 2,
  };
}

/** Nothing beyond the drawing comes in sight. */
function within({ scale, x, y }: Stretch, { width, height }: Size): Stretch {
  const hold = (at: number, length: number): number =>
    Math.min(length - length / (2 * scale), Math.max(length / (2 * scale), at));
  return { scale, x: hold(x, width), y: hold(y, height) };
}
