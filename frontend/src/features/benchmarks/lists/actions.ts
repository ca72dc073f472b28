import type { Action, ScreenKeys } from "@/ui/keys";

interface ListContext {
  canSave: boolean;
  save: () => void;
}

/** The keys of a page on which a list of categories is written. */
export const listActions: readonly Action<ListContext>[] = [
  { name: "list.save", label: "benchmarks:action.saveList", keys: ["Mod+Enter"], foot: true, isEnabled: (c) => c.canSave, perform: (c) => c.save() },
];

export const screens: readonly ScreenKeys<ListContext>[] = [
  { screen: "list of categories", actions: listActions, moments: [{ canSave: true, save: () => undefined }] },
];
