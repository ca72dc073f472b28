import { expect, test } from "vitest";
import type { Package } from "@/api/types";
import { nextStep } from "./nextStep";

const pkg = (available_actions: string[], written = 2, state: Package["state"] = "working") => ({
  state,
  written,
  size: 2,
  available_actions,
});

test.each([
  ["one that was assigned is begun", pkg(["package_claim"], 0, "assigned"), "begin"],
  ["a free one is not chosen by hand", pkg(["package_claim"], 0, "available"), null],
  ["an unfinished package is written", pkg(["item_submit", "package_hand_over"], 1), "write"],
  ["a written one is checked", pkg(["item_submit", "package_hand_over"]), "check"],
  ["one that came back is resumed", pkg(["package_resume"]), "resume"],
  ["one handed over is taken for review", pkg(["package_review_take"]), "startReview"],
  ["one in review is reviewed by its reviewer", pkg(["item_review", "package_review_complete"]), "review"],
  ["one in inspection is inspected before its draw is only read", pkg(["item_inspect", "inspection_show"]), "inspect"],
  ["a decided draw is open to those who may read it", pkg(["inspection_show"]), "result"],
  ["and there is nothing to do for the others", pkg([]), null],
] as const)("%s", (_name, row, step) => {
  expect(nextStep({ ...row, available_actions: [...row.available_actions] })).toBe(step);
});
