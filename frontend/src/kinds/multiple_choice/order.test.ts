import { expect, it } from "vitest";
import { shuffled } from "./order";

const options = ["right", "a", "b", "c"];

it("keeps every option, in the same order for the same item", () => {
  expect([...shuffled(options, 7)].sort()).toEqual([...options].sort());
  expect(shuffled(options, 7)).toEqual(shuffled(options, 7));
});

it("puts the right option at every place equally often", () => {
  const found = Array.from({ length: 4_000 }, (_, item) => shuffled(options, item + 1).indexOf("right"));
  for (const place of [0, 1, 2, 3]) {
    const often = found.filter((one) => one === place).length;
    expect(Math.abs(often - 1_000)).toBeLessThan(100);
  }
});
