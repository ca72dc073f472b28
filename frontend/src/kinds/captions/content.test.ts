import { describe, expect, test } from "vitest";
import type { Finding } from "@/api/types";
import { carryFindings, findingsOf, firstEmptySlot, lettersIn, marksIn, slotOf } from "./content";

const overlap: Finding = {
  code: "caption_overlap",
  field: "captions.1",
  severity: "error",
  overridable: true,
  params: { other: 0, percent: 47, limit: 30 },
  spans: [
    { field: "captions.1", start: 2, end: 4 },
    { field: "captions.0", start: 0, end: 2 },
  ],
};

test("a finding's path names its caption", () => {
  expect(slotOf("captions.4")).toBe(4);
  expect(slotOf("captions")).toBeNull();
  expect(findingsOf([overlap], 1)).toEqual([overlap]);
  expect(findingsOf([overlap], 0)).toEqual([]);
  expect(marksIn([overlap], 0)).toEqual([{ field: "captions.0", start: 0, end: 2 }]);
});

test("marks follow their characters in the caption that was edited and stay in the others", () => {
  const before = { captions: ["舞狮在跳", "两只舞狮"] };
  const after = { captions: ["舞狮在跳", "有两只舞狮"] };
  expect(carryFindings([overlap], before, after)[0]?.spans).toEqual([
    { field: "captions.1", start: 3, end: 5 },
    { field: "captions.0", start: 0, end: 2 },
  ]);
});

test("the first caption without text is found", () => {
  expect(firstEmptySlot({ captions: ["一", "  ", ""] })).toBe(1);
  expect(firstEmptySlot({ captions: ["一"] })).toBeNull();
});

describe("characters as they are counted while typing", () => {
  test.each([
    ["一只黄色的舞狮", 7],
    ["一只，黄色的。 舞狮！", 7],
    ["两个灯笼🏮", 4],
    ["é", 1],
    ["e\u0301", 1],
    ["𠮷野家", 3],
    ["24 只", 3],
    ["", 0],
  ])("%s", (text, count) => {
    expect(lettersIn(text)).toBe(count);
  });
});
