import type { Action, ScreenKeys } from "@/ui/keys";

export interface BoardContext {
  /** Null where nothing waits for the reader. */
  validate: (() => void) | null;
  upload: (() => void) | null;
}

export const boardActions: readonly Action<BoardContext>[] = [
  {
    name: "team.validate",
    label: "team:validate",
    keys: ["v"],
    foot: true,
    isEnabled: (c) => c.validate !== null,
    perform: (c) => c.validate?.(),
  },
  {
    name: "team.upload",
    label: "team:upload",
    keys: ["u"],
    foot: true,
    isEnabled: (c) => c.upload !== null,
    perform: (c) => c.upload?.(),
  },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<BoardContext>[] = [
  { screen: "team.board", actions: boardActions, moments: [{ validate: nothing, upload: nothing }] },
];
