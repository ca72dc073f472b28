/** What a person can do who judges an item in a panel; the keys rest while the reasons of a failure are chosen. */
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface JudgeContext {
  /** Shows or hides the answer; null where nothing is hidden. */
  reveal: (() => void) | null;
  pass: (() => void) | null;
  fail: (() => void) | null;
  /** Another item, without a verdict on this one; null where there is none. */
  next: (() => void) | null;
  leave: (() => void) | null;
}

export const judgeActions: readonly Action<JudgeContext>[] = [
  { name: "panel.reveal", label: "quality:validate.reveal", keys: ["Space"], foot: true, isEnabled: (c) => c.reveal !== null, perform: (c) => c.reveal?.() },
  { name: "panel.pass", label: "quality:panel.pass", keys: ["a"], foot: true, isEnabled: (c) => c.pass !== null, perform: (c) => c.pass?.() },
  { name: "panel.fail", label: "quality:panel.fail", keys: ["r"], foot: true, isEnabled: (c) => c.fail !== null, perform: (c) => c.fail?.() },
  { name: "panel.next", label: "quality:validate.next", keys: ["n"], foot: true, isEnabled: (c) => c.next !== null, perform: (c) => c.next?.() },
  { name: "panel.leave", label: "quality:panel.leave", keys: ["Escape"], isEnabled: (c) => c.leave !== null, perform: (c) => c.leave?.() },
];

/** No item is open. */
export interface StartContext {
  start: (() => void) | null;
  leave: () => void;
}

export const startActions: readonly Action<StartContext>[] = [
  { name: "panelStart.start", label: "quality:validate.start", keys: ["Enter"], foot: true, isEnabled: (c) => c.start !== null, perform: (c) => c.start?.() },
  { name: "panelStart.leave", label: "quality:panel.leave", keys: ["Escape"], perform: (c) => c.leave() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<JudgeContext>, ScreenKeys<StartContext>] = [
  {
    screen: "quality.panel",
    actions: judgeActions,
    moments: [{ reveal: nothing, pass: nothing, fail: nothing, next: nothing, leave: nothing }],
    beside: [stageActions],
  },
  { screen: "quality.panel start", actions: startActions, moments: [{ start: nothing, leave: nothing }] },
];
