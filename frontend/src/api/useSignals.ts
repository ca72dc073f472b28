import { useSyncExternalStore } from "react";
import { signals, type Signals } from "./signals";

export function useSignals(): Signals {
  return useSyncExternalStore(signals.subscribe, signals.snapshot, signals.snapshot);
}
