import { useEffect, useRef } from "react";
import { useStore } from "@/store/useStore";
import { useSession } from "../session";
import { live, type Callback, type LiveState, type LiveTopic } from "./live";

/** Calls back whenever there may be something new in a row of a topic: by events, or every two seconds without them. */
export function useLive(topic: LiveTopic, id: number, callback: Callback): void {
  const address = useSession().data?.live;
  const newest = useRef(callback);
  useEffect(() => {
    newest.current = callback;
  });
  useEffect(() => {
    if (address !== undefined) live.locate(address);
    return live.subscribe(topic, id, (n) => { newest.current(n); });
  }, [topic, id, address]);
}

export function useLiveState(): LiveState {
  return useStore(live.state);
}
