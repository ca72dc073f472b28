import { useEffect, useState } from "react";
import type { PoolPurpose } from "@/api/benchmark";
import { call } from "@/api/client";
import type { PoolSheet } from "@/api/types";
import { useStore } from "@/store/useStore";
import { PoolSeats } from "./poolSeats";

/** The seats one holds in a pool, renewed while its page is open. */
export function usePoolSeats(slug: string, purpose: PoolPurpose, pool: PoolSheet) {
  const path = { b: slug, purpose };
  const [seats] = useState(() => {
    const made = new PoolSeats({
      renew: (ids) => call("pool_renew", { path, body: { seats: ids } }),
      release: (ids) => call("pool_release", { path, body: { seats: ids } }, { keepalive: true }),
      heartbeatMs: pool.heartbeat_seconds * 1000,
    });
    made.take(pool.items);
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
