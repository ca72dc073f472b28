import { expect, test } from "vitest";
import { labelsThatFit } from "./labelsThatFit";

const shown = (places: number[], room: number) => [...labelsThatFit(places, room)].sort((a, b) => a - b);

test.each([
  ["all that stand apart are labelled", [0, 40, 80], 30, [0, 1, 2]],
  ["one too near the last gives way to it", [0, 156, 218, 250], 34, [0, 1, 3]],
  ["one too near the one before is left out", [0, 10, 40, 100], 30, [0, 2, 3]],
  ["a single one is labelled", [5], 30, [0]],
  ["nothing has no labels", [], 30, []],
] as const)("%s", (_name, places, room, labels) => {
  expect(shown([...places], room)).toEqual([...labels]);
});
