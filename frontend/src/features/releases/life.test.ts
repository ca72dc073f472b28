import { describe, expect, it } from "vitest";
import { nextOf, stepsOf, timeLeft } from "./life";
import { sampleRelease } from "./sample";

const told = (over: Parameters<typeof sampleRelease>[0]) => stepsOf(sampleRelease(over)).map(({ state, is }) => `${state}: ${is}`);

describe("the steps of a release", () => {
  it("say where it stands, and forget a check that was taken back", () => {
    expect(told({ state: "draft", checked_at: "2026-11-20T09:00:00Z" })).toEqual([
      "draft: here",
      "checked: ahead",
      "frozen: ahead",
      "published: ahead",
    ]);
    expect(told({ state: "frozen", checked_at: "2026-11-20T09:00:00Z", frozen_at: "2026-11-20T10:00:00Z" })).toEqual([
      "draft: behind",
      "checked: behind",
      "frozen: here",
      "published: ahead",
    ]);
  });

  it("show how far a withdrawn one had come", () => {
    const over = { state: "withdrawn", checked_at: "2026-11-20T09:00:00Z", withdrawn_at: "2026-11-21T10:00:00Z" } as const;
    expect(told(over)).toEqual([
      "draft: behind",
      "checked: behind",
      "frozen: left out",
      "published: left out",
      "withdrawn: here",
    ]);
  });

  it("go on only for those who may", () => {
    expect(nextOf({ state: "checked", available_actions: ["release_reopen", "release_freeze"] })).toBe("release_freeze");
    expect(nextOf({ state: "checked", available_actions: [] })).toBeNull();
    expect(nextOf({ state: "published", available_actions: ["release_withdraw"] })).toBeNull();
  });
});

describe("the time left", () => {
  it("follows the pace seen here, not the part that was done before", () => {
    expect(timeLeft({ done: 60, at: 1_000 }, { done: 70, at: 6_000 }, 100)).toBe(15_000);
  });

  it("is unknown until something has moved", () => {
    expect(timeLeft({ done: 60, at: 1_000 }, { done: 60, at: 6_000 }, 100)).toBeNull();
  });
});
