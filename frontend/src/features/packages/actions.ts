import type { Action, ScreenKeys } from "@/ui/keys";

export interface WorkContext {
  /** Continues open work or claims a package; null when there is neither. */
  begin: (() => void) | null;
}

export const workActions: readonly Action<WorkContext>[] = [
  {
    name: "work.begin",
    label: "packages:action.begin",
    keys: ["Enter"],
    foot: true,
    isEnabled: (c) => c.begin !== null,
    perform: (c) => c.begin?.(),
  },
];

export interface PackageContext {
  /** What the person should do with the package next. */
  advance: (() => void) | null;
  toList: () => void;
}

export const packageActions: readonly Action<PackageContext>[] = [
  {
    name: "package.continue",
    label: "packages:action.continue",
    keys: ["Enter"],
    foot: true,
    isEnabled: (c) => c.advance !== null,
    perform: (c) => c.advance?.(),
  },
  { name: "package.toList", label: "packages:action.toList", keys: ["Escape"], foot: true, perform: (c) => c.toList() },
];

export interface CheckContext {
  move: (step: 1 | -1) => void;
  canTick: boolean;
  tick: () => void;
  edit: () => void;
  look: () => void;
  canSubmit: boolean;
  submit: () => void;
  leave: () => void;
}

export const checkActions: readonly Action<CheckContext>[] = [
  {
    name: "check.tick",
    label: "packages:action.tick",
    keys: ["x", "Enter"],
    foot: true,
    isEnabled: (c) => c.canTick,
    perform: (c) => c.tick(),
  },
  {
    name: "check.next",
    label: "packages:action.next",
    keys: ["ArrowDown", "j"],
    foot: true,
    keyOnly: true,
    repeats: true,
    perform: (c) => c.move(1),
  },
  {
    name: "check.previous",
    label: "packages:action.previous",
    keys: ["ArrowUp", "k"],
    foot: true,
    keyOnly: true,
    repeats: true,
    perform: (c) => c.move(-1),
  },
  { name: "check.edit", label: "packages:action.edit", keys: ["e"], foot: true, perform: (c) => c.edit() },
  { name: "check.look", label: "packages:action.fullSize", keys: ["Space"], foot: true, perform: (c) => c.look() },
  {
    name: "check.submit",
    label: "packages:action.submit",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.canSubmit,
    perform: (c) => c.submit(),
  },
  { name: "check.leave", label: "packages:action.toPackage", keys: ["Escape"], foot: true, perform: (c) => c.leave() },
];

/** A confirmation in place: assign, revoke, withdraw. */
export interface ConfirmContext {
  ready: boolean;
  confirm: () => void;
  cancel: () => void;
}

export const confirmActions: readonly Action<ConfirmContext>[] = [
  {
    name: "package.confirm",
    label: "packages:action.confirm",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.ready,
    perform: (c) => c.confirm(),
  },
  { name: "package.cancel", label: "ui:cancel", keys: ["Escape"], inText: true, foot: true, perform: (c) => c.cancel() },
];

const nothing = () => undefined;

export const screens: readonly [
  ScreenKeys<WorkContext>,
  ScreenKeys<PackageContext>,
  ScreenKeys<CheckContext>,
  ScreenKeys<ConfirmContext>,
] = [
  { screen: "packages.work", actions: workActions, moments: [{ begin: nothing }] },
  { screen: "packages.package", actions: packageActions, moments: [{ advance: nothing, toList: nothing }] },
  {
    screen: "packages.check",
    actions: checkActions,
    moments: [
      {
        move: nothing,
        canTick: true,
        tick: nothing,
        edit: nothing,
        look: nothing,
        canSubmit: true,
        submit: nothing,
        leave: nothing,
      },
    ],
  },
  {
    screen: "packages.manage",
    actions: confirmActions,
    moments: [{ ready: true, confirm: nothing, cancel: nothing }],
  },
];
