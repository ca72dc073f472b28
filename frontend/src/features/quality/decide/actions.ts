/** What a person can do who decides about an item that second people did not find. */
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface DecideContext {
  right: (() => void) | null;
  correct: (() => void) | null;
  exclude: (() => void) | null;
  /** Another item, without a decision about this one; null where there is none. */
  next: (() => void) | null;
  leave: (() => void) | null;
}

export const decideActions: readonly Action<DecideContext>[] = [
  { name: "decide.right", label: "quality:decide.right", keys: ["a"], foot: true, isEnabled: (c) => c.right !== null, perform: (c) => c.right?.() },
  { name: "decide.correct", label: "quality:decide.correct", keys: ["e"], foot: true, isEnabled: (c) => c.correct !== null, perform: (c) => c.correct?.() },
  { name: "decide.exclude", label: "quality:decide.exclude", keys: ["r"], foot: true, isEnabled: (c) => c.exclude !== null, perform: (c) => c.exclude?.() },
  { name: "decide.next", label: "quality:validate.next", keys: ["n"], foot: true, isEnabled: (c) => c.next !== null, perform: (c) => c.next?.() },
  { name: "decide.leave", label: "quality:panel.leave", keys: ["Escape"], isEnabled: (c) => c.leave !== null, perform: (c) => c.leave?.() },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<DecideContext>[] = [
  {
    screen: "quality.decide",
    actions: decideActions,
    moments: [{ right: nothing, correct: nothing, exclude: nothing, next: nothing, leave: nothing }],
    beside: [stageActions],
  },
];
