import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { Chances } from "./Chances";

test.each([
  ["a package of 3 of which 1 is inspected", [1, 1, 1, 1], "So small a sample decides nothing: a package that is only 90% right always passes, too."],
  ["a sample that finds poor work", [0.3, 0.6, 0.9, 1], "A good package (98% right) always passes."],
  ["a sample that rejects good work", [0.1, 0.4, 0.7, 0.8], "Even a good package (98% right) fails with probability 20%."],
])("%s", async (_, chances, sentence) => {
  await renderScreen(<Chances chances={[90, 95, 97, 98].map((right_percent, index) => ({ right_percent, chance: chances[index] ?? 0 }))} />);
  expect(screen.getByTestId("good-fails").textContent).toBe(sentence);
});
