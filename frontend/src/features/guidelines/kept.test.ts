import { expect, test } from "vitest";
import { keep, readKept, sameTexts } from "./kept";

function store() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test("what is being written is kept by benchmark and kind until it is given up", () => {
  const browser = store();
  const mine = { text: { "zh-Hans": "写看得见的" }, note: "初稿", base: 2 };
  keep("demo", "captions", mine, browser);
  expect(readKept("demo", "captions", browser)).toEqual(mine);
  expect(readKept("demo", "vqa", browser)).toBeNull();
  keep("demo", "captions", null, browser);
  expect(browser.kept.size).toBe(0);
});

test("what has another form is not taken", () => {
  const browser = store();
  browser.setItem("lantern.guideline.demo.captions", '{"text":{"fr":"x","en":3,"zh-Hans":"好"},"note":"","base":0}');
  expect(readKept("demo", "captions", browser)?.text).toEqual({ "zh-Hans": "好" });
  browser.setItem("lantern.guideline.demo.captions", "{");
  expect(readKept("demo", "captions", browser)).toBeNull();
});

test("a blank language is the same as a missing one", () => {
  expect(sameTexts({ en: "a" }, { en: "a\n", "zh-Hans": " " })).toBe(true);
  expect(sameTexts({ en: "a" }, { "zh-Hans": "a" })).toBe(false);
});
