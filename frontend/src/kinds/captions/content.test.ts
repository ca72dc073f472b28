import { expect, test } from "vitest";
import { captionAt, firstEmptySlot, slotOf } from "./content";

test("a finding's path names its caption", () => {
  expect(slotOf("captions.4")).toBe(4);
  expect(slotOf("captions")).toBeNull();
  expect(captionAt({ captions: ["一", "二"] }, "captions.1")).toBe("二");
  expect(captionAt({ captions: ["一"] }, "captions")).toBeNull();
});

test("the first caption without text is found", () => {
  expect(firstEmptySlot({ captions: ["一", "  ", ""] })).toBe(1);
  expect(firstEmptySlot({ captions: ["一"] })).toBeNull();
});
