/** The item whose seat a second person holds, and their answers: one is sent at a time, again until the server has it. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { call } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { Clicking, ClickingPool } from "@/api/types";
import type { Point } from "@/picture/geometry";
import { useSeats } from "../pool/usePoolSeats";

/** Milliseconds before an answer that met no server is sent again. */
const RETRY_MS = 3_000;

export type ClickAnswer = { readonly answer: "point"; readonly at: Point } | { readonly answer: "not_found" | "several" };

/** A request as it was sent first: one that is sent again is the same, so that it counts once. */
interface SentAnswer {
  readonly path: { id: number };
  readonly body: { position: number; answer: ClickAnswer["answer"]; x?: number; y?: number; ms: number; picture_no: number };
  readonly isLast: boolean;
}

export function useClicking({ slug, kind, pool }: { slug: string; kind: string; pool: ClickingPool }) {
  const { item } = pool;
  const client = useQueryClient();
  const claim = useWrite("click_claim");
  const write = useWrite("item_click");
  const [unsent, setUnsent] = useState<SentAnswer | null>(null);
  const [isStuck, setStuck] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [isLost, setLost] = useState(false);
  const [isDone, setDone] = useState(false);
  const held = useRef(item);
  const path = { b: slug };
  const { seats } = useSeats<Clicking>(item ? [item] : [], {
    renew: (ids) => call("peer_pool_renew", { path, body: { seats: ids } }),
    // What was started stays with the person until the lease ends: another one would start again.
    release: (ids) => ((held.current?.position ?? 1) > 1 ? Promise.resolve() : call("peer_pool_release", { path, body: { seats: ids } }, { keepalive: true })),
    heartbeatMs: pool.heartbeat_seconds * 1000,
  });
  useEffect(() => {
    held.current = item;
    seats.replace(item ? [item] : []);
  }, [seats, item]);
  const onLost = useEffectEvent(() => {
    setLost(true);
    setUnsent(null);
    setStuck(false);
    void client.invalidateQueries({ queryKey: ["clicking_show"] });
  });
  useEffect(() => seats.onLost(() => onLost()), [seats]);
  useEffect(() => () => void seats.release(), [seats]);

  function send(sent: SentAnswer) {
    if (write.isPending) return;
    setUnsent(sent);
    write.mutate(
      { path: sent.path, body: sent.body },
      {
        onSuccess: () => {
          setUnsent(null);
          setStuck(false);
          setDone(sent.isLast);
        },
        onError: (why) => {
          setStuck(why.isPassing);
          if (why.isPassing) return;
          setUnsent(null);
          if (why.code === "seat_not_held") setLost(true);
          else setError(why);
        },
      },
    );
  }

  const again = useEffectEvent(() => {
    if (unsent !== null) send(unsent);
  });
  useEffect(() => {
    if (!isStuck) return;
    const timer = setInterval(() => again(), RETRY_MS);
    const back = () => again();
    window.addEventListener("online", back);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", back);
    };
  }, [isStuck]);

  return {
    item,
    /** Whether an answer is on its way. */
    isBusy: unsent !== null,
    /** Whether the last try to send it met no server. */
    isStuck,
    retry: () => unsent !== null && send(unsent),
    error,
    /** Why no item could be claimed. */
    refusal: claim.error,
    isClaiming: claim.isPending,
    /** Whether the seat went to someone else. */
    isLost,
    /** Whether the last answer about an item was given. */
    isDone,
    start: () => {
      setError(null);
      setLost(false);
      setDone(false);
      claim.mutate({ path, body: { kind } });
    },
    answer: (of: Clicking, given: ClickAnswer, ms: number) => {
      if (unsent !== null) return;
      setError(null);
      setLost(false);
      const place = given.answer === "point" ? { x: given.at.x, y: given.at.y } : {};
      const body = { position: of.position, answer: given.answer, ...place, ms, picture_no: of.image.redaction_no };
      send({ path: { id: of.id }, body, isLast: of.position === of.count });
    },
  };
}

export type ClickingWork = ReturnType<typeof useClicking>;
