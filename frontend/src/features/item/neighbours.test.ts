import { expect, it } from "vitest";
import { neighbours } from "./neighbours";

it.each([
  [{ items: [3, 5, 8] }, 5, { previous: 3, next: 8 }],
  [{ items: [3, 5, 8] }, 8, { previous: 5, next: null }],
  [{ items: [3] }, 9, { previous: null, next: null }],
  [{ items: "3" }, 3, { previous: null, next: null }],
  [null, 3, { previous: null, next: null }],
])("in %j item %i stands between %j", (state, item, found) => {
  expect(neighbours(state, item)).toEqual(found);
});
