import { describe, expect, it } from "vitest";
import { columnsOf, indexOf, moveTo, nothing, selectAll, targets, tick, tickRange, toggle } from "./selection";

const five = ["a", "b", "c", "d", "e"];
const none = nothing<string>();

describe("moveTo", () => {
  it("moves the cursor and lets go of what was chosen", () => {
    expect(moveTo(selectAll(five), 3, five, false)).toEqual({ at: "d", anchor: "d", chosen: new Set() });
  });

  it("stays within the list", () => {
    expect(moveTo(none, -4, five, false).at).toBe("a");
    expect(moveTo(none, 99, five, false).at).toBe("e");
    expect(moveTo(none, 3, [], false)).toEqual(none);
  });

  it("extends from the anchor in both directions", () => {
    const on = moveTo(moveTo(none, 2, five, false), 4, five, true);
    expect([...on.chosen]).toEqual(["c", "d", "e"]);
    expect([...moveTo(on, 1, five, true).chosen]).toEqual(["b", "c"]);
  });
});

describe("a list that changes", () => {
  it("keeps the cursor on its card, or goes to the front when the card is gone", () => {
    const at = moveTo(none, 3, five, false);
    expect(indexOf(at, ["x", ...five])).toBe(4);
    expect(indexOf(at, ["a", "b"])).toBe(0);
    expect(targets(selectAll(five), ["b", "x"])).toEqual(["b"]);
  });
});

describe("toggle", () => {
  it("adds to the one under the cursor and takes out again", () => {
    const two = toggle(moveTo(none, 1, five, false), "d");
    expect(targets(two, five)).toEqual(["b", "d"]);
    expect(targets(toggle(two, "b"), five)).toEqual(["d"]);
  });
});

describe("tick", () => {
  it("adds nothing but the card, and a range from the last one", () => {
    const one = tick(moveTo(none, 0, five, false), "b");
    expect([...one.chosen]).toEqual(["b"]);
    expect(targets(tickRange(one, "d", five), five)).toEqual(["b", "c", "d"]);
    expect([...tick(one, "b").chosen]).toEqual([]);
    expect([...tickRange(none, "d", five).chosen]).toEqual(["d"]);
  });
});

describe("targets", () => {
  it("is the card under the cursor when none is chosen", () => {
    expect(targets(moveTo(none, 2, five, false), five)).toEqual(["c"]);
    expect(targets(none, five)).toEqual(["a"]);
    expect(targets(none, [])).toEqual([]);
  });
});

describe("columnsOf", () => {
  it("counts the cards of the first row", () => {
    expect(columnsOf([10, 10, 10, 220, 220])).toBe(3);
    expect(columnsOf([10, 10])).toBe(2);
    expect(columnsOf([])).toBe(1);
  });
});
