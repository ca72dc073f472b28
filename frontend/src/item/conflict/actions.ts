/** Two versions of one item: which of them to submit. */
import type { Action, ScreenKeys } from "@/ui/keys";

export interface ConflictContext {
  takeAllMine: () => void;
  takeAllTheirs: () => void;
  submit: () => void;
  leave: () => void;
}

export const conflictActions: readonly Action<ConflictContext>[] = [
  {
    name: "conflict.mine",
    label: "workspace:conflict.useAllOwn",
    keys: ["m"],
    foot: true,
    perform: (c) => c.takeAllMine(),
  },
  {
    name: "conflict.theirs",
    label: "workspace:conflict.useAllOther",
    keys: ["t"],
    foot: true,
    perform: (c) => c.takeAllTheirs(),
  },
  {
    name: "conflict.submit",
    label: "workspace:conflict.submit",
    keys: ["Mod+Enter"],
    foot: true,
    perform: (c) => c.submit(),
  },
  {
    name: "conflict.leave",
    label: "workspace:action.leave",
    keys: ["Escape"],
    foot: true,
    perform: (c) => c.leave(),
  },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<ConflictContext>[] = [
  {
    screen: "item.conflict",
    actions: conflictActions,
    moments: [{ takeAllMine: nothing, takeAllTheirs: nothing, submit: nothing, leave: nothing }],
  },
];
