/**
 * A batch of pictures that is reserved for one curator for ten minutes. A heartbeat renews the reservation, leaving
 * the page releases it, and judged pictures are released anyway.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Image } from "@/api/types";

export interface Batch {
  images: readonly Image[];
  until: string | null;
  heldByOthers: number;
  othersUntil: string | null;
}

interface BatchKeeping {
  batch: Batch | null;
  isFetching: boolean;
  error: ApiError | null;
  /** The heartbeat was not answered in time: others may be shown these pictures. */
  isLost: boolean;
  take: () => Promise<void>;
  put: (images: readonly Image[]) => void;
}

const HEARTBEAT_MS = 60_000;

export function useBatch(slug: string, size: number, category: string, beforeRelease: () => Promise<unknown>): BatchKeeping {
  const [batch, setBatch] = useState<Batch | null>(null);
  const [isFetching, setIsFetching] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [isLost, setIsLost] = useState(false);
  const latest = useRef(beforeRelease);
  useEffect(() => {
    latest.current = beforeRelease;
  });
  /** The number of the newest request: answers to earlier ones are dropped. */
  const newestRequest = useRef(0);

  const take = useCallback(async () => {
    const request = ++newestRequest.current;
    setIsFetching(true);
    setError(null);
    try {
      const answer = await call("image_hold", { path: { b: slug }, body: { size, ...(category === "" ? {} : { category }) } });
      if (request !== newestRequest.current) return;
      setBatch({ images: answer.images, until: answer.until, heldByOthers: answer.held_by_others, othersUntil: answer.others_until });
      setIsLost(false);
    } catch (problem) {
      if (request === newestRequest.current) setError(toApiError(problem));
    } finally {
      if (request === newestRequest.current) setIsFetching(false);
    }
  }, [slug, size, category]);

  useEffect(() => {
    const start = setTimeout(() => void take());
    const release = () => void call("image_hold_release", { path: { b: slug } }, { keepalive: true }).catch(() => undefined);
    const hide = () => release();
    window.addEventListener("pagehide", hide);
    return () => {
      clearTimeout(start);
      window.removeEventListener("pagehide", hide);
      // Judgements first, while their pictures are still reserved.
      void latest.current().finally(release);
    };
  }, [slug, take]);

  const isHeld = batch !== null && batch.images.length > 0;
  const until = batch?.until ?? null;
  useEffect(() => {
    if (!isHeld) return;
    const beat = setInterval(() => {
      call("image_hold_renew", { path: { b: slug } }).then(
        (answer) => {
          setIsLost(answer.until === null);
          setBatch((old) => old && { ...old, until: answer.until });
        },
        () => setIsLost(until !== null && Date.parse(until) < Date.now()),
      );
    }, HEARTBEAT_MS);
    return () => clearInterval(beat);
  }, [isHeld, slug, until]);

  const put = useCallback((images: readonly Image[]) => {
    const fresh = new Map(images.map((image) => [image.id, image]));
    setBatch((old) => old && { ...old, images: old.images.map((image) => fresh.get(image.id) ?? image) });
  }, []);
  return { batch, isFetching, error, isLost, take, put };
}
