import { expect, test } from "vitest";
import { compareVersions, mergedTexts, proposedChoices } from "./merge";

test("each slot says which side changed it, and the changed side is proposed where only one changed", () => {
  const slots = compareVersions(
    ["一", "二", "三", "四"],
    ["一", "二甲", "三", "四甲", "五甲"],
    ["一", "二", "三乙", "四乙"],
  );
  expect(slots.map((slot) => slot.verdict)).toEqual(["same", "mine", "theirs", "both", "mine"]);
  const choices = proposedChoices(slots);
  expect(choices).toEqual(["mine", "mine", "theirs", null, "mine"]);
  expect(mergedTexts(slots, choices)).toEqual(["一", "二甲", "三乙", "四甲", "五甲"]);
});

test("the same change on both sides is no conflict", () => {
  expect(compareVersions(["一"], ["二"], ["二"])[0]?.verdict).toBe("same");
});
