import { beforeEach, describe, expect, it } from "vitest";
import { storeDraft, readDraft } from "./draftStorage";

describe("a text that someone writes", () => {
  beforeEach(() => localStorage.clear());

  it("is stored for its benchmark alone, with the version it is written on", () => {
    storeDraft("one", { text: "a: 1", base: 2 });
    expect(readDraft("one")).toEqual({ text: "a: 1", base: 2 });
    expect(readDraft("other")).toBeNull();
  });

  it("is forgotten once it was adopted or given up", () => {
    storeDraft("one", { text: "a: 1", base: 2 });
    storeDraft("one", null);
    expect(readDraft("one")).toBeNull();
  });

  it.each(["", "no json", "[]", '{"text": 1, "base": 2}', '{"text": "x"}'])("is not read from %j", (stored) => {
    localStorage.setItem("lantern.protocol.one", stored);
    expect(readDraft("one")).toBeNull();
  });
});
