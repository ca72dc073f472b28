import { useSyncExternalStore } from "react";
import type { Readable } from "./store";

/** The store's state, or what `select` takes from it; a selector returns parts of the state, never a new object. */
export function useStore<State>(store: Readable<State>): State;
export function useStore<State, Part>(store: Readable<State>, select: (state: State) => Part): Part;
export function useStore<State, Part>(store: Readable<State>, select?: (state: State) => Part): State | Part {
  return useSyncExternalStore<State | Part>(store.subscribe, () => (select ? select(store.snapshot()) : store.snapshot()));
}
