import type { Action, ScreenKeys } from "@/ui/keys";

export interface IntakeContext {
  /** How many cards are shown, are chosen, miss something, can be added. */
  shown: number;
  chosen: number;
  missing: number;
  ready: number;
  choose(): void;
  move(by: number, extend: boolean): void;
  selectAll(): void;
  selectMissing(): void;
  clearSelection(): void;
  remove(): void;
  take(): void;
}

const any = (c: IntakeContext) => c.shown > 0;

export const intakeActions: readonly Action<IntakeContext>[] = [
  { name: "intake.choose", label: "images:intake.chooseFiles", keys: ["o"], foot: true, perform: (c) => c.choose() },
  { name: "intake.down", label: "images:action.right", keys: ["ArrowDown"], keyOnly: true, repeats: true, isEnabled: any, perform: (c) => c.move(1, false) },
  { name: "intake.up", label: "images:action.left", keys: ["ArrowUp"], keyOnly: true, repeats: true, isEnabled: any, perform: (c) => c.move(-1, false) },
  {
    name: "intake.extendDown",
    label: "images:action.extend.down",
    keys: ["Shift+ArrowDown"],
    keyOnly: true,
    repeats: true,
    isEnabled: any,
    perform: (c) => c.move(1, true),
  },
  {
    name: "intake.extendUp",
    label: "images:action.extend.up",
    keys: ["Shift+ArrowUp"],
    keyOnly: true,
    repeats: true,
    isEnabled: any,
    perform: (c) => c.move(-1, true),
  },
  { name: "intake.all", label: "images:intake.selectAll", keys: ["Mod+a"], foot: true, isEnabled: any, perform: (c) => c.selectAll() },
  { name: "intake.missing", label: "images:intake.selectMissing", keys: ["m"], foot: true, isEnabled: (c) => c.missing > 0, perform: (c) => c.selectMissing() },
  { name: "intake.clearSelection", label: "images:intake.clearSelection", keys: ["Escape"], foot: true, isEnabled: (c) => c.chosen > 0, perform: (c) => c.clearSelection() },
  { name: "intake.remove", label: "images:intake.removeChosen", keys: ["Delete", "Backspace"], isEnabled: (c) => c.chosen > 0, perform: (c) => c.remove() },
  { name: "intake.add", label: "images:intake.addReady", keys: ["Mod+Enter"], foot: true, isEnabled: (c) => c.ready > 0, perform: (c) => c.take() },
];

const nothing = () => undefined;
const moment: IntakeContext = {
  shown: 3,
  chosen: 2,
  missing: 2,
  ready: 1,
  choose: nothing,
  move: nothing,
  selectAll: nothing,
  selectMissing: nothing,
  clearSelection: nothing,
  remove: nothing,
  take: nothing,
};

export const screens: readonly ScreenKeys<IntakeContext>[] = [
  { screen: "intake", actions: intakeActions, moments: [moment, { ...moment, shown: 0, chosen: 0, missing: 0, ready: 0 }] },
];
