import type { Reason } from "@/api/types";
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface GridContext {
  /** The protocol's reasons to refuse; the first nine have keys. */
  reasons: readonly Reason[];
  /** A reason in the reader's language. */
  reasonName(reason: Reason | undefined): string;
  /** Whether there is any picture. */
  any: boolean;
  mayJudge: boolean;
  mayClear: boolean;
  /** One picture shown large. */
  isOpen: boolean;
  move(by: { columns?: number; rows?: number }, extend: boolean): void;
  selectAll(): void;
  open(): void;
  close(): void;
  openPage(): void;
  accept(): void;
  refuse(reason: Reason): void;
  clear(): void;
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
  values: (c: GridContext) => ({ reason: c.reasonName(c.reasons[i]) }),
  keys: [String(i + 1)],
  isEnabled: (c: GridContext) => c.any && c.mayJudge && c.reasons[i] !== undefined,
  perform: (c: GridContext) => {
    const reason = c.reasons[i];
    if (reason) c.refuse(reason);
  },
}));

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
  { name: "pictures.all", label: "images:action.all", keys: ["Mod+a"], isEnabled: inGrid, perform: (c) => c.selectAll() },
  { name: "pictures.open", label: "images:action.open", keys: ["Space"], foot: true, isEnabled: inGrid, perform: (c) => c.open() },
  {
    name: "pictures.close",
    label: "images:action.close",
    keys: ["Escape", "Space"],
    foot: true,
    isEnabled: (c) => c.isOpen,
    perform: (c) => c.close(),
  },
  { name: "pictures.page", label: "images:action.page", keys: ["Enter"], isEnabled: any, perform: (c) => c.openPage() },
  { name: "pictures.accept", label: "images:action.accept", keys: ["a"], foot: true, isEnabled: (c) => c.any && c.mayJudge, perform: (c) => c.accept() },
  ...REFUSALS,
  { name: "pictures.clear", label: "images:action.clear", keys: ["p"], foot: true, isEnabled: (c) => c.any && c.mayClear, perform: (c) => c.clear() },
];

const nothing = () => undefined;
const reasons: Reason[] = Array.from({ length: 9 }, (_, i) => ({ code: `r${i}`, name: { "zh-Hans": "", "zh-Hant": "", en: "" } }));
const moment: GridContext = {
  reasons,
  reasonName: () => "",
  any: true,
  mayJudge: true,
  mayClear: true,
  isOpen: false,
  move: nothing,
  selectAll: nothing,
  open: nothing,
  close: nothing,
  openPage: nothing,
  accept: nothing,
  refuse: nothing,
  clear: nothing,
};

export const screens: readonly ScreenKeys<GridContext>[] = [
  {
    screen: "pictures",
    actions: gridActions,
    moments: [moment, { ...moment, isOpen: true }, { ...moment, any: false }],
    beside: [stageActions],
  },
];
