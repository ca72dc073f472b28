import type { Action, ScreenKeys } from "@/ui/keys";

export type Decision = "keep" | "remove" | "merge" | "replace" | "rename" | "regroup" | "reopen";

interface DecideContext {
  /** What can be done about the chosen category now. */
  available: readonly string[];
  canAdd: boolean;
  onlyOpen: boolean;
  step: (by: 1 | -1) => void;
  decide: (action: Decision) => void;
  add: () => void;
  toggleOnlyOpen: () => void;
}

const DECISIONS: readonly (readonly [Decision, string])[] = [
  ["keep", "k"],
  ["remove", "d"],
  ["merge", "m"],
  ["replace", "r"],
  ["rename", "n"],
  ["regroup", "c"],
  ["reopen", "u"],
];

/** The keys with which a curator decides about proposed categories. */
export const decideActions: readonly Action<DecideContext>[] = [
  { name: "board.next", label: "board:action.next", keys: ["ArrowDown", "j"], foot: true, keyOnly: true, repeats: true, perform: (c) => c.step(1) },
  { name: "board.previous", label: "board:action.previous", keys: ["ArrowUp", "p"], foot: true, keyOnly: true, repeats: true, perform: (c) => c.step(-1) },
  ...DECISIONS.map(([action, key]) => ({
    name: `board.${action}`,
    label: `board:action.${action}`,
    keys: [key],
    foot: true,
    isEnabled: (c: DecideContext) => c.available.includes(action),
    perform: (c: DecideContext) => c.decide(action),
  })),
  { name: "board.add", label: "board:action.add", keys: ["a"], foot: true, isEnabled: (c) => c.canAdd, perform: (c) => c.add() },
  {
    name: "board.onlyOpen",
    label: "board:action.onlyOpen",
    keys: ["o"],
    foot: true,
    isPressed: (c) => c.onlyOpen,
    perform: (c) => c.toggleOnlyOpen(),
  },
];

interface ReasonContext {
  reasons: number;
  choose: (place: number) => void;
  cancel: () => void;
  confirm: () => void;
}

/** The keys while a reason is asked for: a digit takes one of the usual reasons. */
export const reasonActions: readonly Action<ReasonContext>[] = [
  ...[0, 1, 2, 3].map((place) => ({
    name: `board.reason${String(place + 1)}`,
    label: `board:action.reason${String(place + 1)}`,
    keys: [`Alt+${String(place + 1)}`],
    isEnabled: (c: ReasonContext) => place < c.reasons,
    perform: (c: ReasonContext) => c.choose(place),
  })),
  { name: "board.cancel", label: "board:action.cancel", keys: ["Escape"], inText: true, foot: true, perform: (c) => c.cancel() },
  { name: "board.confirm", label: "board:action.confirm", keys: ["Mod+Enter"], foot: true, perform: (c) => c.confirm() },
];

interface SubmitContext {
  canSubmit: boolean;
  submit: () => void;
}

export const submitActions: readonly Action<SubmitContext>[] = [
  { name: "board.submit", label: "board:action.submit", keys: ["Mod+Enter"], foot: true, isEnabled: (c) => c.canSubmit, perform: (c) => c.submit() },
];

const nothing = () => undefined;
const all = DECISIONS.map(([action]) => action);

export const screens = [
  {
    screen: "category board",
    actions: decideActions,
    moments: [{ available: all, canAdd: true, onlyOpen: false, step: nothing, decide: nothing, add: nothing, toggleOnlyOpen: nothing }],
  } satisfies ScreenKeys<DecideContext>,
  {
    screen: "reason of a decision",
    actions: reasonActions,
    moments: [{ reasons: 4, choose: nothing, cancel: nothing, confirm: nothing }],
  } satisfies ScreenKeys<ReasonContext>,
  { screen: "own proposals", actions: submitActions, moments: [{ canSubmit: true, submit: nothing }] } satisfies ScreenKeys<SubmitContext>,
];
