import { useStore } from "@/store/useStore";
import { signals, type Signals } from "./signals";

export function useSignals(): Signals {
  return useStore(signals);
}
