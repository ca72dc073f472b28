/** Reads the state of every item once the person is at work, when everything is written, and when they come back to the page. */
import { useEffect } from "react";
import type { QueueState, WorkQueue } from "./queue/workQueue";

/** Milliseconds after which the open item is drawn and its picture asked for. */
const DRAWN_MS = 400;

export function usePlaces(queue: WorkQueue, { phase }: QueueState): void {
  useEffect(() => {
    if (phase !== "writing" && phase !== "finished") return;
    const timer = setTimeout(() => void queue.readPlaces(), DRAWN_MS);
    const onVisible = () => {
      if (document.visibilityState === "visible") void queue.readPlaces();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [queue, phase]);
}
