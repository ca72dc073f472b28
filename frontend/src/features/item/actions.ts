import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface ItemContext {
  /** Neighbours in the list the page was opened from; null where there is none. */
  next: (() => void) | null;
  previous: (() => void) | null;
  comment: () => void;
  write: (() => void) | null;
  validate: (() => void) | null;
}

export const itemActions: readonly Action<ItemContext>[] = [
  {
    name: "item.next",
    label: "item:action.next",
    keys: ["n", "ArrowRight"],
    foot: true,
    isEnabled: (c) => c.next !== null,
    perform: (c) => c.next?.(),
  },
  {
    name: "item.previous",
    label: "item:action.previous",
    keys: ["p", "ArrowLeft"],
    foot: true,
    isEnabled: (c) => c.previous !== null,
    perform: (c) => c.previous?.(),
  },
  { name: "item.comment", label: "item:action.comment", keys: ["c", "Shift+c"], foot: true, perform: (c) => c.comment() },
  {
    name: "item.write",
    label: "item:action.write",
    keys: ["e"],
    foot: true,
    isEnabled: (c) => c.write !== null,
    perform: (c) => c.write?.(),
  },
  {
    name: "item.validate",
    label: "item:action.validate",
    keys: ["v"],
    foot: true,
    isEnabled: (c) => c.validate !== null,
    perform: (c) => c.validate?.(),
  },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<ItemContext>[] = [
  {
    screen: "item",
    actions: itemActions,
    moments: [{ next: nothing, previous: nothing, comment: nothing, write: nothing, validate: nothing }],
    beside: [stageActions],
  },
];
