/** Keys of the panels beside the work. They are live while someone types, so each has one with Alt. */
import { conflictActions } from "@/item/conflict/actions";
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";
import { finishedActions, writingActions } from "../actions";

export type PanelName = "guidelines" | "skip" | "comments";

export interface PanelsContext {
  canSkip: boolean;
  /** Whether an item is open that can be talked about. */
  hasItem: boolean;
  open: PanelName | null;
  toggle: (name: PanelName) => void;
}

export const panelActions: readonly Action<PanelsContext>[] = [
  {
    name: "workspace.guidelines",
    label: "workspace:action.guidelines",
    keys: ["Alt+g", "Shift+g"],
    foot: true,
    isPressed: (c) => c.open === "guidelines",
    perform: (c) => c.toggle("guidelines"),
  },
  {
    name: "workspace.skip",
    label: "workspace:action.skip",
    keys: ["Alt+s", "Shift+s"],
    foot: true,
    isEnabled: (c) => c.canSkip,
    isPressed: (c) => c.open === "skip",
    perform: (c) => c.toggle("skip"),
  },
  {
    name: "workspace.comments",
    label: "workspace:action.comments",
    keys: ["Alt+c", "Shift+c"],
    foot: true,
    isEnabled: (c) => c.hasItem,
    isPressed: (c) => c.open === "comments",
    perform: (c) => c.toggle("comments"),
  },
];

/** The guideline's panel. */
export interface GuidelineContext {
  /** A version waits that the person has not acknowledged. */
  asks: boolean;
  acknowledge: () => void;
  scroll: (step: 1 | -1) => void;
  close: () => void;
}

export const guidelineActions: readonly Action<GuidelineContext>[] = [
  {
    name: "guidelinePanel.acknowledge",
    label: "workspace:guideline.acknowledge",
    keys: ["Alt+a"],
    foot: true,
    isEnabled: (c) => c.asks,
    perform: (c) => c.acknowledge(),
  },
  {
    name: "guidelinePanel.down",
    label: "workspace:guideline.down",
    keys: ["Alt+ArrowDown"],
    repeats: true,
    foot: true,
    keyOnly: true,
    perform: (c) => c.scroll(1),
  },
  {
    name: "guidelinePanel.up",
    label: "workspace:guideline.up",
    keys: ["Alt+ArrowUp"],
    repeats: true,
    keyOnly: true,
    perform: (c) => c.scroll(-1),
  },
  {
    name: "guidelinePanel.close",
    label: "ui:close",
    keys: ["Escape"],
    inText: true,
    isEnabled: (c) => !c.asks,
    perform: (c) => c.close(),
  },
];

/** Saying why an item cannot be written. */
export interface SkipContext {
  count: number;
  choose: (index: number) => void;
  confirm: () => void;
  close: () => void;
}

export const skipActions: readonly Action<SkipContext>[] = [
  ...Array.from({ length: 9 }, (_, index) => ({
    name: `skipPanel.${index + 1}`,
    label: "workspace:skip.reason",
    values: () => ({ number: String(index + 1) }),
    keys: [String(index + 1)],
    keyOnly: true,
    isEnabled: (c: SkipContext) => index < c.count,
    perform: (c: SkipContext) => c.choose(index),
  })),
  {
    name: "skipPanel.confirm",
    label: "workspace:skip.confirm",
    keys: ["Mod+Enter", "Enter"],
    foot: true,
    perform: (c) => c.confirm(),
  },
  {
    name: "skipPanel.close",
    label: "ui:cancel",
    keys: ["Escape", "Alt+s"],
    inText: true,
    foot: true,
    perform: (c) => c.close(),
  },
];

/** Reading comments; writing one has its own keys (item/actions.ts). */
export interface CommentsPanelContext {
  close: () => void;
}

export const commentsPanelActions: readonly Action<CommentsPanelContext>[] = [
  {
    name: "commentsPanel.close",
    label: "ui:close",
    keys: ["Escape"],
    inText: true,
    perform: (c) => c.close(),
  },
];

const nothing = () => undefined;

export const screens: readonly [
  ScreenKeys<PanelsContext>,
  ScreenKeys<PanelsContext>,
  ScreenKeys<PanelsContext>,
  ScreenKeys<GuidelineContext>,
  ScreenKeys<SkipContext>,
] = [
  {
    screen: "workspace.panels over writing",
    actions: panelActions,
    moments: [{ canSkip: true, hasItem: true, open: null, toggle: nothing }],
    beside: [writingActions, stageActions],
  },
  {
    screen: "workspace.panels over a conflict",
    actions: panelActions,
    moments: [{ canSkip: false, hasItem: true, open: null, toggle: nothing }],
    beside: [conflictActions, stageActions],
  },
  {
    screen: "workspace.panels at the end",
    actions: panelActions,
    moments: [{ canSkip: false, hasItem: false, open: null, toggle: nothing }],
    beside: [finishedActions],
  },
  {
    screen: "workspace.guideline",
    actions: guidelineActions,
    moments: [
      { asks: true, acknowledge: nothing, scroll: nothing, close: nothing },
      { asks: false, acknowledge: nothing, scroll: nothing, close: nothing },
    ],
    beside: [panelActions],
  },
  { screen: "workspace.skip", actions: skipActions, moments: [{ count: 9, choose: nothing, confirm: nothing, close: nothing }] },
];
