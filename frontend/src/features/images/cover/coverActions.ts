import { stageActions } from "@/picture/actions";
import { pictureRegionActions } from "@/picture/regions/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface CoverContext {
  /** How many proposals no one has decided on. */
  open: number;
  isSelected: boolean;
  /** Everything found is decided, so that the picture can be saved. */
  canSave: boolean;
  /** Nothing is to be covered or decided. */
  isEmpty: boolean;
  mayTick: boolean;
  canUndo: boolean;
  isPreviewed: boolean;
  hasNext: boolean;
  next(): void;
  previous(): void;
  confirm(): void;
  remove(): void;
  exempt(): void;
  save(): void;
  tick(): void;
  preview(): void;
  undo(): void;
}

export const coverActions: readonly Action<CoverContext>[] = [
  { name: "cover.next", label: "images:cover.action.next", keys: ["f"], foot: true, isEnabled: (c) => c.hasNext, perform: (c) => c.next() },
  { name: "cover.previous", label: "images:cover.action.previous", keys: ["b"], perform: (c) => c.previous() },
  { name: "cover.confirm", label: "images:cover.action.confirm", keys: ["a"], foot: true, isEnabled: (c) => c.isSelected || c.open > 0, perform: (c) => c.confirm() },
  { name: "cover.remove", label: "images:cover.action.remove", keys: ["d"], foot: true, isEnabled: (c) => c.isSelected || c.open === 1, perform: (c) => c.remove() },
  { name: "cover.exempt", label: "images:cover.action.exempt", keys: ["e"], foot: true, isEnabled: (c) => c.isSelected || c.open === 1, perform: (c) => c.exempt() },
  { name: "cover.save", label: "images:cover.action.save", keys: ["c"], foot: true, isEnabled: (c) => c.canSave, perform: (c) => c.save() },
  { name: "cover.tick", label: "images:cover.action.tick", keys: ["p"], foot: true, isEnabled: (c) => c.isEmpty && c.mayTick, perform: (c) => c.tick() },
  { name: "cover.preview", label: "images:cover.action.preview", keys: ["v"], isPressed: (c) => c.isPreviewed, perform: (c) => c.preview() },
  { name: "cover.undo", label: "images:cover.action.undo", keys: ["z"], isEnabled: (c) => c.canUndo, perform: (c) => c.undo() },
];

/** After the last picture. */
export const endActions: readonly Action<{ canUndo: boolean; undo(): void }>[] = [
  { name: "cover.undo", label: "images:cover.action.undo", keys: ["z"], isEnabled: (c) => c.canUndo, perform: (c) => c.undo() },
];

const nothing = () => undefined;
const moment: CoverContext = {
  ...{ open: 1, isSelected: true, canSave: true, isEmpty: true, mayTick: true, canUndo: true, isPreviewed: false, hasNext: true },
  ...{ next: nothing, previous: nothing, confirm: nothing, remove: nothing, exempt: nothing, save: nothing, tick: nothing, preview: nothing, undo: nothing },
};

export const screens: readonly ScreenKeys<CoverContext>[] = [
  { screen: "cover", actions: coverActions, moments: [moment], beside: [pictureRegionActions, stageActions] },
];
