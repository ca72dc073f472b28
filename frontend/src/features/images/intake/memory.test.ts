// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { browserMemory, fingerprintOf } from "./memory";

beforeEach(() => localStorage.clear());

describe("browserMemory", () => {
  it("keeps started uploads, apart for each person and benchmark", () => {
    browserMemory(1, "b", localStorage).set("f", { key: "k", id: "u" });
    expect(browserMemory(1, "b", localStorage).get("f")).toEqual({ key: "k", id: "u" });
    expect(browserMemory(2, "b", localStorage).get("f")).toBeNull();
    expect(browserMemory(1, "c", localStorage).get("f")).toBeNull();
  });

  it("forgets what was taken in, what is too old and what cannot be read", () => {
    let now = 0;
    const memory = browserMemory(1, "b", localStorage, () => now);
    memory.set("done", { key: "k", id: null });
    memory.forget("done");
    memory.set("old", { key: "k", id: null });
    now = 13 * 24 * 3_600_000;
    memory.set("new", { key: "k", id: null });
    localStorage.setItem("lantern.upload.1.b.broken", "{");
    now = 15 * 24 * 3_600_000;
    const later = browserMemory(1, "b", localStorage, () => now);
    expect(["done", "old", "new", "broken"].map((name) => later.get(name)?.key ?? null)).toEqual([null, null, "k", null]);
    expect(localStorage.length).toBe(1);
  });
});

describe("fingerprintOf", () => {
  it("tells files of one name apart", () => {
    const a = new File(["x"], "image.jpg", { lastModified: 1 });
    const b = new File(["x"], "image.jpg", { lastModified: 2 });
    const c = new File(["xy"], "image.jpg", { lastModified: 1 });
    expect(new Set([a, b, c].map(fingerprintOf)).size).toBe(3);
  });
});
