import type { Reason } from "@/api/types";
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";
import { inspectActions } from "./inspectActions";

export interface GridContext {
  /** The protocol's reasons to refuse; the first nine have keys. */
  reasons: readonly Reason[];
  /** A name of the protocol in the reader's language. */
  nameOf: (reason: Reason | undefined) => string;
  /** Parts of the pictures, A and B; each has its letter with Shift. */
  subsets: readonly Reason[];
  /** Whether there is any picture. */
  any: boolean;
  mayJudge: boolean;
  mayClear: boolean;
  canUndo: boolean;
  /** One picture shown large. */
  isOpen: boolean;
  /** The picture under the cursor has near duplicates. */
  hasNearDuplicates: boolean;
  move: (by: { columns?: number; rows?: number }, extend: boolean) => void;
  selectAll: () => void;
  open: () => void;
  close: () => void;
  compare: () => void;
  openPage: () => void;
  accept: () => void;
  acceptIn: (subset: Reason) => void;
  refuse: (reason: Reason) => void;
  clear: () => void;
  undo: () => void;
}

const any = (c: GridContext) => c.any;
const inGrid = (c: GridContext) => c.any && !c.isOpen;

const MOVES: readonly [string, string, { columns?: number; rows?: number }][] = [
  ["left", "ArrowLeft", { columns: -1 }],
  ["right", "ArrowRight", { columns: 1 }],
  ["up", "ArrowUp", { rows: -1 }],
  ["down", "ArrowDown", { rows: 1 }],
];

/** Keys 1 to 9, one for each of the first nine reasons. */
const REFUSALS: readonly Action<GridContext>[] = Array.from({ length: 9 }, (_, i) => ({
  name: `pictures.refuse${i + 1}`,
  label: "images:action.refuse",
  values: (c: GridContext) => ({ reason: c.nameOf(c.reasons[i]) }),
  keys: [String(i + 1)],
  isEnabled: (c: GridContext) => c.any && c.mayJudge && c.reasons[i] !== undefined,
  perform: (c: GridContext) => {
    const reason = c.reasons[i];
    if (reason) c.refuse(reason);
  },
}));

/** A subset's own letter with Shift: accepting into it asks for the counts its rule is about. */
const SUBSETS: readonly Action<GridContext>[] = ["A", "B", "C", "D"].map((code) => {
  const of = (c: GridContext) => c.subsets.find((subset) => subset.code === code);
  return {
    name: `pictures.subset${code}`,
    label: "images:action.acceptIn",
    values: (c: GridContext) => ({ subset: c.nameOf(of(c)) }),
    keys: [`Shift+${code.toLowerCase()}`],
    foot: true,
    isEnabled: (c: GridContext) => c.any && c.mayJudge && of(c) !== undefined,
    perform: (c: GridContext) => {
      const subset = of(c);
      if (subset) c.acceptIn(subset);
    },
  };
});

export const gridActions: readonly Action<GridContext>[] = [
  ...MOVES.map(([name, key, by]) => ({
    name: `pictures.${name}`,
    label: `images:action.${name}`,
    keys: [key],
    keyOnly: true,
    repeats: true,
    isEnabled: any,
    perform: (c: GridContext) => c.move(by, false),
  })),
  ...MOVES.map(([name, key, by]) => ({
    name: `pictures.extend.${name}`,
    label: `images:action.extend.${name}`,
    keys: [`Shift+${key}`],
    keyOnly: true,
    repeats: true,
    isEnabled: inGrid,
    perform: (c: GridContext) => c.move(by, true),
  })),
  { name: "pictures.accept", label: "images:action.accept", keys: ["a"], foot: true, isEnabled: (c) => c.any && c.mayJudge, perform: (c) => c.accept() },
  ...SUBSETS,
  ...REFUSALS,
  { name: "pictures.clear", label: "images:action.clear", keys: ["p"], foot: true, isEnabled: (c) => c.any && c.mayClear, perform: (c) => c.clear() },
  { name: "pictures.undo", label: "images:action.undo", keys: ["z", "Mod+z"], foot: true, isEnabled: (c) => c.canUndo, perform: (c) => c.undo() },
  { name: "pictures.open", label: "images:action.open", keys: ["Space"], foot: true, isEnabled: inGrid, perform: (c) => c.open() },
  {
    name: "pictures.close",
    label: "images:action.close",
    keys: ["Escape", "Space"],
    foot: true,
    isEnabled: (c) => c.isOpen,
    perform: (c) => c.close(),
  },
  { name: "pictures.compare", label: "images:action.compare", keys: ["c"], foot: true, isEnabled: (c) => c.any && c.hasNearDuplicates, perform: (c) => c.compare() },
  { name: "pictures.all", label: "images:action.all", keys: ["Mod+a"], isEnabled: inGrid, perform: (c) => c.selectAll() },
  { name: "pictures.page", label: "images:action.page", keys: ["Enter"], isEnabled: any, perform: (c) => c.openPage() },
];

const nothing = () => undefined;
const name = { "zh-Hans": "", "zh-Hant": "", en: "" };
const moment: GridContext = {
  reasons: Array.from({ length: 9 }, (_, i) => ({ code: `r${i}`, name })),
  subsets: ["A", "B", "C", "D"].map((code) => ({ code, name })),
  nameOf: () => "",
  any: true,
  mayJudge: true,
  mayClear: true,
  canUndo: true,
  isOpen: false,
  hasNearDuplicates: true,
  move: nothing,
  selectAll: nothing,
  open: nothing,
  close: nothing,
  compare: nothing,
  openPage: nothing,
  accept: nothing,
  acceptIn: nothing,
  refuse: nothing,
  clear: nothing,
  undo: nothing,
};

export const screens: readonly ScreenKeys<GridContext>[] = [
  {
    screen: "pictures",
    actions: gridActions,
    moments: [moment, { ...moment, isOpen: true }, { ...moment, any: false }],
    beside: [stageActions, inspectActions],
  },
];
