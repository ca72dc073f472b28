import { describe, expect, test } from "vitest";
import { carrySpans, editBetween, inOneLine, markedTexts, segmentsOf } from "./spans";

describe("marking the shared characters of a caption", () => {
  const text = "一只黄色的舞狮和红色的舞狮";

  test("cuts the text into stretches that are together the text again", () => {
    const segments = segmentsOf(text, [
      { start: 8, end: 13 },
      { start: 2, end: 7 },
    ]);
    expect(segments).toEqual([
      { text: "一只", marked: false },
      { text: "黄色的舞狮", marked: true },
      { text: "和", marked: false },
      { text: "红色的舞狮", marked: true },
    ]);
  });

  test("joins spans that overlap or touch, and ignores what lies outside the text", () => {
    expect(
      segmentsOf("abcdef", [
        { start: 1, end: 3 },
        { start: 3, end: 4 },
        { start: 2, end: 3 },
        { start: 5, end: 99 },
        { start: 4, end: 4 },
      ]),
    ).toEqual([
      { text: "a", marked: false },
      { text: "bcd", marked: true },
      { text: "e", marked: false },
      { text: "f", marked: true },
    ]);
  });

  test("counts in UTF-16 code units, as the server does", () => {
    expect(markedTexts("𠮷野家的𠮷", [{ start: 0, end: 3 }])).toEqual(["𠮷野"]);
  });

  test("lists each marked stretch once", () => {
    expect(
      markedTexts("舞狮前的舞狮", [
        { start: 0, end: 2 },
        { start: 4, end: 6 },
      ]),
    ).toEqual(["舞狮"]);
  });
});

describe("marks while the person continues typing", () => {
  test("stay before the edit and move along after it", () => {
    const spans = [
      { start: 0, end: 2 },
      { start: 4, end: 6 },
    ];
    expect(carrySpans(editBetween("黄色的红舞狮", "黄色的大红舞狮"), spans)).toEqual([
      { start: 0, end: 2 },
      { start: 5, end: 7 },
    ]);
  });

  test("are dropped where the edit touches them", () => {
    expect(
      carrySpans(editBetween("黄色的舞狮", "黄大色的舞狮"), [
        { start: 0, end: 2 },
        { start: 3, end: 5 },
      ]),
    ).toEqual([{ start: 4, end: 6 }]);
  });

  test("survive an unchanged text", () => {
    expect(carrySpans(editBetween("舞狮", "舞狮"), [{ start: 0, end: 2 }])).toEqual([{ start: 0, end: 2 }]);
  });
});

test.each([
  ["一\n二", "一 二"],
  ["一 \r\n \n 二", "一 二"],
  ["\n一\n", " 一 "],
  [" 一 二 ", " 一 二 "],
  ["\n \n", " "],
  ["一\u2028二 \u2029三", "一 二 三"],
  ["", ""],
  [`一${" ".repeat(10_000)}二`, `一${" ".repeat(10_000)}二`],
  [`一${" ".repeat(10_000)}\n${"\n ".repeat(5_000)}二`, "一 二"],
])("pasted lines become one", (pasted, line) => {
  expect(inOneLine(pasted)).toBe(line);
});
