import "fake-indexeddb/auto";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { deleteBrowserStore } from "@/testing/browserStore";
import { serve, type Asked } from "@/testing/server";
import { storePreloadedWork, takePreloadedWork } from "./queue/preloadedWork";
import type { NextWork } from "./queue/workQueue";
import type { Content } from "@/kinds/kind";
import { browserOutbox } from "./saving/browserStore";
import { deliveryOf, type Delivery, type WorkEntry } from "./saving/delivery";
import { prepareWork, useWork } from "./useWork";

const items = [1, 2, 3].map((id) => ({ id, position: id, state: "todo", revision_no: 0 }));
const answer = { package: { id: 9, size: 3, written: 0 }, rules: {}, items } as unknown as NextWork;

let person = 50;
afterEach(async () => {
  cleanup();
  deliveryOf(person).stop();
  await deleteBrowserStore();
  takePreloadedWork(9);
  vi.unstubAllGlobals();
});

function server() {
  person += 1;
  return serve({
    "GET /api/v1/packages/9/next": { body: answer },
    "POST /api/v1/items/1/submit": (asked: Asked) => ({
      body: { item_id: 1, state: "made", revision_no: 1, findings: [], replayed: false, asked: asked.path },
    }),
  });
}

test("what came with the page is drawn first, and nothing is asked for", async () => {
  const { asked } = server();
  const delivery = deliveryOf(person);
  storePreloadedWork(9, answer);
  await prepareWork(9, null, delivery);
  const { result } = renderHook(() => useWork(9, null, delivery));
  expect(result.current[1]).toMatchObject({ phase: "writing", current: { id: 1 } });
  await act(async () => Promise.resolve());
  expect(asked.filter(({ path, query }) => path.endsWith("/next") && query.get("after") === "0")).toEqual([]);
});

test("a submitted text that arrives before anything is drawn is known when it is", async () => {
  server();
  const delivery = deliveryOf(person);
  storePreloadedWork(9, answer);
  await prepareWork(9, null, delivery);
  const item = { id: 1, position: 1, label: "cap-000001", state: "todo" as const };
  await delivery.submit({ track: "package", packageId: 9, item, baseNo: 0, content: { captions: [] }, reasons: {}, activeMs: null, guideline: null, over: null });
  await vi.waitFor(() => expect(delivery.outbox.snapshot().entries).toEqual([]));
  const { result } = renderHook(() => useWork(9, null, delivery));
  expect(result.current[1]).toMatchObject({ written: 1, current: { id: 1, state: "made", revision_no: 1 } });
});

const text = { captions: ["一"] };

const resend = vi.fn();

function openInThisTab(delivery: Delivery, over: WorkEntry | null, { isTyped }: { isTyped: boolean }) {
  const done = () => Promise.resolve();
  const typed = isTyped ? { base_no: 0, seq: 1, content: { captions: ["二"] } } : null;
  delivery.register(1, { settled: done, flush: done, finish: done, resend, typed, state: { phase: "saved" } }, over);
}

/** What another page of this browser submitted; its line is its own. */
function ofAnotherPage(): WorkEntry {
  return {
    key: "their-key", personId: person, packageId: 9, itemId: 1, line: "their-line", position: 1, label: "cap-000001",
    baseNo: 0, content: text, reasons: {}, activeMs: null, guideline: null, leftOut: null, wasOpen: true, queuedAt: 1,
    state: "waiting", attempts: 0, failure: null,
  };
}

async function opened() {
  server();
  resend.mockClear();
  const delivery = deliveryOf(person);
  storePreloadedWork(9, answer);
  await prepareWork(9, null, delivery);
  const { result } = renderHook(() => useWork(9, null, delivery));
  return { delivery, result };
}

/** Opens the first item, lets this tab send what another page left, and gives what is shown then. */
async function shownOnceSent({ isContinued, isTyped }: { isContinued: boolean; isTyped: boolean }) {
  const { delivery, result } = await opened();
  const entry = ofAnotherPage();
  await browserOutbox<Content>().put(entry);
  openInThisTab(delivery, isContinued ? entry : null, { isTyped });
  await act(async () => {
    delivery.outbox.wake();
    await vi.waitFor(async () => expect(await browserOutbox().all(person)).toEqual([]));
    await delivery.outbox.drained();
  });
  return result.current[1];
}

test("another tab's text that this tab sends does not replace what is written here", async () => {
  const shown = await shownOnceSent({ isContinued: false, isTyped: true });
  expect(shown).toMatchObject({ written: 1, current: { id: 1, state: "todo", revision_no: 0 } });
  expect(resend).toHaveBeenCalledOnce();
});

test("another tab's text that this tab sends is shown where nothing was written here", async () => {
  const shown = await shownOnceSent({ isContinued: false, isTyped: false });
  expect(shown).toMatchObject({ written: 1, current: { id: 1, state: "made", revision_no: 1, content: text } });
});

test.each([
  ["is shown where nothing was written here", false, { state: "made", revision_no: 1, content: text }],
  ["does not replace what is written here", true, { state: "todo", revision_no: 0 }],
])("a text that another tab sent %s", async (_, isTyped, shown) => {
  const { delivery, result } = await opened();
  delivery.start();
  openInThisTab(delivery, null, { isTyped });
  const channel = new BroadcastChannel(`lantern-work-${person}`);
  const stored = { item_id: 1, state: "made", revision_no: 1, findings: [], replayed: false };
  channel.postMessage({ entry: ofAnotherPage(), answer: stored });
  await vi.waitFor(() => expect(result.current[1].written).toBe(1));
  channel.close();
  expect(result.current[1].current).toMatchObject({ id: 1, ...shown });
});

test("an earlier visit's text is what this visit continues", async () => {
  expect(await shownOnceSent({ isContinued: true, isTyped: false })).toMatchObject({ written: 1, current: { id: 1, state: "made", revision_no: 1, content: text } });
});

test.each([
  ["is forgotten once the item was submitted elsewhere", 1, []],
  ["stays while nothing newer was submitted", 0, ["their-key"]],
])("a rejected text %s", async (_, revision, kept) => {
  const { replies } = server();
  replies["GET /api/v1/packages/9"] = { body: { ...answer, items: items.map((item) => ({ ...item, revision_no: revision })) } };
  const failure = { kind: "refused" as const, status: 422, code: "content_refused", params: {}, body: null };
  await browserOutbox<Content>().put({ ...ofAnotherPage(), state: "refused", failure });
  const delivery = deliveryOf(person);
  storePreloadedWork(9, answer);
  await prepareWork(9, null, delivery);
  expect(delivery.outbox.snapshot().entries.map(({ key }) => key)).toEqual(kept);
  expect((await browserOutbox().all(person)).map(({ key }) => key)).toEqual(kept);
});

test("another package is asked for as ever", async () => {
  const { asked } = server();
  const delivery = deliveryOf(person);
  const { result } = renderHook(() => useWork(9, null, delivery));
  expect(result.current[1].phase).toBe("entering");
  await vi.waitFor(() => expect(result.current[1].phase).toBe("writing"));
  expect(asked.find(({ path }) => path.endsWith("/next"))?.query.get("after")).toBe("0");
});
