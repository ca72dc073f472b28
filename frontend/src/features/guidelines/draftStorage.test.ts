import { expect, test } from "vitest";
import { storeDraft, readDraft, sameTexts } from "./draftStorage";

function store() {
  const stored = new Map<string, string>();
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
}

test("what is being written is stored by benchmark and kind until it is given up", () => {
  const browser = store();
  const mine = { text: { "zh-Hans": "写看得见的" }, note: "初稿", base: 2 };
  storeDraft("demo", "captions", mine, browser);
  expect(readDraft("demo", "captions", browser)).toEqual(mine);
  expect(readDraft("demo", "vqa", browser)).toBeNull();
  storeDraft("demo", "captions", null, browser);
  expect(browser.stored.size).toBe(0);
});

test("what has another form is not taken", () => {
  const browser = store();
  browser.setItem("lantern.guideline.demo.captions", '{"text":{"fr":"x","en":3,"zh-Hans":"好"},"note":"","base":0}');
  expect(readDraft("demo", "captions", browser)?.text).toEqual({ "zh-Hans": "好" });
  browser.setItem("lantern.guideline.demo.captions", "{");
  expect(readDraft("demo", "captions", browser)).toBeNull();
});

test("a blank language is the same as a missing one", () => {
  expect(sameTexts({ en: "a" }, { en: "a\n", "zh-Hans": " " })).toBe(true);
  expect(sameTexts({ en: "a" }, { "zh-Hans": "a" })).toBe(false);
});
