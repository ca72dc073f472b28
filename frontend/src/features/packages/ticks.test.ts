import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { TickSender, type Tick } from "./ticks";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp() {
  const sent: [number, readonly Tick[]][] = [];
  const answers: { resolve: (revision: number) => void; reject: (error: unknown) => void }[] = [];
  const failures: [string, readonly Tick[]][] = [];
  const pending: number[] = [];
  const sender = new TickSender<{ revision: number }>({
    revision: 4,
    send: (revision, items) => {
      sent.push([revision, [...items]]);
      return new Promise((resolve, reject) => answers.push({ resolve: (next) => resolve({ revision: next }), reject }));
    },
    onAnswer: () => undefined,
    onFailure: (error, items) => failures.push([error.code, items]),
    onPending: (items) => pending.push(items.length),
  });
  return { sender, sent, answers, failures, pending };
}

const tick = (id: number): Tick => ({ id, revision_no: 1 });

test("ticks close together go in one request, each item once", async () => {
  const { sender, sent } = setUp();
  sender.tick(tick(1));
  sender.tick(tick(2));
  sender.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual([[4, [tick(1), tick(2)]]]);
});

test("the next request waits for the answer and names the revision it brought", async () => {
  const { sender, sent, answers, pending } = setUp();
  sender.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  sender.tick(tick(2));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  answers[0]?.resolve(5);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent[1]).toEqual([5, [tick(2)]]);
  answers[1]?.resolve(6);
  await vi.advanceTimersByTimeAsync(0);
  expect(pending.at(-1)).toBe(0);
});

test("a refused request gives its ticks back with the reason", async () => {
  const { sender, answers, failures } = setUp();
  sender.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  answers[0]?.reject(new ApiError(409, "stale_revision"));
  await vi.advanceTimersByTimeAsync(0);
  expect(failures).toEqual([["stale_revision", [tick(1)]]]);
});

test("flush waits for what is on its way and sends what waits", async () => {
  const { sender, sent, answers } = setUp();
  sender.tick(tick(1));
  let done = false;
  void sender.flush().then(() => (done = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(1);
  expect(done).toBe(false);
  answers[0]?.resolve(5);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toBe(true);
});

test("a tick taken back before it was sent is sent as taken back", async () => {
  const { sender, sent } = setUp();
  sender.tick(tick(1));
  sender.tick({ id: 1, revision_no: 0 });
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual([[4, [{ id: 1, revision_no: 0 }]]]);
});
