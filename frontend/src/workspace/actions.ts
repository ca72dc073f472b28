/** What a person can do in the workspace, as keys, foot bar, help sheet and palette print it. */
import { KIND_ACTIONS } from "@/kinds/registry";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface WritingContext {
  canWrite: boolean;
  hasPrevious: boolean;
  submit: () => void;
  moveField: (step: 1 | -1) => void;
  later: (() => void) | null;
  previous: () => void;
  /** Shows the text as those who check it will see it; null where they see it like everyone. */
  preview: (() => void) | null;
  saveNow: () => void;
  leave: () => void;
}

/** What has a button at the head of the desk, or at the foot of a telephone. */
export const DESK_TOOLS: readonly string[] = [
  "workspace.previous",
  "finished.previous",
  "workspace.skip",
  "workspace.comments",
  "workspace.guidelines",
];

/** What else has a button at the foot of a telephone; elsewhere these are in the bar of keys. */
export const TOUCH_TOOLS: readonly string[] = ["keys.palette", "keys.help"];

const submitAction = (label: string): Action<WritingContext> => ({
  name: "workspace.submit",
  label,
  keys: ["Mod+Enter"],
  foot: true,
  isEnabled: (c) => c.canWrite,
  perform: (c) => c.submit(),
});

const textActions: readonly Action<WritingContext>[] = [
  {
    name: "workspace.nextField",
    label: "workspace:action.nextField",
    keys: ["ArrowDown", "Enter"],
    inText: true,
    repeats: true,
    foot: true,
    keyOnly: true,
    isEnabled: (c) => c.canWrite,
    perform: (c) => c.moveField(1),
  },
  {
    name: "workspace.previousField",
    label: "workspace:action.previousField",
    keys: ["ArrowUp", "Shift+Enter"],
    inText: true,
    repeats: true,
    foot: true,
    keyOnly: true,
    isEnabled: (c) => c.canWrite,
    perform: (c) => c.moveField(-1),
  },
  {
    name: "workspace.later",
    label: "workspace:action.later",
    keys: ["PageDown"],
    inText: true,
    foot: true,
    isEnabled: (c) => c.later !== null,
    perform: (c) => c.later?.(),
  },
  {
    name: "workspace.previous",
    label: "workspace:action.previous",
    keys: ["PageUp"],
    inText: true,
    foot: true,
    isEnabled: (c) => c.hasPrevious,
    perform: (c) => c.previous(),
  },
  {
    name: "workspace.preview",
    label: "workspace:action.preview",
    keys: ["Alt+p"],
    foot: true,
    isEnabled: (c) => c.preview !== null,
    perform: (c) => c.preview?.(),
  },
  {
    name: "workspace.saveNow",
    label: "workspace:action.saveNow",
    keys: ["Mod+s"],
    isEnabled: (c) => c.canWrite,
    perform: (c) => c.saveNow(),
  },
  {
    name: "workspace.leave",
    label: "workspace:action.leave",
    keys: ["Escape"],
    inText: true,
    foot: true,
    perform: (c) => c.leave(),
  },
];

export const writingActions: readonly Action<WritingContext>[] = [submitAction("workspace:action.submit"), ...textActions];

/** Where an item is written by itself: after it, no other one comes. */
export const singleWritingActions: readonly Action<WritingContext>[] = [submitAction("workspace:action.submitSingle"), ...textActions];

export interface FinishedContext {
  hasPrevious: boolean;
  check: () => void;
  previous: () => void;
  leave: () => void;
}

export const finishedActions: readonly Action<FinishedContext>[] = [
  {
    name: "finished.check",
    label: "workspace:finished.check",
    keys: ["Enter", "Mod+Enter"],
    foot: true,
    perform: (c) => c.check(),
  },
  {
    name: "finished.previous",
    label: "workspace:action.previous",
    keys: ["PageUp"],
    foot: true,
    isEnabled: (c) => c.hasPrevious,
    perform: (c) => c.previous(),
  },
  {
    name: "finished.leave",
    label: "workspace:action.leave",
    keys: ["Escape"],
    foot: true,
    perform: (c) => c.leave(),
  },
];

const nothing = () => undefined;

/** The workspace's screens in the contexts in which every key is live. */
export const screens: readonly [ScreenKeys<WritingContext>, ScreenKeys<FinishedContext>] = [
  {
    screen: "workspace.writing",
    actions: writingActions,
    moments: [
      {
        canWrite: true,
        hasPrevious: true,
        submit: nothing,
        moveField: nothing,
        later: nothing,
        previous: nothing,
        preview: nothing,
        saveNow: nothing,
        leave: nothing,
      },
    ],
    beside: KIND_ACTIONS,
  },
  {
    screen: "workspace.finished",
    actions: finishedActions,
    moments: [{ hasPrevious: true, check: nothing, previous: nothing, leave: nothing }],
  },
];
