import type { Action, ScreenKeys } from "@/ui/keys";

/** Reading a guideline. */
export interface ReadContext {
  /** Null where it is acknowledged, or not the newest. */
  acknowledge: (() => void) | null;
  edit: (() => void) | null;
  /** Null for the first version. */
  compare: (() => void) | null;
}

export const readActions: readonly Action<ReadContext>[] = [
  {
    name: "guideline.acknowledge",
    label: "guidelines:action.acknowledge",
    keys: ["Alt+a"],
    foot: true,
    isEnabled: (c) => c.acknowledge !== null,
    perform: (c) => c.acknowledge?.(),
  },
  {
    name: "guideline.compare",
    label: "guidelines:action.compare",
    keys: ["d"],
    foot: true,
    isEnabled: (c) => c.compare !== null,
    perform: (c) => c.compare?.(),
  },
  {
    name: "guideline.edit",
    label: "guidelines:action.edit",
    keys: ["e"],
    foot: true,
    isEnabled: (c) => c.edit !== null,
    perform: (c) => c.edit?.(),
  },
];

/** Writing one. */
export interface EditContext {
  canPublish: boolean;
  publish: () => void;
  /** The next of the three languages. */
  nextLanguage: () => void;
}

export const editActions: readonly Action<EditContext>[] = [
  {
    name: "guideline.publish",
    label: "guidelines:action.publish",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.canPublish,
    perform: (c) => c.publish(),
  },
  {
    name: "guideline.nextLanguage",
    label: "guidelines:action.nextLanguage",
    keys: ["Alt+l"],
    foot: true,
    perform: (c) => c.nextLanguage(),
  },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<ReadContext>, ScreenKeys<EditContext>] = [
  { screen: "guideline", actions: readActions, moments: [{ acknowledge: nothing, edit: nothing, compare: nothing }] },
  { screen: "guideline text", actions: editActions, moments: [{ canPublish: true, publish: nothing, nextLanguage: nothing }] },
];
