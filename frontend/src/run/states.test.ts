import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { isIn, remainingOf, pollAfter, TONES, type RunStatus } from "./states";

const run = (status: RunStatus) => ({ status }) as Run;

test("every state belongs to one group of the filter", () => {
  const counted = (Object.keys(TONES) as RunStatus[]).map((status) => (["active", "failed", "ended"] as const).filter((group) => isIn(run(status), group)).length);
  expect(counted).toEqual(Array(8).fill(1));
  expect(isIn(run("failed"), undefined)).toBe(true);
});

test("the page polls often while a run can change by itself, else seldom", () => {
  expect(pollAfter([run("done"), run("no_worker")])).toBe(2_000);
  expect(pollAfter([run("paused"), run("failed"), run("cancelled")])).toBe(15_000);
  expect(pollAfter([])).toBe(15_000);
});

test("what was tried does not remain, though some of it failed", () => {
  expect(remainingOf({ expected: 40, done: 30 })).toBe(10);
  expect(remainingOf({ expected: 40, done: 40 })).toBe(0);
});
