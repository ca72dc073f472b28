import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { HeldVerdicts } from "./heldVerdicts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp() {
  const sent: [number, string, string][] = [];
  let failure: ApiError | null = null;
  let keys = 0;
  const held = new HeldVerdicts<string>({
    send: ({ itemId, verdict, key }) => {
      sent.push([itemId, verdict, key]);
      return failure ? Promise.reject(failure) : Promise.resolve();
    },
    newKey: () => `key-${++keys}`,
  });
  return { held, sent, fail: (error: ApiError | null) => (failure = error) };
}

test("a verdict is sent ten seconds after it was given", async () => {
  const { held, sent } = setUp();
  held.hold(1, "accept");
  await vi.advanceTimersByTimeAsync(9_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([[1, "accept", "key-1"]]);
  expect(held.snapshot()).toEqual([]);
});

test("undo takes the newest back and nothing of it is sent", async () => {
  const { held, sent } = setUp();
  held.hold(1, "accept");
  held.hold(2, "return");
  expect(held.undo()).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual([[1, "accept", "key-1"]]);
  expect(held.undo()).toBeNull();
});

test("a changed mind within the ten seconds is one verdict", async () => {
  const { held, sent } = setUp();
  held.hold(1, "accept");
  held.hold(1, "return");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([[1, "return", "key-2"]]);
});

test("flush sends what is held at once", async () => {
  const { held, sent } = setUp();
  held.hold(1, "accept");
  held.hold(2, "accept");
  await expect(held.flush()).resolves.toBe(true);
  expect(sent.map(([id]) => id)).toEqual([1, 2]);
});

test("without a connection it keeps trying with the same key", async () => {
  const { held, sent, fail } = setUp();
  fail(new ApiError(0, "no_connection"));
  held.hold(1, "accept");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(held.snapshot()[0]).toMatchObject({ state: "waiting" });
  fail(null);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sent.map(([, , key]) => key)).toEqual(["key-1", "key-1"]);
  expect(held.snapshot()).toEqual([]);
});

test("what the server refuses stays with its reason until it is taken back", async () => {
  const { held, sent, fail } = setUp();
  fail(new ApiError(403, "own_work"));
  held.hold(1, "accept");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(held.snapshot()[0]).toMatchObject({ state: "refused", error: { code: "own_work" } });
  await expect(held.flush()).resolves.toBe(false);
  expect(held.undo()).toBe(1);
  expect(held.snapshot()).toEqual([]);
});

test("a correction takes back what is held and waits for what is on its way", async () => {
  const { held, sent } = setUp();
  held.hold(1, "return");
  await held.withdraw(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual([]);
  held.hold(1, "accept");
  await vi.advanceTimersByTimeAsync(10_000);
  await held.withdraw(1);
  expect(sent).toEqual([[1, "accept", "key-2"]]);
});
