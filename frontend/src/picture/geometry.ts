/** Points, sizes and rectangles in one plane; independent of the screen. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Point, Size {}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

export function centre(rect: Rect): Point {
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
}

/** The largest factor at which `inner` fits within `outer`. */
export function containFactor(inner: Size, outer: Size): number {
  if (inner.width <= 0 || inner.height <= 0) return 1;
  return Math.min(outer.width / inner.width, outer.height / inner.height);
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
