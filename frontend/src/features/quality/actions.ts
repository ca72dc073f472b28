import type { Action, ScreenKeys } from "@/ui/keys";

/** Reading a sheet; the keys rest while a form on it is open. */
export interface SheetContext {
  mayJudge: boolean;
  canUndo: boolean;
  accept: () => void;
  correct: (() => void) | null;
  refuse: () => void;
  move: (step: number) => void;
  /** One row of the sheet up or down. */
  moveRow: (step: 1 | -1) => void;
  look: () => void;
  undo: () => void;
  complete: (() => void) | null;
  leave: () => void;
}

/** The texts of a sheet's purpose; `name` distinguishes its screens, and a pool ends differently. */
function sheetActions(
  screen: "review" | "inspect",
  name: string = screen,
  ends: { complete: string; leave: string } = {
    complete: `quality:action.${screen}.complete`,
    leave: "quality:action.leave",
  },
): readonly Action<SheetContext>[] {
  return [
    {
      name: `${name}.accept`,
      label: `quality:action.${screen}.accept`,
      keys: ["a"],
      foot: true,
      isEnabled: (c) => c.mayJudge,
      perform: (c) => c.accept(),
    },
    {
      name: `${name}.correct`,
      label: "quality:action.correct",
      keys: ["e"],
      foot: true,
      isEnabled: (c) => c.mayJudge && c.correct !== null,
      perform: (c) => c.correct?.(),
    },
    {
      name: `${name}.refuse`,
      label: `quality:action.${screen}.refuse`,
      keys: ["r"],
      foot: true,
      isEnabled: (c) => c.mayJudge,
      perform: (c) => c.refuse(),
    },
    {
      name: `${name}.next`,
      label: "quality:action.next",
      keys: ["n", "ArrowRight"],
      foot: true,
      keyOnly: true,
      repeats: true,
      perform: (c) => c.move(1),
    },
    {
      name: `${name}.previous`,
      label: "quality:action.previous",
      keys: ["p", "ArrowLeft"],
      keyOnly: true,
      repeats: true,
      perform: (c) => c.move(-1),
    },
    {
      name: `${name}.down`,
      label: "quality:action.down",
      keys: ["ArrowDown"],
      keyOnly: true,
      repeats: true,
      perform: (c) => c.moveRow(1),
    },
    {
      name: `${name}.up`,
      label: "quality:action.up",
      keys: ["ArrowUp"],
      keyOnly: true,
      repeats: true,
      perform: (c) => c.moveRow(-1),
    },
    { name: `${name}.look`, label: "quality:action.fullSize", keys: ["Space"], foot: true, perform: (c) => c.look() },
    {
      name: `${name}.undo`,
      label: "quality:action.undo",
      keys: ["z", "Mod+z"],
      foot: true,
      isEnabled: (c) => c.canUndo,
      perform: (c) => c.undo(),
    },
    {
      name: `${name}.complete`,
      label: ends.complete,
      keys: ["Mod+Enter"],
      foot: true,
      isEnabled: (c) => c.complete !== null,
      perform: (c) => c.complete?.(),
    },
    { name: `${name}.leave`, label: ends.leave, keys: ["Escape"], perform: (c) => c.leave() },
  ];
}

export const reviewActions = sheetActions("review");
export const inspectActions = sheetActions("inspect");

const POOL_ENDS = { complete: "quality:pool.claimMore", leave: "quality:pool.leave" };
export const poolReviewActions = sheetActions("review", "poolReview", POOL_ENDS);
export const poolInspectActions = sheetActions("inspect", "poolInspect", POOL_ENDS);

export const spotCheckActions = sheetActions("inspect", "spotCheck", { complete: "quality:spot.complete", leave: "quality:spot.leave" });

/** The selected card, even if the person may not judge it. */
export interface CardContext {
  comment: () => void;
}

export const cardActions: readonly Action<CardContext>[] = [
  { name: "card.comment", label: "quality:action.comments", keys: ["c"], foot: true, perform: (c) => c.comment() },
];

