/**
 * Rectangles on a picture, with undo and redo. Pure: every change makes a new state. Boxes are in the picture's own pixels,
 * kept on the picture and stored to a hundredth of a pixel.
 */
import { clamp, type Point, type Size } from "../geometry";

/** x and y of the upper left corner, width, height. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export interface Region {
  /** Identifies it among the regions of a picture. */
  readonly key: string;
  readonly box: Box;
  /** The code of what is in it; empty or missing while it has none. */
  readonly label?: string;
}

export interface RegionHistory<R extends Region> {
  readonly present: readonly R[];
  /** Earlier states, the latest last. */
  readonly past: readonly (readonly R[])[];
  /** States that were undone, the next to redo first. */
  readonly future: readonly (readonly R[])[];
}

type RegionEdit<R extends Region> =
  | { readonly type: "add"; readonly region: R }
  | { readonly type: "remove"; readonly key: string }
  | { readonly type: "place"; readonly key: string; readonly box: Box }
  /** `isRepeat`: continues the same movement, so that holding a key down is undone at once. */
  | { readonly type: "move" | "resize"; readonly key: string; readonly by: Point; readonly isRepeat?: boolean }
  | { readonly type: "edit"; readonly key: string; readonly values: Partial<Omit<R, "key" | "box">> }
  | { readonly type: "duplicate"; readonly key: string; readonly newKey: string }
  /** The regions were changed elsewhere, as in a list beside the picture. */
  | { readonly type: "replace"; readonly regions: readonly R[] };

export type RegionChange<R extends Region> = RegionEdit<R> | { readonly type: "undo" } | { readonly type: "redo" };

export const MOST_UNDOS = 200;
/** A region is never smaller than a pixel. */
const SMALLEST = 1;
/** Picture pixels that a copy is moved by, so that it does not cover the original. */
const COPY_OFFSET = 12;

export function startRegions<R extends Region>(regions: readonly R[]): RegionHistory<R> {
  return { present: regions, past: [], future: [] };
}

/** The state after a change; the same object where nothing changes. */
export function changeRegions<R extends Region>(state: RegionHistory<R>, change: RegionChange<R>, picture: Size): RegionHistory<R> {
  if (change.type === "undo") {
    const before = state.past.at(-1);
    return before ? { present: before, past: state.past.slice(0, -1), future: [state.present, ...state.future] } : state;
  }
  if (change.type === "redo") {
    const [after, ...future] = state.future;
    return after ? { present: after, past: [...state.past, state.present].slice(-MOST_UNDOS), future } : state;
  }
  const present = changed(state.present, change, picture);
  if (isEqual(present, state.present)) return state;
  const goesOn = (change.type === "move" || change.type === "resize") && change.isRepeat === true && state.past.length > 0;
  return { present, past: goesOn ? state.past : [...state.past, state.present].slice(-MOST_UNDOS), future: [] };
}

function changed<R extends Region>(regions: readonly R[], change: RegionEdit<R>, picture: Size): readonly R[] {
  const onKey = (key: string, value: (region: R) => R) => regions.map((region) => (region.key === key ? value(region) : region));
  switch (change.type) {
    case "add": {
      const isTaken = regions.some(({ key }) => key === change.region.key);
      return isTaken ? regions : [...regions, { ...change.region, box: keepOn(change.region.box, picture) }];
    }
    case "remove":
      return regions.filter(({ key }) => key !== change.key);
    case "place":
      return onKey(change.key, (region) => ({ ...region, box: keepOn(change.box, picture) }));
    case "move":
      return onKey(change.key, (region) => ({ ...region, box: moved(region.box, change.by, picture) }));
    case "resize":
      return onKey(change.key, (region) => ({ ...region, box: grown(region.box, change.by, picture) }));
    case "edit":
      return onKey(change.key, (region) => ({ ...region, ...change.values }));
    case "duplicate": {
      const original = regions.find(({ key }) => key === change.key);
      if (!original || regions.some(({ key }) => key === change.newKey)) return regions;
      return [...regions, { ...original, key: change.newKey, box: besideOf(original.box, picture) }];
    }
    case "replace":
      return change.regions;
  }
}

/** Whether two lists have the same regions in the same order. */
export function isEqual(one: readonly Region[], other: readonly Region[]): boolean {
  return one === other || (one.length === other.length && one.every((region, at) => isSame(region, other[at])));
}

function isSame(one: Region, other: Region | undefined): boolean {
  if (one === other) return true;
  if (other === undefined) return false;
  const values = (region: Region) => Object.entries(region).filter(([, value]) => value !== undefined);
  const theirs = new Map<string, unknown>(values(other));
  const own = values(one);
  return own.length === theirs.size && own.every(([name, value]) => JSON.stringify(value) === JSON.stringify(theirs.get(name)));
}

/** Share of the picture's height that a name above a box needs; a small picture has little more. */
const NAME_SHARE = 0.08;

/** Whether a name above the box would be cut off by the picture's upper edge. */
export function isAtTop({ box }: Region, picture: Size): boolean {
  return box[1] < picture.height * NAME_SHARE;
}

/** The box between two corners, in any order, as it is stored. */
export function boxBetween(one: Point, other: Point, picture: Size): Box {
  const [left, right] = span(one.x, other.x, picture.width);
  const [top, bottom] = span(one.y, other.y, picture.height);
  return [left, top, round(right - left), round(bottom - top)];
}

/** Two ends along one side of the picture, at least a pixel apart. */
function span(one: number, other: number, length: number): [number, number] {
  const start = round(clamp(Math.min(one, other), 0, Math.max(0, length - SMALLEST)));
  const end = round(clamp(Math.max(one, other), 0, length));
  return [start, Math.max(end, Math.min(length, round(start + SMALLEST)))];
}

/** A box as it is stored: its part on the picture, to a hundredth of a pixel. */
export function keepOn([x, y, width, height]: Box, picture: Size): Box {
  return boxBetween({ x, y }, { x: x + width, y: y + height }, picture);
}

/** The box moved, as far as the picture goes; its size stays. */
export function moved([x, y, width, height]: Box, by: Point, picture: Size): Box {
  return [
    round(clamp(x + by.x, 0, Math.max(0, picture.width - width))),
    round(clamp(y + by.y, 0, Math.max(0, picture.height - height))),
    width,
    height,
  ];
}

/** The box with its lower right corner moved. */
function grown([x, y, width, height]: Box, by: Point, picture: Size): Box {
  return [
    x,
    y,
    round(clamp(width + by.x, Math.min(SMALLEST, picture.width - x), picture.width - x)),
    round(clamp(height + by.y, Math.min(SMALLEST, picture.height - y), picture.height - y)),
  ];
}

/** Where a copy is put: a little further on, or back where the picture ends. */
function besideOf(box: Box, picture: Size): Box {
  const [x, y, width, height] = box;
  const along = (start: number, length: number, room: number) => (start + length + COPY_OFFSET <= room ? COPY_OFFSET : -COPY_OFFSET);
  return moved(box, { x: along(x, width, picture.width), y: along(y, height, picture.height) }, picture);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const KEY_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A key that no region has yet. */
export function newKey(regions: readonly Region[], random: () => number = Math.random): string {
  for (;;) {
    const key = Array.from({ length: 8 }, () => KEY_LETTERS[Math.floor(random() * KEY_LETTERS.length)]).join("");
    if (!regions.some((region) => region.key === key)) return key;
  }
}
