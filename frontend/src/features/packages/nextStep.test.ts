import { expect, test } from "vitest";
import type { Package } from "@/api/types";
import { nextStep } from "./nextStep";

const pkg = (state: Package["state"], actions: string[], written = 2) => ({
  state,
  written,
  size: 2,
  available_actions: actions,
});
const all = () => true;
const none = () => false;

test.each([
  ["an unfinished package is written", pkg("working", ["work_next", "package_hand_over"], 1), none, "write"],
  ["a written one is checked", pkg("working", ["work_next", "package_hand_over"]), none, "check"],
  ["one that came back is resumed", pkg("returned", ["package_resume"]), none, "resume"],
  ["one handed over is taken for review", pkg("handed_over", ["package_review_take"]), all, "take"],
  [
    "one in review is reviewed by its reviewer",
    pkg("reviewing", ["item_review", "package_review_complete"]),
    all,
    "review",
  ],
  ["one in inspection is inspected by somebody else", pkg("inspecting", ["item_inspect"]), all, "inspect"],
  ["a passed one shows its result to those who may see it", pkg("passed", []), all, "result"],
  ["and nothing to the others", pkg("passed", []), none, null],
  ["somebody else's review is nothing to do", pkg("reviewing", []), all, null],
] as const)("%s", (_name, row, may, step) => {
  expect(nextStep({ ...row, available_actions: [...row.available_actions] }, may)).toBe(step);
});