/** An item's history is open on its card. */
export interface HistoryContext {
  close: () => void;
}

export const historyActions: readonly Action<HistoryContext>[] = [
  { name: "history.close", label: "quality:history.close", keys: ["Escape"], foot: true, perform: (c) => c.close() },
];

/** Choosing reasons. */
export interface ReasonContext {
  toggle: (index: number) => void;
  count: number;
  confirm: () => void;
  cancel: () => void;
}

export const reasonActions: readonly Action<ReasonContext>[] = [
  ...Array.from({ length: 9 }, (_, index) => ({
    name: `reasons.${index + 1}`,
    label: "quality:action.reason",
    keys: [String(index + 1)],
    keyOnly: true,
    isEnabled: (c: ReasonContext) => index < c.count,
    perform: (c: ReasonContext) => c.toggle(index),
  })),
  {
    name: "reasons.confirm",
    label: "quality:action.confirm",
    keys: ["Mod+Enter", "Enter"],
    foot: true,
    perform: (c) => c.confirm(),
  },
  {
    name: "reasons.cancel",
    label: "ui:cancel",
    keys: ["Escape"],
    inText: true,
    foot: true,
    perform: (c) => c.cancel(),
  },
];

/** Correcting in place. */
export interface CorrectContext {
  moveField: (step: 1 | -1) => void;
  confirm: () => void;
  cancel: () => void;
}

export const correctActions: readonly Action<CorrectContext>[] = [
  {
    name: "correct.confirm",
    label: "quality:action.saveCorrection",
    keys: ["Mod+Enter"],
    foot: true,
    perform: (c) => c.confirm(),
  },
  {
    name: "correct.nextField",
    label: "quality:action.nextField",
    keys: ["ArrowDown", "Enter"],
    inText: true,
    repeats: true,
    keyOnly: true,
    perform: (c) => c.moveField(1),
  },
  {
    name: "correct.previousField",
    label: "quality:action.previousField",
    keys: ["ArrowUp", "Shift+Enter"],
    inText: true,
    repeats: true,
    keyOnly: true,
    perform: (c) => c.moveField(-1),
  },
  {
    name: "correct.cancel",
    label: "ui:cancel",
    keys: ["Escape"],
    inText: true,
    foot: true,
    perform: (c) => c.cancel(),
  },
];

const nothing = () => undefined;
const everything: SheetContext = {
  mayJudge: true,
  canUndo: true,
  accept: nothing,
  correct: nothing,
  refuse: nothing,
  move: nothing,
  moveRow: nothing,
  look: nothing,
  undo: nothing,
  complete: nothing,
  leave: nothing,
};

export const screens: readonly [
  ScreenKeys<SheetContext>,
  ScreenKeys<SheetContext>,
  ScreenKeys<SheetContext>,
  ScreenKeys<SheetContext>,
  ScreenKeys<SheetContext>,
  ScreenKeys<HistoryContext>,
  ScreenKeys<ReasonContext>,
  ScreenKeys<CorrectContext>,
] = [
  { screen: "quality.review", actions: reviewActions, moments: [everything], beside: [cardActions] },
  { screen: "quality.inspect", actions: inspectActions, moments: [everything], beside: [cardActions] },
  { screen: "quality.poolReview", actions: poolReviewActions, moments: [everything], beside: [cardActions] },
  { screen: "quality.poolInspect", actions: poolInspectActions, moments: [everything], beside: [cardActions] },
  { screen: "quality.spotCheck", actions: spotCheckActions, moments: [everything], beside: [cardActions] },
  { screen: "quality.history", actions: historyActions, moments: [{ close: nothing }], beside: [cardActions] },
  {
    screen: "quality.reasons",
    actions: reasonActions,
    moments: [{ toggle: nothing, count: 9, confirm: nothing, cancel: nothing }],
  },
  {
    screen: "quality.correct",
    actions: correctActions,
    moments: [{ moveField: nothing, confirm: nothing, cancel: nothing }],
  },
];
