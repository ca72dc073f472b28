import { expect, test } from "vitest";
import { isAmount } from "./amounts";

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
