import { describe, expect, it } from "vitest";
import { nextOf, stepsOf, timeLeft } from "./releaseSteps";
import { sampleRelease } from "@/testing/release";

const steps = (over: Parameters<typeof sampleRelease>[0]) => stepsOf(sampleRelease(over)).map(({ state, status }) => `${state}: ${status}`);

describe("the steps of a release", () => {
  it("show the current state, and ignore the date of a check that was reopened", () => {
    expect(steps({ state: "draft", checked_at: "2026-11-20T09:00:00Z" })).toEqual([
      "draft: current",
      "checked: upcoming",
      "frozen: upcoming",
      "published: upcoming",
    ]);
    expect(steps({ state: "frozen", checked_at: "2026-11-20T09:00:00Z", frozen_at: "2026-11-20T10:00:00Z" })).toEqual([
      "draft: done",
      "checked: done",
      "frozen: current",
      "published: upcoming",
    ]);
  });

  it("show how far a withdrawn one had come", () => {
    const over = { state: "withdrawn", checked_at: "2026-11-20T09:00:00Z", withdrawn_at: "2026-11-21T10:00:00Z" } as const;
    expect(steps(over)).toEqual([
      "draft: done",
      "checked: done",
      "frozen: skipped",
      "published: skipped",
      "withdrawn: current",
    ]);
  });

  it("are offered only with the permission", () => {
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
