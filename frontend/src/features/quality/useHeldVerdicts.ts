import { useEffect, useState, useSyncExternalStore } from "react";
import { newClientKey } from "@/api/client";
import { HeldVerdicts, type Held } from "./heldVerdicts";

/** Held verdicts of one sheet; they are sent when the sheet is left, and leaving the page before that warns. */
export function useHeldVerdicts<Verdict>(send: (held: Held<Verdict>) => Promise<void>) {
  const [held] = useState(() => new HeldVerdicts<Verdict>({ send, newKey: newClientKey }));
  const list = useSyncExternalStore(held.subscribe, held.snapshot);
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") void held.flush();
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (held.snapshot().length === 0) return;
      void held.flush();
      event.preventDefault();
    };
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("beforeunload", warn);
      void held.flush();
    };
  }, [held]);
  return { held, list };
}
