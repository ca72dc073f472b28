import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { flattened } from "./Record";
import { isIn, remainingOf, pollAfter, TONES, type Shown } from "./states";

const run = (shown: Shown) => ({ shown }) as Run;

test("every state belongs to one group of the filter", () => {
  const counted = (Object.keys(TONES) as Shown[]).map((shown) => (["active", "failed", "ended"] as const).filter((group) => isIn(run(shown), group)).length);
  expect(counted).toEqual(Array(8).fill(1));
  expect(isIn(run("failed"), undefined)).toBe(true);
});

test("the page asks often while a run can move by itself, seldom while all stand", () => {
  expect(pollAfter([run("done"), run("no_worker")])).toBe(2_000);
  expect(pollAfter([run("paused"), run("failed"), run("cancelled")])).toBe(15_000);
  expect(pollAfter([])).toBe(15_000);
});

test("what failed is not waited for", () => {
  expect(remainingOf({ expected: 40, done: 30, failed: 4 })).toBe(6);
  expect(remainingOf({ expected: 40, done: 40, failed: 4 })).toBe(0);
});

test("nested settings are named by their way down, lists stand on one line", () => {
  expect(flattened({ suite: "retrieval", preprocessing: { size: [224, 224], crop: null }, seed: 0 })).toEqual([
    ["suite", "retrieval"],
    ["preprocessing.size", "224, 224"],
    ["preprocessing.crop", "—"],
    ["seed", "0"],
  ]);
  expect(flattened({})).toEqual([]);
});
