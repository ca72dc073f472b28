import { useEffect } from "react";

/** What is held back for a while: how much of it is not sent yet, and sending it now. */
export interface HeldBack {
  readonly unsent: () => number;
  readonly flush: () => unknown;
}

/** Sends what is held when its screen is left or hidden; leaving the page before that warns. `held` stays the same. */
export function useFlushOnLeaving(held: HeldBack): void {
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") void held.flush();
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (held.unsent() === 0) return;
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
}
