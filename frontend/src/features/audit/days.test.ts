import { describe, expect, it } from "vitest";
import { between } from "./days";

describe("between", () => {
  it("holds the whole of the last day, in the reader's zone", () => {
    const { since, until } = between("2026-11-20", "2026-11-20");
    expect(since).toBe(new Date(2026, 10, 20).toISOString());
    expect(until).toBe(new Date(2026, 10, 21).toISOString());
  });

  it("goes over the end of a month and leaves open what is no day", () => {
    expect(between("", "2026-11-30")).toEqual({ since: undefined, until: new Date(2026, 11, 1).toISOString() });
    expect(between("yesterday", "")).toEqual({ since: undefined, until: undefined });
  });
});
