/**
 * A batch of pictures that is reserved for one curator for ten minutes. A heartbeat renews the reservation, leaving
 * the page releases it, and pictures that are done are released anyway.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Image } from "@/api/types";

export interface Batch<Row extends Image = Image> {
  images: readonly Row[];
  until: string | null;
  heldByOthers: number;
  othersUntil: string | null;
}

interface BatchKeeping<Row extends Image> {
  batch: Batch<Row> | null;
  isFetching: boolean;
  error: ApiError | null;
  /** The heartbeat was not answered in time: others may be shown these pictures. */
  isLost: boolean;
  /** Reserves the next batch; `after` is as in `Reservation.hold`. */
  take: (after?: number) => Promise<void>;
  put: (images: readonly Row[]) => void;
}

/** The requests by which pictures are reserved; the same object at every rendering. */
export interface Reservation<Row extends Image> {
  /** `after` is the number of the last picture that was passed over, where the reservation has pictures by number. */
  hold: (after: number) => Promise<{ images: Row[]; until: string | null; held_by_others: number; others_until: string | null }>;
  renew: () => Promise<{ until: string | null }>;
  /** The page may be gone before it is answered. */
  release: () => Promise<unknown>;
}

const HEARTBEAT_MS = 60_000;

/** Pictures to be judged, of one category or of all. */
export function inspection(slug: string, size: number, category: string): Reservation<Image> {
  const path = { b: slug };
  return {
    hold: () => call("image_hold", { path, body: { size, ...(category === "" ? {} : { category }) } }),
    renew: () => call("image_hold_renew", { path }),
    release: () => call("image_hold_release", { path }, { keepalive: true }),
  };
}

export function useBatch<Row extends Image>(reservation: Reservation<Row>, beforeRelease: () => Promise<unknown>): BatchKeeping<Row> {
  const [batch, setBatch] = useState<Batch<Row> | null>(null);
  const [isFetching, setIsFetching] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [isLost, setIsLost] = useState(false);
  const latest = useRef(beforeRelease);
  useEffect(() => {
    latest.current = beforeRelease;
  });
  /** The number of the newest request: answers to earlier ones are dropped. */
  const newestRequest = useRef(0);

  const take = useCallback(async (after = 0) => {
    const request = ++newestRequest.current;
    setIsFetching(true);
    setError(null);
    try {
      const answer = await reservation.hold(after);
      if (request !== newestRequest.current) return;
      setBatch({ images: answer.images, until: answer.until, heldByOthers: answer.held_by_others, othersUntil: answer.others_until });
      setIsLost(false);
    } catch (problem) {
      if (request === newestRequest.current) setError(toApiError(problem));
    } finally {
      if (request === newestRequest.current) setIsFetching(false);
    }
  }, [reservation]);

  useEffect(() => {
    const start = setTimeout(() => void take());
    const release = () => void reservation.release().catch(() => undefined);
    const hide = () => release();
    window.addEventListener("pagehide", hide);
    return () => {
      clearTimeout(start);
      window.removeEventListener("pagehide", hide);
      // Decisions first, while their pictures are still reserved.
      void latest.current().finally(release);
    };
  }, [reservation, take]);

  const isHeld = batch !== null && batch.images.length > 0;
  const until = batch?.until ?? null;
  useEffect(() => {
    if (!isHeld) return;
    const beat = setInterval(() => {
      reservation.renew().then(
        (answer) => {
          setIsLost(answer.until === null);
          setBatch((old) => old && { ...old, until: answer.until });
        },
        () => setIsLost(until !== null && Date.parse(until) < Date.now()),
      );
    }, HEARTBEAT_MS);
    return () => clearInterval(beat);
  }, [isHeld, reservation, until]);

  const put = useCallback((images: readonly Row[]) => {
    const fresh = new Map(images.map((image) => [image.id, image]));
    setBatch((old) => old && { ...old, images: old.images.map((image) => fresh.get(image.id) ?? image) });
  }, []);
  return { batch, isFetching, error, isLost, take, put };
}
