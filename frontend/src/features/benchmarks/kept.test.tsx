import { beforeEach, describe, expect, it } from "vitest";
import { keep, readKept } from "./kept";

describe("a text that somebody writes", () => {
  beforeEach(() => localStorage.clear());

  it("is kept for its benchmark alone, with the version it is written on", () => {
    keep("one", { text: "a: 1", base: 2 });
    expect(readKept("one")).toEqual({ text: "a: 1", base: 2 });
    expect(readKept("other")).toBeNull();
  });

  it("is forgotten once it was adopted or given up", () => {
    keep("one", { text: "a: 1", base: 2 });
    keep("one", null);
    expect(readKept("one")).toBeNull();
  });

  it.each(["", "no json", "[]", '{"text": 1, "base": 2}', '{"text": "x"}'])("is not read from %j", (stored) => {
    localStorage.setItem("lantern.protocol.one", stored);
    expect(readKept("one")).toBeNull();
  });
});
