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

export interface SpotChecksContext {
  /** Null where no drawn item waits for the reader. */
  judge: (() => void) | null;
  /** Null where nothing can be drawn. */
  draw: (() => void) | null;
}

export const spotChecksActions: readonly Action<SpotChecksContext>[] = [
  {
    name: "spotChecks.judge",
    label: "team:spot.judge",
    keys: ["Enter"],
    foot: true,
    isEnabled: (c) => c.judge !== null,
    perform: (c) => c.judge?.(),
  },
  {
    name: "spotChecks.draw",
    label: "team:spot.draw",
    keys: ["d"],
    foot: true,
    isEnabled: (c) => c.draw !== null,
    perform: (c) => c.draw?.(),
  },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<BoardContext>, ScreenKeys<SpotChecksContext>] = [
  { screen: "team.board", actions: boardActions, moments: [{ validate: nothing, upload: nothing }] },
  { screen: "team.spotChecks", actions: spotChecksActions, moments: [{ judge: nothing, draw: nothing }] },
];
