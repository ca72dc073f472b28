import "fake-indexeddb/auto";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { deleteBrowserStore } from "@/testing/browserStore";
import { serve, type Asked } from "@/testing/server";
import { storePreloadedWork, takePreloadedWork } from "./queue/preloadedWork";
import type { NextWork } from "./queue/workQueue";
import { deliveryOf } from "./saving/delivery";
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
  await delivery.submit({ packageId: 9, item, baseNo: 0, content: { captions: [] }, reasons: {}, activeMs: null, guideline: null, over: null });
  await vi.waitFor(() => expect(delivery.outbox.snapshot().entries).toEqual([]));
  const { result } = renderHook(() => useWork(9, null, delivery));
  expect(result.current[1]).toMatchObject({ written: 1, current: { id: 1, state: "made", revision_no: 1 } });
});

test("another package is asked for as ever", async () => {
  const { asked } = server();
  const delivery = deliveryOf(person);
  const { result } = renderHook(() => useWork(9, null, delivery));
  expect(result.current[1].phase).toBe("entering");
  await vi.waitFor(() => expect(result.current[1].phase).toBe("writing"));
  expect(asked.find(({ path }) => path.endsWith("/next"))?.query.get("after")).toBe("0");
});
