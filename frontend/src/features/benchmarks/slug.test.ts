import { describe, expect, it } from "vitest";
import { isSlug, slugFrom } from "./slug";

describe("slugFrom", () => {
  it.each([
    ["Chinese Vision-Language!", "chinese-vision-language"],
    ["  Café & Thé  ", "cafe-the"],
    ["花灯", ""],
  ])("%s becomes %s", (title, slug) => {
    expect(slugFrom(title)).toBe(slug);
  });
});

describe("isSlug", () => {
  it.each([
    ["cvlue", true],
    ["cvlue-2", true],
    ["", false],
    ["CVLUE", false],
    ["a--b", false],
    ["-a", false],
    ["a".repeat(41), false],
  ])("%s: %s", (slug, valid) => {
    expect(isSlug(slug)).toBe(valid);
  });
});
