import type { Action, ScreenKeys } from "@/ui/keys";

/** One version of a prompt. */
export interface PromptContext {
  /** Null while a copy is edited, and for people who may not add one. */
  edit: (() => void) | null;
  /** Null without a changed copy. */
  add: (() => void) | null;
}

export const promptActions: readonly Action<PromptContext>[] = [
  {
    name: "prompt.edit",
    label: "prompts:edit",
    keys: ["e"],
    foot: true,
    isEnabled: (c) => c.edit !== null,
    perform: (c) => c.edit?.(),
  },
  {
    name: "prompt.add",
    label: "prompts:add",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.add !== null,
    perform: (c) => c.add?.(),
  },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<PromptContext>] = [
  { screen: "prompt", actions: promptActions, moments: [{ edit: nothing, add: null }, { edit: null, add: nothing }] },
];
