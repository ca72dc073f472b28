import { useEffect, useState } from "react";
import type { PoolPurpose } from "@/api/benchmark";
import { call } from "@/api/client";
import type { PoolSheet } from "@/api/types";
import { useStore } from "@/store/useStore";
import { PoolSeats, type Seated, type SeatOptions } from "./poolSeats";

/** The seats one holds in a pool, renewed while its page is open. */
export function usePoolSeats(slug: string, purpose: PoolPurpose, pool: PoolSheet) {
  const path = { b: slug, purpose };
  return useSeats(pool.items, {
    renew: (ids) => call("pool_renew", { path, body: { seats: ids } }),
    release: (ids) => call("pool_release", { path, body: { seats: ids } }, { keepalive: true }),
    heartbeatMs: pool.heartbeat_seconds * 1000,
  });
}

/** Seats that are held when the page opens, and later ones, renewed while the page is open. */
export function useSeats<Item extends Seated>(items: readonly Item[], options: SeatOptions) {
  const [seats] = useState(() => {
    const made = new PoolSeats<Item>(options);
    made.replace(items);
    return made;
  });
  const rows = useStore(seats);
  useEffect(() => {
    seats.start();
    // A page that slept may have missed beats.
    const wake = () => {
      if (document.visibilityState === "visible") void seats.beat();
    };
    const close = () => void seats.release();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("pagehide", close);
    return () => {
      seats.stop();
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("pagehide", close);
    };
  }, [seats]);
  return { seats, rows };
}
