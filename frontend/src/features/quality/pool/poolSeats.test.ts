import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolItem } from "@/api/types";
import { PoolSeats } from "./poolSeats";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const item = (id: number) => ({ id, seat: id + 100, lease_until: "2026-11-21T10:00:00Z" }) as PoolItem;

function setUp() {
  const renewed: number[][] = [];
  const released: number[][] = [];
  const told: number[][] = [];
  let lost: number[] = [];
  let offline = false;
  const seats = new PoolSeats({
    heartbeatMs: 60_000,
    renew: (ids) => {
      renewed.push(ids);
      if (offline) return Promise.reject(new Error("offline"));
      const kept = ids.filter((id) => !lost.includes(id)).map((seat) => ({ seat, lease_until: "2026-11-21T10:05:00Z" }));
      return Promise.resolve({ kept, lost });
    },
    release: (ids) => {
      released.push(ids);
      return Promise.resolve();
    },
  });
  seats.onLost((items) => told.push(items.map((one) => one.id)));
  seats.replace([item(1), item(2), item(3)]);
  seats.start();
  return { seats, renewed, released, told, lose: (ids: number[]) => (lost = ids), cut: () => (offline = true) };
}

test("each minute the leases of what is not judged yet are renewed", async () => {
  const { seats, renewed } = setUp();
  seats.judged(2, {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renewed).toEqual([[101, 103]]);
  expect(seats.snapshot().map((row) => [row.state, row.item.lease_until.slice(11, 16)])).toEqual([
    ["held", "10:05"],
    ["done", "10:00"],
    ["held", "10:05"],
  ]);
  seats.stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(renewed).toHaveLength(1);
});

test("a seat that went to someone else is reported, stays visible and is not renewed", async () => {
  const { seats, renewed, told, lose } = setUp();
  lose([102]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(told).toEqual([[2]]);
  expect(seats.snapshot()[1]?.state).toBe("lost");
  expect(renewed[1]).toEqual([101, 103]);
});

test("without a connection nothing is given up", async () => {
  const { seats, told, cut } = setUp();
  cut();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seats.snapshot().map((row) => row.state)).toEqual(["held", "held", "held"]);
  expect(told).toEqual([]);
});

test("leaving hands back what was not judged, once", async () => {
  const { seats, released } = setUp();
  seats.judged(1, {});
  await seats.release();
  await seats.release();
  expect(released).toEqual([[102, 103]]);
});
