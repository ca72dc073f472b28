/** What a pointer means among regions. Pure: distances are in picture pixels, whatever the zoom. */
import type { Point, Size } from "../geometry";
import { boxBetween, type Box, type Region } from "./regions";

/** A corner or side of a box that is pulled, by its points of the compass. */
export type Handle = "nw" | "n" | "ne" | "e" | "se" | "s" | "sw" | "w";

export const HANDLES: readonly Handle[] = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];

/** Screen pixels around the middle of a handle in which it is pulled: 44 across for a finger. */
export const TOUCH_REACH = 22;
export const MOUSE_REACH = 8;

/** Where a handle is, as a share of the box. */
export function placeOf(handle: Handle): Point {
  return {
    x: handle.includes("w") ? 0 : handle.includes("e") ? 1 : 0.5,
    y: handle.includes("n") ? 0 : handle.includes("s") ? 1 : 0.5,
  };
}

/** What is pulled of the selected box at a point: a handle, the box itself, or nothing. */
export function partAt([x, y, width, height]: Box, at: Point, reach: number): Handle | "body" | null {
  // The inner half always moves the box: however small it is on the screen, its handles leave that free. A short side has
  // only its corners.
  const isInner = Math.abs(at.x - x - width / 2) < width / 4 && Math.abs(at.y - y - height / 2) < height / 4;
  if (!isInner) {
    const near = HANDLES.filter((handle) => handle.length === 2 || (handle === "n" || handle === "s" ? width : height) >= 2 * reach).map((handle) => {
      const place = placeOf(handle);
      const dx = Math.abs(at.x - x - place.x * width);
      const dy = Math.abs(at.y - y - place.y * height);
      // A corner wins against a side that is as near.
      return { handle, isNear: dx <= reach && dy <= reach, far: Math.hypot(dx, dy) - (handle.length === 2 ? reach / 8 : 0) };
    }).filter(({ isNear }) => isNear);
    const nearest = near.sort((a, b) => a.far - b.far)[0];
    if (nearest) return nearest.handle;
  }
  return contains([x, y, width, height], at, 0) ? "body" : null;
}

/** The regions at a point, the smallest first: what is inside another can be reached. */
export function regionsAt<R extends Region>(regions: readonly R[], at: Point, slop: number): R[] {
  return regions.filter(({ box }) => contains(box, at, slop)).sort((a, b) => a.box[2] * a.box[3] - b.box[2] * b.box[3]);
}

/** The region that a press selects: the smallest there, or the next larger one where one of them is selected already. */
export function nextAt<R extends Region>(regions: readonly R[], at: Point, slop: number, selected: string | null): R | null {
  const there = regionsAt(regions, at, slop);
  const index = there.findIndex(({ key }) => key === selected);
  return there[(index + 1) % Math.max(1, there.length)] ?? null;
}

/** The box with a handle pulled to a point; beyond the opposite side it turns over. */
export function pulled([x, y, width, height]: Box, handle: Handle, to: Point, picture: Size): Box {
  const place = placeOf(handle);
  const [left, right] = place.x === 0 ? [to.x, x + width] : place.x === 1 ? [x, to.x] : [x, x + width];
  const [top, bottom] = place.y === 0 ? [to.y, y + height] : place.y === 1 ? [y, to.y] : [y, y + height];
  return boxBetween({ x: left, y: top }, { x: right, y: bottom }, picture);
}

function contains([x, y, width, height]: Box, at: Point, slop: number): boolean {
  return at.x >= x - slop && at.x <= x + width + slop && at.y >= y - slop && at.y <= y + height + slop;
}
