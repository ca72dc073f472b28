import type { Action, ScreenKeys } from "@/ui/keys";

export interface RunsContext {
  /** Null for those who may not start one. */
  start: (() => void) | null;
}

export const runsActions: readonly Action<RunsContext>[] = [
  {
    name: "runs.start",
    label: "runs:action.start",
    keys: ["n"],
    foot: true,
    isEnabled: (c) => c.start !== null,
    perform: (c) => c.start?.(),
  },
];

/** What may be done with the run now; null what may not. */
export interface RunContext {
  pause: (() => void) | null;
  resume: (() => void) | null;
  retry: (() => void) | null;
  cancel: (() => void) | null;
  leaderboard: (() => void) | null;
}

/** Cancelling has no key: it is confirmed, and must not happen by accident. */
export const runActions: readonly Action<RunContext>[] = [
  {
    name: "run.pause",
    label: "runs:action.pause",
    keys: ["s"],
    foot: true,
    isEnabled: (c) => c.pause !== null,
    perform: (c) => c.pause?.(),
  },
  {
    name: "run.resume",
    label: "runs:action.resume",
    keys: ["s"],
    foot: true,
    isEnabled: (c) => c.resume !== null,
    perform: (c) => c.resume?.(),
  },
  {
    name: "run.retry",
    label: "runs:action.retry",
    keys: ["r"],
    foot: true,
    isEnabled: (c) => c.retry !== null,
    perform: (c) => c.retry?.(),
  },
  {
    name: "run.leaderboard",
    label: "runs:action.leaderboard",
    keys: ["b"],
    foot: true,
    isEnabled: (c) => c.leaderboard !== null,
    perform: (c) => c.leaderboard?.(),
  },
  {
    name: "run.cancel",
    label: "runs:action.cancel",
    keys: [],
    isEnabled: (c) => c.cancel !== null,
    perform: (c) => c.cancel?.(),
  },
];

const nothing = () => undefined;

export const screens: readonly (ScreenKeys<RunsContext> | ScreenKeys<RunContext>)[] = [
  { screen: "runs", actions: runsActions, moments: [{ start: nothing }] },
  {
    screen: "run",
    actions: runActions,
    moments: [
      { pause: nothing, resume: null, retry: nothing, cancel: nothing, leaderboard: nothing },
      { pause: null, resume: nothing, retry: nothing, cancel: nothing, leaderboard: nothing },
    ],
  },
];
