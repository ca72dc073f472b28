/** What a person can do who checks a colleague's item; the keys rest while a form is open. */
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";
import { cardActions } from "../actions";

export interface ValidateContext {
  /** Shows or hides the answer; null where nothing is hidden. */
  reveal: (() => void) | null;
  star: (() => void) | null;
  edit: (() => void) | null;
  sendBack: (() => void) | null;
  /** Another item, without a decision on this one; null where there is none. */
  next: (() => void) | null;
  leave: (() => void) | null;
}

export const validateActions: readonly Action<ValidateContext>[] = [
  {
    name: "validate.reveal",
    label: "quality:validate.reveal",
    keys: ["Space"],
    foot: true,
    isEnabled: (c) => c.reveal !== null,
    perform: (c) => c.reveal?.(),
  },
  {
    name: "validate.star",
    label: "quality:validate.star",
    keys: ["s"],
    foot: true,
    isEnabled: (c) => c.star !== null,
    perform: (c) => c.star?.(),
  },
  {
    name: "validate.edit",
    label: "quality:validate.edit",
    keys: ["e"],
    foot: true,
    isEnabled: (c) => c.edit !== null,
    perform: (c) => c.edit?.(),
  },
  {
    name: "validate.sendBack",
    label: "quality:validate.sendBack",
    keys: ["r"],
    foot: true,
    isEnabled: (c) => c.sendBack !== null,
    perform: (c) => c.sendBack?.(),
  },
  {
    name: "validate.next",
    label: "quality:validate.next",
    keys: ["n"],
    foot: true,
    isEnabled: (c) => c.next !== null,
    perform: (c) => c.next?.(),
  },
  {
    name: "validate.leave",
    label: "quality:validate.leave",
    keys: ["Escape"],
    isEnabled: (c) => c.leave !== null,
    perform: (c) => c.leave?.(),
  },
];

/** No item is open. */
export interface StartContext {
  start: (() => void) | null;
  leave: () => void;
}

export const startActions: readonly Action<StartContext>[] = [
  {
    name: "validateStart.start",
    label: "quality:validate.start",
    keys: ["Enter"],
    foot: true,
    isEnabled: (c) => c.start !== null,
    perform: (c) => c.start?.(),
  },
  { name: "validateStart.leave", label: "quality:validate.leave", keys: ["Escape"], perform: (c) => c.leave() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<ValidateContext>, ScreenKeys<StartContext>] = [
  {
    screen: "quality.validate",
    actions: validateActions,
    moments: [{ reveal: nothing, star: nothing, edit: nothing, sendBack: nothing, next: nothing, leave: nothing }],
    beside: [cardActions, stageActions],
  },
  { screen: "quality.validate start", actions: startActions, moments: [{ start: nothing, leave: nothing }] },
];
