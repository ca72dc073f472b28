import { describe, expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import type { Package, WorkItem, WorkRules } from "@/api/types";
import { WorkQueue, type QueueSource, type Stored } from "./workQueue";

const RULES = { slots: 5 } as WorkRules;

function server(states: Record<number, WorkItem["state"]>) {
  const items = Object.entries(states).map(
    ([id, state]) => ({ id: Number(id), position: Number(id), state }) as WorkItem,
  );
  const asked: (number | "sheet")[] = [];
  const away = new Set<number>();
  const typed = new Map<number, { base_no: number; seq: number; content: { captions: string[] } }>();
  let down = false;
  const source: QueueSource = {
    next: (after) => {
      asked.push(after);
      if (down) return Promise.reject(new ApiError(0, "no_connection"));
      const open = items.filter((item) => item.state === "todo" || item.state === "returned");
      const inOrder = [...open.filter((item) => item.position > after), ...open.filter((item) => item.position <= after)];
      return Promise.resolve({
        package: {
          id: 1,
          size: items.length,
          written: items.filter((item) => item.state === "made").length,
        } as Package,
        rules: RULES,
        items: inOrder.slice(0, 3),
      });
    },
    sheet: () => {
      asked.push("sheet");
      return down ? Promise.reject(new ApiError(0, "no_connection")) : Promise.resolve({ items });
    },
    places: () =>
      down
        ? Promise.reject(new ApiError(0, "no_connection"))
        : Promise.resolve({ items: items.map(({ id, position, state }) => ({ id, position, state, label: `cap-${id}` })) }),
    localDraft: (id) => Promise.resolve(id === 2 ? { base_no: 0, seq: 4, content: { captions: ["未送出"] } } : null),
    typed: (id) => typed.get(id) ?? null,
    onTheWay: () => away,
  };
  const set = (id: number, state: WorkItem["state"]) => {
    const item = items.find((candidate) => candidate.id === id);
    if (item) item.state = state;
  };
  return { source, asked, away, typed, set, cut: () => (down = true) };
}

const currentOf = (queue: WorkQueue) => queue.snapshot().current?.id ?? null;
const aheadOf = (queue: WorkQueue) => queue.snapshot().ahead.map(({ id }) => id);

describe("walking through a package", () => {
  test("begins at the first open item, with what this browser still keeps of it", async () => {
    const queue = new WorkQueue(server({ 1: "made", 2: "todo", 3: "todo" }).source);
    await queue.enter(null);
    expect(queue.snapshot()).toMatchObject({ phase: "writing", current: { id: 2, local: { seq: 4 } }, rules: RULES });
  });

  test("opens the item the address names, written or not", async () => {
    const queue = new WorkQueue(server({ 1: "made", 2: "todo" }).source);
    await queue.enter(1);
    expect(currentOf(queue)).toBe(1);
  });

  test("keeps three items ahead known while it continues", async () => {
    const queue = new WorkQueue(server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo", 5: "todo", 6: "todo" }).source);
    await queue.enter(null);
    await expect.poll(() => aheadOf(queue)).toEqual([2, 3, 4]);
    await queue.next({ submitted: true });
    expect(currentOf(queue)).toBe(2);
    await expect.poll(() => aheadOf(queue)).toEqual([3, 4, 5]);
  });

  test("comes back to a skipped item round the corner and ends when all are submitted", async () => {
    const { source, set } = server({ 1: "todo", 2: "todo", 3: "todo" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    await queue.next({ submitted: false });
    expect(currentOf(queue)).toBe(2);
    await queue.next({ submitted: true });
    await queue.next({ submitted: true });
    expect(currentOf(queue)).toBe(1);
    set(2, "made");
    set(3, "made");
    await queue.next({ submitted: true });
    expect(queue.snapshot()).toMatchObject({ phase: "finished", current: null });
  });

  test("skipping the only open item stays with it", async () => {
    const queue = new WorkQueue(server({ 1: "todo" }).source);
    await queue.enter(null);
    await queue.next({ submitted: false });
    expect(currentOf(queue)).toBe(1);
  });

  test("does not offer what the server still calls open while its submitted text is on the way", async () => {
    const { source, away } = server({ 1: "todo", 2: "todo", 3: "todo" });
    away.add(1);
    const queue = new WorkQueue(source);
    await queue.enter(null);
    expect(currentOf(queue)).toBe(2);
    expect(aheadOf(queue)).toEqual([3]);
  });

  test("goes back along the way it came", async () => {
    const queue = new WorkQueue(server({ 1: "todo", 2: "todo", 3: "todo" }).source);
    await queue.enter(null);
    await queue.next({ submitted: false });
    await queue.next({ submitted: false });
    expect(queue.snapshot().hasPrevious).toBe(true);
    queue.previous();
    expect(currentOf(queue)).toBe(2);
    queue.previous();
    expect(currentOf(queue)).toBe(1);
    expect(queue.snapshot().hasPrevious).toBe(false);
  });

  test("counts an item once when it is written, and takes the item as stored", async () => {
    const { source } = server({ 1: "todo", 2: "todo" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    const stored: Stored = { state: "made", revision_no: 1, content: { captions: ["一"] }, findings: [], reasons: {} };
    await queue.delivered(1, stored, { wasOpen: true, keepsOpen: false });
    expect(queue.snapshot().written).toBe(1);
    await queue.delivered(1, { ...stored, revision_no: 2 }, { wasOpen: true, keepsOpen: false });
    expect(queue.snapshot().written).toBe(1);
    expect(queue.snapshot().current).toMatchObject({ id: 1, state: "made", revision_no: 2, draft: null });
  });

  test("counts a returned item when it is written again, and one that is skipped", async () => {
    const queue = new WorkQueue(server({ 1: "made", 2: "returned", 3: "todo", 4: "todo" }).source);
    await queue.enter(null);
    expect(queue.snapshot()).toMatchObject({ written: 1, current: { id: 2 } });
    const stored: Stored = { state: "made", revision_no: 2, content: { captions: ["一"] }, findings: [], reasons: {} };
    const first = queue.delivered(2, stored, { wasOpen: true, keepsOpen: false });
    await Promise.all([first, queue.delivered(2, { ...stored, revision_no: 3 }, { wasOpen: true, keepsOpen: false })]);
    expect(queue.snapshot().written).toBe(2);
    const skipped = { reasons: ["blurred"], comment: "", at: "2026-11-01T00:00:00Z" };
    queue.leftOut(3, { state: "skipped", skipped }, { wasOpen: true });
    expect(queue.snapshot().written).toBe(3);
    queue.leftOut(3, { state: "skipped", skipped }, { wasOpen: true });
    expect(queue.snapshot().written).toBe(3);
    // What an earlier visit left behind is of an item that nothing is known of here.
    await queue.delivered(9, stored, { wasOpen: true, keepsOpen: false });
    expect(queue.snapshot().written).toBe(4);
  });

  test("what is typed stays open beside another tab's text, and is never offered as if nothing were stored", async () => {
    const { source, typed } = server({ 1: "todo", 2: "todo", 3: "todo" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    const draft = { base_no: 0, seq: 5, content: { captions: ["二"] } };
    typed.set(1, draft);
    const stored: Stored = { state: "made", revision_no: 1, content: { captions: ["一"] }, findings: [], reasons: {} };
    await queue.delivered(1, stored, { wasOpen: true, keepsOpen: true });
    expect(queue.snapshot()).toMatchObject({ written: 1, current: { id: 1, state: "todo" } });
    queue.amend(1, { comments: 1 });
    expect(queue.snapshot().current).toMatchObject({ state: "todo", comments: 1 });
    await queue.next({ submitted: false });
    expect(currentOf(queue)).toBe(2);
    expect(aheadOf(queue)).toEqual([3]);
    queue.previous();
    expect(queue.snapshot().current).toMatchObject({ id: 1, state: "made", revision_no: 1, local: draft });
  });

});

describe("the places of a package", () => {
  const stored: Stored = { state: "made", revision_no: 1, content: { captions: ["一"] }, findings: [], reasons: {} };
  const statesOf = (queue: WorkQueue) => queue.snapshot().places?.map(({ state }) => state);

  test("give the exact number of written items, also of texts that arrive while they are read", async () => {
    const { source, set } = server({ 1: "todo", 2: "returned", 3: "made" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    expect(queue.snapshot()).toMatchObject({ places: null, written: 1 });
    const reading = queue.readPlaces();
    await queue.delivered(2, stored, { wasOpen: true, keepsOpen: false });
    await reading;
    expect(statesOf(queue)).toEqual(["todo", "made", "made"]);
    expect(queue.snapshot().written).toBe(2);
    const skipped = { reasons: ["blurred"], comment: "", at: "2026-11-01T00:00:00Z" };
    queue.leftOut(1, { state: "skipped", skipped }, { wasOpen: true });
    expect(statesOf(queue)).toEqual(["skipped", "made", "made"]);
    expect(queue.snapshot().written).toBe(3);
    // Written on another computer meanwhile, and one returned.
    set(1, "made");
    set(3, "returned");
    await queue.readPlaces();
    expect(statesOf(queue)).toEqual(["made", "returned", "returned"]);
    expect(queue.snapshot().written).toBe(1);
  });

  test("lead to an open item by asking for it alone, and to a written one by the whole package", async () => {
    const { source, asked } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo", 5: "made", 6: "todo", 7: "todo", 8: "todo", 9: "todo" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    await queue.readPlaces();
    await expect.poll(() => asked).toEqual([0, 3]);
    expect(await queue.open(8)).toBe(true);
    expect(currentOf(queue)).toBe(8);
    expect(asked.slice(0, 3)).toEqual([0, 3, 7]);
    expect(asked).not.toContain("sheet");
    expect(await queue.open(5)).toBe(true);
    expect(currentOf(queue)).toBe(5);
    expect(asked).toContain("sheet");
    queue.previous();
    expect(currentOf(queue)).toBe(8);
  });

  test("do not lead away from the open item without a connection", async () => {
    const { source, cut } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo", 5: "todo", 6: "made" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    await queue.readPlaces();
    cut();
    expect(await queue.open(6)).toBe(false);
    expect(queue.snapshot()).toMatchObject({ phase: "writing", current: { id: 1 } });
    await queue.readPlaces();
    expect(statesOf(queue)).toHaveLength(6);
  });
});

describe("without answers from the server", () => {
  test("offline it walks through what was fetched, then says so", async () => {
    const { source, cut } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo", 5: "todo", 6: "todo", 7: "todo", 8: "todo" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    await expect.poll(() => aheadOf(queue)).toEqual([2, 3, 4]);
    cut();
    for (const expected of [2, 3, 4, 5, 6]) {
      await queue.next({ submitted: true });
      expect(currentOf(queue)).toBe(expected);
    }
    await queue.next({ submitted: true });
    expect(queue.snapshot()).toMatchObject({ phase: "failed", error: { code: "no_connection" } });
  });

  test("the last submitted text asks no one whether it was the last", async () => {
    const { source, asked, cut } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo" });
    const queue = new WorkQueue(source);
    await queue.enter(null);
    await expect.poll(() => asked).toEqual([0, 3]);
    cut();
    for (let left = 4; left > 0; left -= 1) await queue.next({ submitted: true });
    expect(queue.snapshot()).toMatchObject({ phase: "finished", current: null });
    expect(asked).toEqual([0, 3]);
  });

  test("after an outage it opens what lies behind all that is still on its way", async () => {
    const { source, asked, away } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo", 5: "todo", 6: "todo", 7: "todo" });
    for (const id of [1, 2, 3, 4]) away.add(id);
    const queue = new WorkQueue(source);
    await queue.enter(null);
    expect(currentOf(queue)).toBe(5);
    expect(asked.slice(0, 2)).toEqual([0, 3]);
  });

  test("it is finished when everything that is open is on its way", async () => {
    const { source, away } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo" });
    for (const id of [1, 2, 3, 4]) away.add(id);
    const queue = new WorkQueue(source);
    await queue.enter(null);
    expect(queue.snapshot().phase).toBe("finished");
  });
});

test("an answer that was asked for before a text arrived does not open its item again", async () => {
  const { source, set } = server({ 1: "todo", 2: "todo", 3: "todo", 4: "todo", 5: "todo", 6: "todo", 7: "todo" });
  let answer: (() => void) | null = null;
  const slow = { from: 6 };
  const queue = new WorkQueue({
    ...source,
    next: async (after) => {
      const early = structuredClone(await source.next(after));
      if (after === slow.from) await new Promise<void>((done) => (answer = done));
      return early;
    },
  });
  await queue.enter(null);
  await expect.poll(() => aheadOf(queue)).toEqual([2, 3, 4]);
  for (const next of [2, 3, 4]) {
    await queue.next({ submitted: true });
    expect(currentOf(queue)).toBe(next);
  }
  // What comes after the sixth, round the corner also the first two, is asked for before their texts arrive.
  await expect.poll(() => answer !== null).toBe(true);
  const made = { state: "made", revision_no: 1, content: { captions: [] }, findings: [], reasons: {} } as unknown as Stored;
  for (const id of [1, 2, 3]) {
    set(id, "made");
    await queue.delivered(id, made, { wasOpen: true, keepsOpen: false });
  }
  slow.from = -1;
  (answer as unknown as () => void)();
  await expect.poll(() => aheadOf(queue)).toEqual([5, 6, 7]);
  for (const id of [4, 5, 6, 7]) {
    expect(currentOf(queue)).toBe(id);
    set(id, "made");
    await queue.next({ submitted: true });
  }
  expect(queue.snapshot().phase).toBe("finished");
});
