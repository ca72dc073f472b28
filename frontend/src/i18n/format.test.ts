import { expect, it } from "vitest";
import { duration } from "./format";

it.each([
  [900, "1 sec"],
  [59_400, "59 sec"],
  [60_000, "1 min"],
  [200_000, "3 min 20 sec"],
  [13_200_000, "3 hr 40 min"],
])("writes %i ms as %s", (ms, text) => {
  expect(duration(ms, "en")).toBe(text);
});
