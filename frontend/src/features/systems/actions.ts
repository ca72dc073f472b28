import type { Action, ScreenKeys } from "@/ui/keys";

export interface SystemContext {
  /** Null for those who may not fetch, and for what cannot be fetched now. */
  fetch: (() => void) | null;
}

export const systemActions: readonly Action<SystemContext>[] = [
  {
    name: "system.fetch",
    label: "systems:fetch.open",
    keys: ["f"],
    foot: true,
    isEnabled: (c) => c.fetch !== null,
    perform: (c) => c.fetch?.(),
  },
];

export interface SystemsContext {
  /** Null for those who may not add any, and while one is being added. */
  add: (() => void) | null;
}

export const systemsActions: readonly Action<SystemsContext>[] = [
  {
    name: "systems.add",
    label: "systems:serve.open",
    keys: ["n"],
    foot: true,
    isEnabled: (c) => c.add !== null,
    perform: (c) => c.add?.(),
  },
];

export const screens: readonly (ScreenKeys<SystemContext> | ScreenKeys<SystemsContext>)[] = [
  { screen: "system", actions: systemActions, moments: [{ fetch: () => undefined }] },
  { screen: "systems", actions: systemsActions, moments: [{ add: () => undefined }] },
];
