import { expect, test } from "vitest";
import { flattened } from "./Record";

test("nested keys are joined with dots, lists take one line", () => {
  expect(flattened({ suite: "retrieval", preprocessing: { size: [224, 224], crop: null }, seed: 0 })).toEqual([
    ["suite", "retrieval"],
    ["preprocessing.size", "224, 224"],
    ["preprocessing.crop", "—"],
    ["seed", "0"],
  ]);
  expect(flattened({})).toEqual([]);
});
