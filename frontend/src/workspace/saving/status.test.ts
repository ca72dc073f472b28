import { describe, expect, test } from "vitest";
import { backoffMs } from "./backoff";
import { failureOf } from "./failure";
import type { OutboxEntry, OutboxSnapshot } from "./outbox";
import { isUnsent, saveStatus } from "./status";

const entry = (state: OutboxEntry["state"]) => ({ state }) as OutboxEntry;
const box = (phase: OutboxSnapshot["phase"], ...states: OutboxEntry["state"][]): OutboxSnapshot => ({
  phase,
  entries: states.map(entry),
  waiting: states.filter((state) => state === "waiting").length,
});

describe("one word for what has been typed", () => {
  test.each([
    ["nothing open", "saved", box("idle"), { name: "saved" }],
    ["typed", "unsaved", box("idle"), { name: "saving" }],
    ["submitting", "saved", box("sending", "waiting"), { name: "saving" }],
    ["two texts and no connection", "waiting", box("offline", "waiting"), { name: "offline", waiting: 2 }],
    ["signed out", "signed_out", box("idle"), { name: "signed_out", waiting: 1 }],
    ["refused comes before offline", "saved", box("offline", "refused", "waiting"), { name: "refused", count: 1 }],
    ["a conflict comes first", "stale", box("offline", "conflict", "refused"), { name: "conflict", count: 2 }],
  ] as const)("%s", (_name, draft, outbox, expected) => {
    expect(saveStatus(draft, outbox)).toEqual(expected);
  });

  test("leaving is safe only when the server holds everything", () => {
    expect(isUnsent("saved", box("idle"))).toBe(false);
    expect(isUnsent("saving", box("idle"))).toBe(true);
    expect(isUnsent("saved", box("idle", "conflict"))).toBe(true);
  });
});

describe("what a failure means", () => {
  test.each([
    [new TypeError("Failed to fetch"), "retry"],
    [{ status: 503, code: "x" }, "retry"],
    [{ status: 429, code: "throttled" }, "retry"],
    [{ status: 401, code: "not_signed_in" }, "signed_out"],
    [{ status: 409, code: "stale_revision" }, "stale"],
    [{ status: 409, code: "action_not_allowed" }, "refused"],
    [{ status: 422, code: "content_refused" }, "refused"],
    [{ status: 404, code: "not_found" }, "refused"],
  ])("%o", (error, kind) => {
    expect(failureOf(error).kind).toBe(kind);
  });

  test("pauses double from one second to thirty, less up to a fifth", () => {
    expect([1, 2, 3, 5, 6, 20].map((attempt) => backoffMs(attempt, 0))).toEqual([
      1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
    ]);
    expect(backoffMs(3, 0.999)).toBe(3_201);
  });
});
