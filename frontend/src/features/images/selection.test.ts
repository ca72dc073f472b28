import { describe, expect, it } from "vitest";
import { columnsOf, moveTo, NONE, selectAll, targets, toggle } from "./selection";

describe("moveTo", () => {
  it("moves the cursor and lets go of what was chosen", () => {
    const all = selectAll(5);
    expect(moveTo(all, 3, 5, false)).toEqual({ at: 3, anchor: 3, chosen: new Set() });
  });

  it("stays within the grid", () => {
    expect(moveTo(NONE, -4, 5, false).at).toBe(0);
    expect(moveTo(NONE, 99, 5, false).at).toBe(4);
    expect(moveTo(NONE, 3, 0, false)).toEqual(NONE);
  });

  it("extends from the anchor in both directions", () => {
    const at2 = moveTo(NONE, 2, 9, false);
    const on = moveTo(at2, 4, 9, true);
    expect([...on.chosen]).toEqual([2, 3, 4]);
    expect([...moveTo(on, 1, 9, true).chosen]).toEqual([1, 2]);
  });
});

describe("toggle", () => {
  it("adds to the one under the cursor and takes out again", () => {
    const two = toggle(moveTo(NONE, 1, 5, false), 3);
    expect(targets(two, 5)).toEqual([1, 3]);
    expect(targets(toggle(two, 1), 5)).toEqual([3]);
  });
});

describe("targets", () => {
  it("is the picture under the cursor when none is chosen, and never one that is gone", () => {
    expect(targets({ at: 2, anchor: 2, chosen: new Set() }, 5)).toEqual([2]);
    expect(targets({ at: 2, anchor: 2, chosen: new Set() }, 2)).toEqual([]);
    expect(targets(selectAll(4), 3)).toEqual([0, 1, 2]);
  });
});

describe("columnsOf", () => {
  it("counts the cards of the first row", () => {
    expect(columnsOf([10, 10, 10, 220, 220])).toBe(3);
    expect(columnsOf([10, 10])).toBe(2);
    expect(columnsOf([])).toBe(1);
  });
});
