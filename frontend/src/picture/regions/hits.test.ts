import { describe, expect, it } from "vitest";
import { HANDLES, nextAt, partAt, placeOf, pulled, regionsAt, TOUCH_REACH } from "./hits";
import { plain, matching, used, type LabelChoice } from "./labels";
import { besideOf } from "./placeBeside";
import type { Box } from "./regions";

const picture = { width: 640, height: 480 };
const large: Box = [100, 100, 200, 160];

describe("what a press pulls", () => {
  const CORNERS = HANDLES.filter((handle) => handle.length === 2);
  it.each([
    [large, HANDLES],
    [[100, 100, 60, 60] as Box, HANDLES],
    [[100, 100, 20, 20] as Box, CORNERS],
    [[100, 100, 8, 8] as Box, CORNERS],
  ])("of %j is a handle wherever a finger comes within 22 pixels of it, outside of the inner half", (box, handles) => {
    for (const handle of handles) {
      const place = placeOf(handle);
      const at = { x: box[0] + place.x * box[2], y: box[1] + place.y * box[3] };
      expect(partAt(box, at, TOUCH_REACH)).toBe(handle);
      const beyond = { x: at.x + (place.x - 0.5) * 2 * (TOUCH_REACH - 1), y: at.y + (place.y - 0.5) * 2 * (TOUCH_REACH - 1) };
      expect(partAt(box, beyond, TOUCH_REACH)).toBe(handle);
    }
    expect(partAt(box, { x: box[0] + box[2] / 2, y: box[1] + box[3] / 2 }, TOUCH_REACH)).toBe("body");
  });

  it("is the box inside and nothing outside", () => {
    expect(partAt(large, { x: 150, y: 140 }, 8)).toBe("body");
    expect(partAt(large, { x: 92, y: 100 }, 8)).toBe("nw");
    expect(partAt(large, { x: 91, y: 100 }, 8)).toBeNull();
  });

  it("moves only the sides of its handle, and turns over beyond the opposite one", () => {
    expect(pulled(large, "e", { x: 350, y: 900 }, picture)).toEqual([100, 100, 250, 160]);
    expect(pulled(large, "nw", { x: 90, y: -20 }, picture)).toEqual([90, 0, 210, 260]);
    expect(pulled(large, "s", { x: 0, y: 60 }, picture)).toEqual([100, 60, 200, 40]);
    expect(pulled(large, "se", { x: 40, y: 40 }, picture)).toEqual([40, 40, 60, 60]);
  });
});

describe("what a press selects", () => {
  const inner = { key: "inner", box: [150, 150, 20, 20] as Box };
  const outer = { key: "outer", box: large };
  it("is the smallest first, and the next larger when pressed again", () => {
    const at = { x: 160, y: 160 };
    const regions = [outer, inner];
    expect(regionsAt(regions, at, 0)).toEqual([inner, outer]);
    expect(nextAt(regions, at, 0, null)).toBe(inner);
    expect(nextAt(regions, at, 0, "inner")).toBe(outer);
    expect(nextAt(regions, at, 0, "outer")).toBe(inner);
    expect(nextAt(regions, { x: 5, y: 5 }, 4, "outer")).toBeNull();
  });
});

describe("labels", () => {
  const choices: readonly LabelChoice[] = [
    { code: "dragon-dance", name: "舞龙", search: ["舞龍", "Dragon dance", "wulong", "wl"] },
    { code: "lion-dance", name: "舞狮", search: ["舞獅", "Lion dance", "wushi", "ws"], isMain: true },
    { code: "stone-lion", name: "石狮", search: ["石獅", "Stone lion", "shishi", "ss"] },
    { code: "lantern", name: "灯笼", search: ["燈籠", "Lantern", "denglong", "dl"] },
  ];
  const codes = (typed: string, recent: string[] = []) => matching(choices, typed, recent).map(({ code }) => code);

  it.each([
    ["狮", ["lion-dance", "stone-lion"]],
    ["獅", ["lion-dance", "stone-lion"]],
    ["wu", ["lion-dance", "dragon-dance"]],
    ["Wǔ shī", ["lion-dance"]],
    ["ｗｓ", ["lion-dance"]],
    ["LION", ["lion-dance", "stone-lion"]],
    ["long", ["dragon-dance", "lantern"]],
    ["stone-lion", ["stone-lion"]],
    ["xyz", []],
  ])("are found by %s", (typed, found) => expect(codes(typed)).toEqual(found));

  it("come in the order of use, then the main one, then as listed", () => {
    expect(codes("", ["lantern", "stone-lion"])).toEqual(["lantern", "stone-lion", "lion-dance", "dragon-dance"]);
    expect(codes(" ")).toEqual(["lion-dance", "dragon-dance", "stone-lion", "lantern"]);
    expect(codes("w", ["dragon-dance"])).toEqual(["dragon-dance", "lion-dance"]);
  });

  it("that were used last are remembered once each", () => {
    expect(used(["a", "b"], "b")).toEqual(["b", "a"]);
    expect(used(["1", "2", "3", "4", "5", "6", "7", "8"], "9")).toEqual(["9", "1", "2", "3", "4", "5", "6", "7"]);
    expect(plain("Bā-bǎo  fàn!")).toBe("babaofan");
  });
});

it("puts a list beside the region wherever there is room", () => {
  const surface = { toFrame: (at: { x: number; y: number }) => at };
  const own = { width: 260, height: 200 };
  const room = { width: 800, height: 600 };
  expect(besideOf([100, 100, 50, 50], surface, own, room)).toEqual({ left: 100, top: 158 });
  expect(besideOf([100, 400, 50, 190], surface, own, room)).toEqual({ left: 158, top: 392 });
  expect(besideOf([600, 400, 150, 190], surface, own, room)).toEqual({ left: 332, top: 392 });
  expect(besideOf([20, 300, 770, 290], surface, own, room)).toEqual({ left: 20, top: 92 });
  expect(besideOf([0, 0, 800, 600], surface, own, room)).toEqual({ left: 8, top: 392 });
});
