import { expect, it } from "vitest";
import { changesBetween } from "./diff";

const drawn = (before: string, after: string) =>
  changesBetween(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}]`, added: `[+${text}]` })[kind])
    .join("");

it.each([
  ["两只舞狮站在牌楼前", "两只黄色的舞狮站在牌楼前", "两只[+黄色的]舞狮站在牌楼前"],
  ["一只黄狮在跳", "一只红狮在跳", "一只[-黄][+红]狮在跳"],
  ["甲在门口", "甲在门口", "甲在门口"],
  ["", "新写的一句", "[+新写的一句]"],
  ["他举着一把伞走", "她撑着两把伞走", "[-他举着一][+她撑着两]把伞走"],
  ["a red lion stands", "a yellow lion stands", "a [-red][+yellow] lion stands"],
])("from %j to %j", (before, after, changes) => {
  expect(drawn(before, after)).toBe(changes);
});

it("gives up on long texts with nothing in common, and compares long texts with a small change", () => {
  const text = (step: number) => Array.from({ length: 10_000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * step) % 20_000))).join("");
  const one = text(7919);
  expect(changesBetween(one, text(104_729)).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  expect(changesBetween(one, `${one}灯笼`).map(({ kind }) => kind)).toEqual(["same", "added"]);
  expect(changesBetween("a\u0301".repeat(5_000), "b".repeat(9_000)).map(({ kind }) => kind)).toEqual(["removed", "added"]);
});
