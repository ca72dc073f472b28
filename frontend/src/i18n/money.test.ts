import { expect, test } from "vitest";
import { money } from "./money";

test("nothing has no currency", () => {
  expect([money("0.5", "USD"), money("0", "USD"), money("0", null), money("3", undefined)]).toEqual(["0.5 USD", "0", "0", "3"]);
});
