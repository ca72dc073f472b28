import { useEffect } from "react";

/** What is sent later: how much of it the server does not have, and sending it now. */
interface Unsent {
  unsent(): number;
  flush(): unknown;
}

/** Sends unsent work when its screen is left or hidden; warns if the page is left before. `work` stays the same object. */
export function useFlushOnLeaving(work: Unsent): void {
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") void work.flush();
    };
    const warn = (event: BeforeUnloadEvent) => {
      if (work.unsent() === 0) return;
      void work.flush();
      event.preventDefault();
    };
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("beforeunload", warn);
      void work.flush();
    };
  }, [work]);
}
