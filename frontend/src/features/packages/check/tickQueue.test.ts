import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { TickQueue, type Tick } from "./tickQueue";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp() {
  const sent: [number, readonly Tick[]][] = [];
  const answers: { resolve: (revision: number) => void; reject: (error: unknown) => void }[] = [];
  const failures: [string, Tick][] = [];
  const pending: number[] = [];
  const queue = new TickQueue({
    revision: 4,
    send: (revision, items) => {
      sent.push([revision, items]);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
  });
  queue.onResults((answered) => failures.push(...answered.flatMap(({ entry, error }): [string, Tick][] => (error ? [[error.code, entry.work]] : []))));
  queue.subscribe(() => pending.push(queue.unsent()));
  return { queue, sent, answers, failures, pending };
}

const tick = (id: number): Tick => ({ id, revision_no: 1 });

test("ticks close together go in one request, each item once", async () => {
  const { queue, sent } = setUp();
  queue.tick(tick(1));
  queue.tick(tick(2));
  queue.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual([[4, [tick(1), tick(2)]]]);
});

test("the next request waits for the answer and names the revision it brought", async () => {
  const { queue, sent, answers, pending } = setUp();
  queue.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  queue.tick(tick(2));
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
  const { queue, answers, failures } = setUp();
  queue.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  answers[0]?.reject(new ApiError(409, "stale_revision"));
  await vi.advanceTimersByTimeAsync(0);
  expect(failures).toEqual([["stale_revision", tick(1)]]);
});

test("flush waits for what is on its way and sends what waits", async () => {
  const { queue, sent, answers } = setUp();
  queue.tick(tick(1));
  let done = false;
  void queue.flush().then(() => (done = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(1);
  expect(done).toBe(false);
  answers[0]?.resolve(5);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toBe(true);
});

test("a tick undone before it was sent is sent as undone", async () => {
  const { queue, sent } = setUp();
  queue.tick(tick(1));
  queue.tick({ id: 1, revision_no: 0 });
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual([[4, [{ id: 1, revision_no: 0 }]]]);
});

test("a tick repeated after it was undone on its way is sent again", async () => {
  const { queue, sent, answers } = setUp();
  queue.tick(tick(1));
  await vi.advanceTimersByTimeAsync(250);
  queue.tick({ id: 1, revision_no: 0 });
  queue.tick(tick(1));
  answers[0]?.resolve(5);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent[1]).toEqual([5, [tick(1)]]);
});
