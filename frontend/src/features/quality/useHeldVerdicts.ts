import { useState, useSyncExternalStore } from "react";
import { newClientKey } from "@/api/client";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";
import { HeldVerdicts, type Held } from "./heldVerdicts";

/** Held verdicts of one sheet; they are sent when the sheet is left, and leaving the page before that warns. */
export function useHeldVerdicts<Verdict>(send: (held: Held<Verdict>) => Promise<void>) {
  const [held] = useState(() => new HeldVerdicts<Verdict>({ send, newKey: newClientKey }));
  const list = useSyncExternalStore(held.subscribe, held.snapshot);
  const [leaving] = useState(() => ({ unsent: () => held.snapshot().length, flush: () => held.flush() }));
  useFlushOnLeaving(leaving);
  return { held, list };
}
