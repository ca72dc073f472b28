import { expect, test } from "vitest";
import { verdictOf } from "@/board/pair";
import { beside, samplesAddress } from "./address";
import { after, cellOf, metricOf, ranked, scaleTo, type BoardSystem, type Cell, type Leaderboard } from "./board";

const cell = (value: number | null, part: Partial<Cell> = {}) => ({ scope: "t2i", metric: "R@1", group_by: "", group: "", value, high: null, ...part }) as Cell;
const system = (run: number, ...scores: Cell[]) => ({ run, scores }) as BoardSystem;

test("systems are ranked best first, those without the figure last; groups do not count", () => {
  const rows = [system(1), system(2, cell(0.2)), system(3, cell(null)), system(4, cell(0.6)), system(5, cell(0.9, { group_by: "distance", group: "coco" }))];
  expect(ranked(rows, "t2i", "R@1").map(({ run }) => run)).toEqual([4, 2, 1, 3, 5]);
  expect(rows[4] && cellOf(rows[4], "t2i", "R@1", "distance", "coco")?.value).toBe(0.9);
  expect(rows[4] && cellOf(rows[4], "t2i", "R@1")).toBeNull();
});

test("whiskers of a table share one scale that ends above all of them", () => {
  expect(scaleTo([cell(0.12, { high: 0.21 }), null, cell(0.05)])).toBe(0.3);
  expect(scaleTo([cell(1)])).toBe(1);
  expect(scaleTo([])).toBe(0.05);
});

test("a difference is reported only if its interval excludes zero", () => {
  expect(verdictOf({ low: 0.01, high: 0.1 })).toBe("one");
  expect(verdictOf({ low: -0.1, high: -0.01 })).toBe("other");
  expect(verdictOf({ low: 0, high: 0.1 })).toBe("unclear");
  expect(verdictOf({ low: null, high: null })).toBe("unclear");
});

test("switches go round, unknown metrics fall back to the first", () => {
  expect(after(["t2i", "i2t"], "i2t")).toBe("t2i");
  expect(metricOf({ metrics: ["R@1", "R@5"] } as Leaderboard, "R@7")).toBe("R@1");
});

test("a figure leads to the queries it counts", () => {
  expect(samplesAddress("x", 3, { run: 7, scope: "t2i", at: 5, groupBy: "category", group: "lion" })).toBe(
    "/b/x/releases/3/samples?run=7&scope=t2i&at=5&category=lion",
  );
});

test("neighbours are those of the list one came from, else of the gallery", () => {
  const gallery = { previous: 4, next: 6 };
  expect(beside(5, null, gallery)).toEqual(gallery);
  expect(beside(5, { samples: [9, 5, 1], search: "" }, gallery)).toEqual({ previous: 9, next: 1 });
  expect(beside(1, { samples: [9, 5, 1], search: "" }, gallery)).toEqual({ previous: 5, next: null });
  expect(beside(2, { samples: [9, 5, 1], search: "" }, gallery)).toEqual(gallery);
});
