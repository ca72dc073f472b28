import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "./errors";
import { sendSingly, SendQueue, type SendQueueOptions } from "./sendQueue";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Verdicts of a sheet: ten seconds for undo, one request each. */
function setUp() {
  const sent: [number, string, string][] = [];
  let failure: ApiError | null = null;
  let keys = 0;
  const queue = new SendQueue<string>({
    send: sendSingly(({ subject, work, key }) => {
      sent.push([Number(subject), work, key]);
      return failure ? Promise.reject(failure) : Promise.resolve();
    }),
    holdMs: 10_000,
    keepsRefused: true,
    newKey: () => `key-${++keys}`,
  });
  const hold = (item: number, verdict: string) => queue.add([[item, verdict]]);
  return { queue, hold, sent, fail: (error: ApiError | null) => (failure = error) };
}

test("a verdict is sent ten seconds after it was given", async () => {
  const { queue, hold, sent } = setUp();
  hold(1, "accept");
  await vi.advanceTimersByTimeAsync(9_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([[1, "accept", "key-1"]]);
  expect(queue.snapshot().entries).toEqual([]);
});

test("undo takes the newest back and nothing of it is sent", async () => {
  const { queue, hold, sent } = setUp();
  hold(1, "accept");
  hold(2, "return");
  expect(queue.undo()).toEqual([2]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual([[1, "accept", "key-1"]]);
  expect(queue.undo()).toEqual([]);
});

test("a changed mind within the ten seconds is one verdict", async () => {
  const { hold, sent } = setUp();
  hold(1, "accept");
  hold(1, "return");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([[1, "return", "key-2"]]);
});

test("flush leaves alone what is added afterwards, until it is called again", async () => {
  const { queue, hold, sent } = setUp();
  hold(1, "accept");
  const first = queue.flush();
  hold(2, "accept");
  await expect(first).resolves.toBe(true);
  expect(sent.map(([id]) => id)).toEqual([1]);
  expect(queue.undo()).toEqual([2]);
  hold(3, "accept");
  void queue.flush();
  hold(4, "accept");
  await queue.flush();
  expect(sent.map(([id]) => id)).toEqual([1, 3, 4]);
});

test("a flush sends what takes the place of something that it was to send", async () => {
  const { queue, hold, sent } = setUp();
  hold(1, "accept");
  hold(2, "accept");
  const flushed = queue.flush();
  hold(2, "return");
  hold(3, "accept");
  await expect(flushed).resolves.toBe(true);
  expect(sent.map(([id, verdict]) => [id, verdict])).toEqual([
    [1, "accept"],
    [2, "return"],
  ]);
});

test("flush sends what is held at once", async () => {
  const { queue, hold, sent } = setUp();
  hold(1, "accept");
  hold(2, "accept");
  await expect(queue.flush()).resolves.toBe(true);
  expect(sent.map(([id]) => id)).toEqual([1, 2]);
});

test("without a connection it keeps trying with the same key", async () => {
  const { queue, hold, sent, fail } = setUp();
  fail(new ApiError(0, "no_connection"));
  hold(1, "accept");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(queue.snapshot().entries[0]).toMatchObject({ state: "waiting" });
  fail(null);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sent.map(([, , key]) => key)).toEqual(["key-1", "key-1"]);
  expect(queue.snapshot().entries).toEqual([]);
});

test("what the server refuses stays with its reason until it is undone", async () => {
  const { queue, hold, sent, fail } = setUp();
  fail(new ApiError(403, "own_work"));
  hold(1, "accept");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(queue.snapshot().entries[0]).toMatchObject({ state: "refused", error: { code: "own_work" } });
  await expect(queue.flush()).resolves.toBe(false);
  expect(queue.undo()).toEqual([1]);
  expect(queue.snapshot().entries).toEqual([]);
});

test("a correction undoes what is held and waits for what is on its way", async () => {
  const { queue, hold, sent } = setUp();
  hold(1, "return");
  await queue.withdraw(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toEqual([]);
  hold(1, "accept");
  await vi.advanceTimersByTimeAsync(10_000);
  await queue.withdraw(1);
  expect(sent).toEqual([[1, "accept", "key-2"]]);
});

/** Requests of many entries that are answered by hand. */
function controlledQueue(options: Partial<SendQueueOptions<string, string>> = {}) {
  const sent: string[][] = [];
  const answers: { resolve: (errors?: (string | null)[]) => void; reject: (error: ApiError) => void }[] = [];
  const queue = new SendQueue<string, string>({
    send: (entries) => {
      sent.push(entries.map(({ work }) => work));
      return new Promise((resolve, reject) =>
        answers.push({
          resolve: (errors = []) => resolve(entries.map(({ work }, at) => (errors[at] ? { answer: null, error: { code: errors[at] } } : { answer: work, error: null }))),
          reject,
        }),
      );
    },
    holdMs: 100,
    batchSize: 10,
    ...options,
  });
  return { queue, sent, answers };
}

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe("a request of many", () => {
  test("holds what is due soon after the first, at most its size", async () => {
    const { queue, sent, answers } = controlledQueue({ togetherMs: 50, batchSize: 2 });
    queue.add([
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ]);
    await settle(60);
    queue.add([[4, "d"]]);
    await settle(40);
    expect(sent).toEqual([["a", "b"]]);
    answers[0]?.resolve();
    await settle();
    expect(sent).toEqual([["a", "b"], ["c"]]);
    answers[1]?.resolve();
    await settle(60);
    expect(sent[2]).toEqual(["d"]);
  });

  test("holds only what fits its first and can be sent", async () => {
    const { queue, sent, answers } = controlledQueue({ fits: (a, b) => a === b, canSend: ({ subject }) => subject !== 9 });
    queue.add([
      [9, "a"],
      [1, "a"],
      [2, "b"],
      [3, "a"],
    ]);
    const flushed = queue.flush();
    await settle();
    answers[0]?.resolve();
    await settle();
    answers[1]?.resolve();
    expect(await flushed).toBe(true);
    expect(sent).toEqual([["a", "a"], ["b"]]);
    expect(queue.unsent()).toBe(1);
  });

  test("tells of each entry's answer and forgets those that were refused", async () => {
    const { queue, answers } = controlledQueue();
    const told: (string | null)[] = [];
    queue.onResults((answered) => told.push(...answered.map(({ answer, error }) => answer ?? error?.code ?? null)));
    queue.add([
      [1, "a"],
      [2, "b"],
    ]);
    await settle(100);
    answers[0]?.resolve([null, "own_work"]);
    await settle();
    expect(told).toEqual(["a", "own_work"]);
    expect(queue.snapshot()).toEqual({ entries: [], problem: null });
  });
});

describe("a later write about what is being sent", () => {
  test("is passed over where writes replace one another", async () => {
    const { queue, sent, answers } = controlledQueue();
    queue.add([[1, "a"]]);
    await settle(100);
    queue.add([[1, "b"]]);
    answers[0]?.resolve();
    await settle(1_000);
    expect(sent).toEqual([["a"]]);
  });

  test("follows where writes are merged, and takes up the earlier one if that got lost", async () => {
    const { queue, sent, answers } = controlledQueue({ merge: (earlier, later) => earlier + later });
    queue.add([[1, "a"]]);
    queue.add([[1, "b"]]);
    await settle(100);
    queue.add([[1, "c"]]);
    answers[0]?.reject(new ApiError(0, "no_connection"));
    await settle();
    expect(queue.snapshot()).toMatchObject({ entries: [{ work: "abc", state: "pending" }], problem: { code: "no_connection" } });
    await settle(100);
    answers[1]?.resolve();
    await settle();
    expect(sent).toEqual([["ab"], ["abc"]]);
    expect(queue.snapshot()).toEqual({ entries: [], problem: null });
  });
});

test("an entry without a time for its repeat waits for the next flush", async () => {
  const { queue, sent, answers } = controlledQueue({ retryMs: () => Infinity });
  queue.add([[1, "a"]]);
  await settle(100);
  answers[0]?.reject(new ApiError(401, "not_signed_in"));
  await settle(60_000);
  expect(sent).toHaveLength(1);
  void queue.flush();
  expect(sent).toHaveLength(2);
});

test("a stopped queue sends nothing", async () => {
  const { queue, sent } = controlledQueue();
  queue.add([[1, "a"]]);
  queue.stop();
  await settle(1_000);
  expect(await queue.flush()).toBe(false);
  expect([sent, vi.getTimerCount()]).toEqual([[], 0]);
});

test("flush sends entries that were kept from before", async () => {
  const sent: number[] = [];
  const kept = { subject: 7, work: "accept", key: "k", group: 12, due: Infinity, state: "pending", error: null } as const;
  const queue = new SendQueue<string>({ send: sendSingly(({ subject }) => Promise.resolve(sent.push(Number(subject)))), holdMs: 10_000 }, [kept]);
  await expect(queue.flush()).resolves.toBe(true);
  expect(sent).toEqual([7]);
});
