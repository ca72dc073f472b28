import { describe, expect, test, vi } from "vitest";
import type { Finding } from "@/api/types";
import type { Content } from "../kind";
import { carryFindings, countsAsOne, findingsOf, lettersIn, marksIn, showsNothing } from "./fields";

const captionAt = (content: Content, path: string) => (content.captions as string[])[Number(path.split(".")[1])] ?? null;

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
    ["각", 1],
    ["\u1100\u1161\u11a8", 1],
    ["น้ำ", 1],
    ["🇨🇳🇨🇳1", 1],
    ["葛\u{e0100}城", 2],
    ["\u3164\uffa0\u115f\u1160", 0],
    ["\u115f\u1161字", 2],
    ["\u2800\u{e0041}\u200b", 0],
  ])("%s", (text, count) => {
    expect(lettersIn(text)).toBe(count);
  });

  test.each([
    ["a letter", "a".repeat(10_000), 10_000],
    ["a rare character", "𠮷".repeat(10_000), 10_000],
    ["marks on one letter", `a${"\u0301\u0316".repeat(5_000)}`, 1],
    ["flags", "🇨🇳".repeat(5_000), 0],
    ["variants", "葛\u{e0100}".repeat(5_000), 5_000],
    ["jamo", "\u1112\u1161\u11ab".repeat(3_000), 3_000],
    ["blanks", " ".repeat(10_000), 0],
    ["several scripts", "舞狮 1، שלום Ａ 你好𠮷…カ".repeat(500), 6_000],
  ])("ten thousand code points without cutting them: %s", (_, text, count) => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    expect(lettersIn(text)).toBe(count);
    expect(segment).not.toHaveBeenCalled();
    segment.mockRestore();
  });

  test("no character that is counted by itself joins its neighbour", () => {
    const skipped = /[\p{Script=Han}\p{Script=Tangut}\p{Script=Cuneiform}\p{Script=Egyptian_Hieroglyphs}]/u;
    const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
    const joined: string[] = [];
    for (let from = 0; from < 0x20000; from += 0x80) {
      if (from >= 0xd800 && from < 0xe000) continue;
      const block = Array.from({ length: 0x80 }, (_, at) => String.fromCodePoint(from + at));
      const alone = block.filter((character) => countsAsOne(character) && !skipped.test(character)).join("");
      for (const { segment } of segmenter.segment(alone)) if (segment.length > 2) joined.push(segment);
    }
    expect(joined).toEqual([]);
  });
});

test("marks are carried by one comparison of each text, however many there are", () => {
  const spans = Array.from({ length: 200 }, (_, at) => ({ field: "captions.0", start: 2 * at, end: 2 * at + 1 }));
  const many = Array.from({ length: 45 }, () => ({ ...overlap, spans }));
  const read = vi.fn(captionAt);
  const carried = carryFindings(many, { captions: ["狮".repeat(500)] }, { captions: [`舞${"狮".repeat(500)}`] }, read);
  expect(carried[44]?.spans[199]).toEqual({ field: "captions.0", start: 399, end: 400 });
  expect(read).toHaveBeenCalledTimes(2);
});

test.each(["", " \n", "\u3164", "\uffa0", "\u115f", "\u1160", "\u2800", "\u{e0041}", "\u200b", "\u200d", "\u034f", "\ufe0f"])(
  "%j shows nothing",
  (text) => {
    expect(showsNothing(text)).toBe(true);
    expect(showsNothing(`!${text}`)).toBe(false);
  },
);
