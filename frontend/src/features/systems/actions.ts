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

export const screens: readonly ScreenKeys<SystemContext>[] = [
  { screen: "system", actions: systemActions, moments: [{ fetch: () => undefined }] },
];
