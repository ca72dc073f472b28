import type { Action, ScreenKeys } from "@/ui/keys";

export interface HomeContext {
  /** The first thing that waits for the person. */
  first: (() => void) | null;
}

export const homeActions: readonly Action<HomeContext>[] = [
  {
    name: "home.first",
    label: "home:action.first",
    keys: ["Enter"],
    foot: true,
    isEnabled: (c) => c.first !== null,
    perform: (c) => c.first?.(),
  },
];

export const screens: readonly ScreenKeys<HomeContext>[] = [
  { screen: "home", actions: homeActions, moments: [{ first: null }, { first: () => undefined }] },
];
