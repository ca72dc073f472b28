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
