import { describe, expect, it } from "vitest";
import { boxBetween, changeRegions, isEqual, keepOn, MOST_UNDOS, newKey, startRegions, type Box, type Region, type RegionChange, type RegionHistory } from "./regions";

const picture = { width: 640, height: 480 };

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A change such as pointers and keys make, also beyond the picture and on regions that are gone. */
function anyChange(random: () => number, { present }: RegionHistory<Region>): RegionChange<Region> {
  const number = (most: number) => random() * 3 * most - most;
  const key = present[Math.floor(random() * (present.length + 1))]?.key ?? "gone";
  const box: Box = [number(640), number(480), random() * 900, random() * 700];
  const by = { x: number(100), y: number(100) };
  const changes: readonly RegionChange<Region>[] = [
    { type: "add", region: { key: newKey(present, random), box } },
    { type: "add", region: { key, box } },
    { type: "remove", key },
    { type: "place", key, box },
    { type: "move", key, by },
    { type: "move", key, by, isRepeat: random() < 0.5 },
    { type: "resize", key, by },
    { type: "edit", key, values: { label: ["lion", "drum", ""][Math.floor(random() * 3)] ?? "" } },
    { type: "duplicate", key, newKey: newKey(present, random) },
    { type: "undo" },
    { type: "redo" },
  ];
  return changes[Math.floor(random() * changes.length)] ?? { type: "undo" };
}

const isHundredth = (value: number) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;

describe("any sequence of changes", () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed + 1))("keeps boxes on the picture, keys apart and states unchanged (seed %i)", (seed) => {
    const random = randomFrom(seed);
    let state = startRegions<Region>([]);
    for (let step = 0; step < 80; step += 1) {
      const before = JSON.stringify(state);
      const held = state;
      state = changeRegions(state, anyChange(random, state), picture);
      expect(JSON.stringify(held)).toBe(before);
      const keys = state.present.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { box } of state.present) {
        const [x, y, width, height] = box;
        expect(box.every(isHundredth)).toBe(true);
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
        expect(x + width).toBeLessThanOrEqual(picture.width + 1e-9);
        expect(y + height).toBeLessThanOrEqual(picture.height + 1e-9);
      }
    }
  });

  it.each([7, 8, 9, 10, 11])("is undone to its start and redone to its end (seed %i)", (seed) => {
    const random = randomFrom(seed);
    let state = startRegions<Region>([]);
    for (let step = 0; step < 100; step += 1) {
      const change = anyChange(random, state);
      if (change.type !== "undo" && change.type !== "redo") state = changeRegions(state, change, picture);
    }
    const end = state.present;
    const steps = state.past.length;
    expect(steps).toBeGreaterThan(20);
    for (let step = 0; step < steps; step += 1) state = changeRegions(state, { type: "undo" }, picture);
    expect(state.present).toEqual([]);
    expect(changeRegions(state, { type: "undo" }, picture)).toBe(state);
    for (let step = 0; step < steps; step += 1) state = changeRegions(state, { type: "redo" }, picture);
    expect(state.present).toEqual(end);
    expect(changeRegions(state, { type: "redo" }, picture)).toBe(state);
  });
});

const box: Box = [100, 50, 40, 30];
const one: RegionHistory<Region> = startRegions([{ key: "a", box }]);
const after = (...changes: RegionChange<Region>[]) => changes.reduce((state, change) => changeRegions(state, change, picture), one);
const boxOf = (state: RegionHistory<Region>, key = "a") => state.present.find((region) => region.key === key)?.box;

it("stores hundredths of a pixel, and no more than the picture has", () => {
  expect(keepOn([-3.3333, 10.006, 20, 5.555], picture)).toEqual([0, 10.01, 16.67, 5.55]);
  expect(keepOn([630, 470, 100, 100], picture)).toEqual([630, 470, 10, 10]);
  expect(keepOn([700, 500, 20, 20], picture)).toEqual([639, 479, 1, 1]);
  expect(boxBetween({ x: 90.126, y: 40 }, { x: 30, y: 10.004 }, picture)).toEqual([30, 10, 60.13, 30]);
});

it("moves as far as the picture goes and keeps the size; resizing keeps the corner", () => {
  expect(boxOf(after({ type: "move", key: "a", by: { x: -200, y: 1 } }))).toEqual([0, 51, 40, 30]);
  expect(boxOf(after({ type: "move", key: "a", by: { x: 0, y: 900 } }))).toEqual([100, 450, 40, 30]);
  expect(boxOf(after({ type: "resize", key: "a", by: { x: 10, y: -100 } }))).toEqual([100, 50, 50, 1]);
  expect(boxOf(after({ type: "resize", key: "a", by: { x: 1000, y: 0 } }))).toEqual([100, 50, 540, 30]);
});

it("undoes a movement by a held key at once, and separate steps one by one", () => {
  const by = { x: 1, y: 0 };
  const held = after({ type: "move", key: "a", by }, { type: "move", key: "a", by, isRepeat: true }, { type: "move", key: "a", by, isRepeat: true });
  expect(boxOf(held)?.[0]).toBe(103);
  expect(boxOf(changeRegions(held, { type: "undo" }, picture))).toEqual(box);
  const apart = after({ type: "move", key: "a", by }, { type: "move", key: "a", by });
  expect(boxOf(changeRegions(apart, { type: "undo" }, picture))?.[0]).toBe(101);
});

it("keeps two hundred states to go back to", () => {
  const moves = Array.from({ length: 250 }, (_, at): RegionChange<Region> => ({ type: "place", key: "a", box: [at, 0, 10, 10] }));
  let state = after(...moves);
  expect(state.past).toHaveLength(MOST_UNDOS);
  for (let step = 0; step < 300; step += 1) state = changeRegions(state, { type: "undo" }, picture);
  expect(boxOf(state)).toEqual([49, 0, 10, 10]);
});

it("puts a copy beside the original, also at the picture's edge, with its label", () => {
  const copied = after({ type: "edit", key: "a", values: { label: "lion" } }, { type: "duplicate", key: "a", newKey: "b" });
  expect(copied.present[1]).toEqual({ key: "b", label: "lion", box: [112, 62, 40, 30] });
  const atEdge = after({ type: "place", key: "a", box: [600, 450, 40, 30] }, { type: "duplicate", key: "a", newKey: "b" });
  expect(boxOf(atEdge, "b")).toEqual([588, 438, 40, 30]);
});

it("counts what changed elsewhere as a step, and what is the same as none", () => {
  const same = after({ type: "replace", regions: [{ box: [100, 50, 40, 30], key: "a" }] });
  expect(same).toBe(one);
  const replaced = after({ type: "replace", regions: [] });
  expect(changeRegions(replaced, { type: "undo" }, picture).present).toBe(one.present);
  expect(after({ type: "move", key: "a", by: { x: 0, y: 0 } })).toBe(one);
});

it("compares by value, whatever the order of the fields", () => {
  const region = { key: "a", box, label: "lion", what: "face" };
  const reordered = { what: "face", label: "lion", box: [100, 50, 40, 30] as const, key: "a" };
  const unnamed: object = { label: undefined };
  const other = { ...region, what: "plate" };
  expect(isEqual([region], [reordered])).toBe(true);
  expect(isEqual([{ key: "a", box }], [{ key: "a", box, ...unnamed }])).toBe(true);
  expect(isEqual([region], [other])).toBe(false);
  expect(isEqual([region], [])).toBe(false);
});
