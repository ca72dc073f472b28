import { expect, test } from "vitest";
import { isAmount, money } from "./amounts";

const form = { whole: 3, places: 2 };

test.each([
  ["0", true],
  ["2.5", true],
  ["999.99", true],
  ["1000", false],
  ["1.999", false],
  ["2,5", false],
  ["2.", false],
  [".5", false],
  ["-1", false],
  ["1e2", false],
  ["1.2.3", false],
  ["", false],
])("%s is an amount: %s", (text, is) => {
  expect(isAmount(text, form)).toBe(is);
});

test("nothing has no currency", () => {
  expect([money("0.5", "USD"), money("0", "USD"), money("0", null), money("3", undefined)]).toEqual(["0.5 USD", "0", "0", "3"]);
});
