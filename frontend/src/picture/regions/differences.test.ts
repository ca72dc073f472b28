import { expect, test } from "vitest";
import { onlyDifference } from "./differences";
import type { Region } from "./regions";

const one: Region = { key: "a", box: [1, 2, 3, 4], label: "lion" };
const other: Region = { key: "b", box: [5, 6, 7, 8], label: "drum" };

test("the one region that differs is returned with how", () => {
  expect(onlyDifference([one], [one, other])).toEqual({ type: "added", region: other, left: 2 });
  expect(onlyDifference([one, other], [other])).toEqual({ type: "removed", region: one, left: 1 });
  const placed: Region = { ...one, box: [1, 2, 3, 5] };
  expect(onlyDifference([one, other], [placed, other])).toEqual({ type: "placed", region: placed });
  const labelled = { ...one, label: "drum" };
  expect(onlyDifference([one, other], [labelled, other])).toEqual({ type: "labelled", region: labelled });
});

test("of none and of several there is none", () => {
  expect(onlyDifference([one, other], [one, other])).toBeNull();
  expect(onlyDifference([one], [other])).toBeNull();
});
