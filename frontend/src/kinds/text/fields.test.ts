import { describe, expect, test } from "vitest";
import type { Finding } from "@/api/types";
import { captionAt } from "../captions/content";
import { carryFindings, findingsOf, lettersIn, marksIn } from "./fields";

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

test("a finding stands at its field and marks others", () => {
  expect(findingsOf([overlap], "captions.1")).toEqual([overlap]);
  expect(findingsOf([overlap], "captions.0")).toEqual([]);
  expect(marksIn([overlap], "captions.0")).toEqual([{ field: "captions.0", start: 0, end: 2 }]);
});

test("marks follow their characters in the text that was edited and stay in the others", () => {
  const before = { captions: ["舞狮在跳", "两只舞狮"] };
  const after = { captions: ["舞狮在跳", "有两只舞狮"] };
  expect(carryFindings([overlap], before, after, captionAt)[0]?.spans).toEqual([
    { field: "captions.1", start: 3, end: 5 },
    { field: "captions.0", start: 0, end: 2 },
  ]);
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
