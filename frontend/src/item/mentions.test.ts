import { describe, expect, it } from "vitest";
import { complete, fitting, mentionAt, mentionsIn, pieces, unknownMentions } from "./mentions";

const people = [
  { id: 1, label: "王芳" },
  { id: 2, label: "王芳芳" },
  { id: 3, label: "Zhang Wei" },
  { id: 4, label: "小王" },
];

describe("mentionAt", () => {
  it.each([
    ["请@王", 3, { start: 1, typed: "王" }],
    ["＠", 1, { start: 0, typed: "" }],
    ["看@王芳 说", 6, null],
    ["写到 a@example.org", 16, null],
    ["没有", 2, null],
  ])("finds in %j at %i %j", (text, cursor, found) => {
    expect(mentionAt(text, cursor)).toEqual(found);
  });
});

describe("completing", () => {
  it("offers names that begin so before names that only hold it", () => {
    expect(fitting(people, "王").map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(fitting(people, "zh").map(({ id }) => id)).toEqual([3]);
  });

  it("puts the name in the place of what was typed", () => {
    expect(complete("请@王看第二句", 1, 3, "王芳")).toEqual({ text: "请@王芳 看第二句", cursor: 5 });
  });
});

describe("mentionsIn", () => {
  it("takes the longer of two names that fit, and each person once", () => {
    expect(mentionsIn("@王芳芳 @Zhang Wei 请看，@Zhang Wei", people)).toEqual([2, 3]);
  });

  it("finds names that were typed in other case", () => {
    expect(mentionsIn("@zhang wei, please look", people)).toEqual([3]);
  });

  it.each([
    ["@王芳 请看", []],
    ["@审核员，请看 @Zhang Wei @李雷 @审核员", ["审核员", "李雷"]],
    ["写到 a@example.org，或 @ 一下", []],
  ])("names in %j what is nobody's name: %j", (text, unknown) => {
    expect(unknownMentions(text, people)).toEqual(unknown);
  });

  it("leaves the rest of the text as it is", () => {
    expect(pieces("请 @王芳 看@谁", people)).toEqual([
      { text: "请 ", person: null },
      { text: "@王芳", person: 1 },
      { text: " 看@谁", person: null },
    ]);
  });
});
