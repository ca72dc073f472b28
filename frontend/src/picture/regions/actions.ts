/** What a person can do with regions on a picture, as keys, foot bar, help sheet and palette print it. */
import type { Action, ScreenKeys } from "@/ui/keys";
import { stageActions } from "../actions";
import type { Point } from "../geometry";

export interface RegionContext {
  /** Whether one is selected, wherever the focus is. */
  isSelected: boolean;
  /** Whether the selected one has the focus: then the arrows move it, and not what is beside the picture. */
  isFocused: boolean;
  /** Whether regions get labels. */
  hasLabels: boolean;
  /** The label used last, in the reader's language; empty while there is none. */
  lastLabel: string;
  canUndo: boolean;
  canRedo: boolean;
  draw: () => void;
  move: (by: Point) => void;
  resize: (by: Point) => void;
  openLabels: () => void;
  useLastLabel: () => void;
  duplicate: () => void;
  remove: () => void;
  undo: () => void;
  redo: () => void;
  deselect: () => void;
}

/** Picture pixels that an arrow key moves or resizes by, and with Shift. */
const STEP = 1;
const LARGE_STEP = 10;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How far a chord with an arrow goes. */
function stepOf(chord: string): Point {
  const { x, y } = ARROWS[chord.slice(chord.lastIndexOf("+") + 1)] ?? { x: 0, y: 0 };
  const step = chord.includes("Shift+") ? LARGE_STEP : STEP;
  return { x: x * step, y: y * step };
}

function arrows(name: string, modifiers: string, perform: (c: RegionContext, by: Point) => void): Action<RegionContext> {
  return {
    name: `regions.${name}`,
    label: `picture:regions.action.${name}`,
    keys: Object.keys(ARROWS).map((arrow) => modifiers + arrow),
    keyOnly: true,
    repeats: true,
    isEnabled: (c) => c.isFocused,
    perform: (c, keys) => perform(c, stepOf(keys)),
  };
}

/** Those that work whatever is selected. */
export const pictureRegionActions: readonly Action<RegionContext>[] = [
  { name: "regions.draw", label: "picture:regions.action.draw", keys: ["n"], foot: true, perform: (c) => c.draw() },
  { name: "regions.undo", label: "picture:regions.action.undo", keys: ["Mod+z"], isEnabled: (c) => c.canUndo, repeats: true, perform: (c) => c.undo() },
  {
    name: "regions.redo",
    label: "picture:regions.action.redo",
    keys: ["Mod+Shift+z", "Mod+y"],
    isEnabled: (c) => c.canRedo,
    repeats: true,
    perform: (c) => c.redo(),
  },
  {
    name: "regions.duplicate",
    label: "picture:regions.action.duplicate",
    keys: ["Mod+d"],
    isEnabled: (c) => c.isSelected,
    perform: (c) => c.duplicate(),
  },
  {
    name: "regions.remove",
    label: "picture:regions.action.remove",
    keys: ["Delete", "Backspace"],
    isEnabled: (c) => c.isSelected,
    perform: (c) => c.remove(),
  },
  {
    name: "regions.lastLabel",
    label: "picture:regions.action.lastLabel",
    values: (c) => ({ label: c.lastLabel }),
    keys: ["r"],
    isEnabled: (c) => c.isSelected && c.lastLabel !== "",
    perform: (c) => c.useLastLabel(),
  },
];

/** Those of the region that has the focus, which come before the page's own. */
export const focusedRegionActions: readonly Action<RegionContext>[] = [
  {
    name: "regions.label",
    label: "picture:regions.action.label",
    keys: ["Enter"],
    foot: true,
    isEnabled: (c) => c.isFocused && c.hasLabels,
    perform: (c) => c.openLabels(),
  },
  arrows("move", "", (c, by) => c.move(by)),
  arrows("moveFar", "Shift+", (c, by) => c.move(by)),
  arrows("resize", "Alt+", (c, by) => c.resize(by)),
  arrows("resizeFar", "Alt+Shift+", (c, by) => c.resize(by)),
  {
    name: "regions.deselect",
    label: "picture:regions.action.deselect",
    keys: ["Escape"],
    foot: true,
    isEnabled: (c) => c.isFocused,
    perform: (c) => c.deselect(),
  },
];

const nothing = () => undefined;
const moment: RegionContext = {
  ...{ isSelected: true, isFocused: true, hasLabels: true, lastLabel: "a", canUndo: true, canRedo: true },
  ...{ draw: nothing, move: nothing, resize: nothing, openLabels: nothing, useLastLabel: nothing, duplicate: nothing },
  ...{ remove: nothing, undo: nothing, redo: nothing, deselect: nothing },
};

export const screens: readonly ScreenKeys<RegionContext>[] = [
  { screen: "picture.regions", actions: [...focusedRegionActions, ...pictureRegionActions], moments: [moment], beside: [stageActions] },
];
