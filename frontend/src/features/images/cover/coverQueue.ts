/**
 * Coverings and ticks on their way to the server. Covering cannot be undone there, because the old files are destroyed:
 * each is held here for some seconds in which it can be.
 */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, newClientKey } from "@/api/client";
import { ApiError } from "@/api/errors";
import { SendQueue, type Entry, type Refusal } from "@/api/sendQueue";
import type { CoverRegion } from "@/api/types";
import { useStore } from "@/store/useStore";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";

export interface CoverWork {
  readonly slug: string;
  readonly image: number;
  readonly label: string;
  /** The number of the version that the person saw. */
  readonly no: number;
  /** Empty: nothing is covered or decided, the picture is only ticked. */
  readonly regions: readonly CoverRegion[];
  /** Mark it afterwards as free of personal information. */
  readonly isTicked: boolean;
  readonly tickKey: string;
}

interface Failure {
  readonly work: CoverWork;
  readonly error: Refusal;
}

const UNDO_MS = 8_000;

/** Kept alive, because a tab may be closed in the seconds in which it could be undone. */
async function send({ work, key }: Entry<CoverWork>): Promise<{ answer: number | null; error: Refusal | null }> {
  const { slug, image, no, regions, isTicked, tickKey } = work;
  if (regions.length > 0) await call("image_cover", { path: { id: image }, body: { no, regions: [...regions], client_key: key } }, { keepalive: true });
  if (isTicked) {
    // Not the answer's number: a repeat is answered with the picture as it is then, which may be a version that the person never saw.
    const seen = no + (regions.some(({ how }) => how !== "exempt") ? 1 : 0);
    const { results } = await call("image_clear", { path: { b: slug }, body: { images: [{ image, client_key: tickKey, no: seen }] } }, { keepalive: true });
    const error = results[0]?.error ?? null;
    if (error !== null) return { answer: null, error };
  }
  return { answer: image, error: null };
}

export function useCoverQueue() {
  const client = useQueryClient();
  const [undone, setUndone] = useState<CoverWork | null>(null);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [queue] = useState(
    () => new SendQueue<CoverWork, number>({ send: async (entries) => Promise.all(entries.map(send)), holdMs: UNDO_MS, batchSize: 1 }),
  );
  const { entries, problem } = useStore(queue);
  useEffect(
    () =>
      queue.onResults((answered) => {
        for (const { entry } of answered) refresh(client, entry.work.image);
        const failed = answered.flatMap(({ entry, error }) => (error === null ? [] : [{ work: entry.work, error }]));
        if (failed.length > 0) setFailures((old) => [...old, ...failed]);
      }),
    [queue, client],
  );
  useFlushOnLeaving(queue);
  return {
    add: (work: Omit<CoverWork, "tickKey">) => {
      // The one before is sent when the next is decided: undo is for the last.
      void queue.flush();
      setUndone(null);
      queue.add([[work.image, { ...work, tickKey: newClientKey() }]]);
    },
    /** The picture whose decision was undone, or null. */
    undo: (): number | null => {
      const before = queue.snapshot().entries;
      const [image] = queue.undo();
      const work = before.findLast(({ subject }) => subject === image)?.work ?? null;
      setUndone(work);
      return work?.image ?? null;
    },
    /** The decision that was undone last, until another is made. */
    undone,
    flush: () => queue.flush(),
    dismiss: (failure: Failure) => setFailures((old) => old.filter((one) => one !== failure)),
    failures,
    problem: problem instanceof ApiError ? problem : null,
    /** Whether the server has not answered to every decision yet. */
    isSending: entries.length > 0,
    canUndo: entries.some(({ state }) => state === "pending" || state === "waiting"),
  };
}

function refresh(client: QueryClient, image: number): void {
  for (const operation of ["image_regions", "image_show"] as const) void client.invalidateQueries({ queryKey: [operation, { path: { id: image } }] });
  for (const stale of ["image_list", "image_counts", "waiting_show", "audit_list"] as const) void client.invalidateQueries({ queryKey: [stale] });
}
