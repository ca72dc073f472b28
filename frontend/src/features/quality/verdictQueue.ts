/** A verdict is final on the server: it waits here for ten seconds in which it can be undone, then it is sent. */
import { useState } from "react";
import { sendSingly, SendQueue, type Entry } from "@/api/sendQueue";
import { useStore } from "@/store/useStore";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";

const UNDO_MS = 10_000;

/** The verdicts of one sheet, by item; what the server refuses stays with its reason until it is undone. */
export function useVerdictQueue<Verdict>(send: (verdict: Entry<Verdict>) => Promise<void>) {
  const [queue] = useState(() => new SendQueue<Verdict, void>({ send: sendSingly(send), holdMs: UNDO_MS, keepsRefused: true }));
  const { entries } = useStore(queue);
  useFlushOnLeaving(queue);
  return { queue, verdictOn: (itemId: number) => entries.find(({ subject }) => subject === itemId) };
}

export type VerdictQueue = ReturnType<typeof useVerdictQueue>["queue"];
