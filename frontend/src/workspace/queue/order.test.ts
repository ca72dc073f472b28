import { expect, test } from "vitest";
import { upcoming, withKnown } from "./order";

const item = (id: number, state = "todo") => ({ id, position: id, state });

test("what comes next: later positions first, then what was skipped before", () => {
  const known = [item(1), item(2, "made"), item(3), item(4, "returned"), item(5, "accepted")];
  expect(upcoming(known, 3, new Set()).map(({ id }) => id)).toEqual([4, 1]);
});

test("items submitted but not yet acknowledged are not offered again", () => {
  expect(upcoming([item(1), item(2), item(3)], 1, new Set([2])).map(({ id }) => id)).toEqual([3]);
});

test("newer knowledge of an item replaces older, in order of position", () => {
  expect(withKnown([item(2), item(3)], [item(1), item(2, "made")])).toEqual([item(1), item(2, "made"), item(3)]);
});
