import type { Action, ScreenKeys } from "@/ui/keys";

/** The list of releases. */
export interface ListContext {
  /** Null where the form is open already, or one may not. */
  begin: (() => void) | null;
}

export const listActions: readonly Action<ListContext>[] = [
  {
    name: "releases.new",
    label: "releases:new",
    keys: ["n"],
    foot: true,
    isEnabled: (c) => c.begin !== null,
    perform: (c) => c.begin?.(),
  },
];

/** One release; null: not now, or not by this person. */
export interface ReleaseContext {
  check: (() => void) | null;
  reopen: (() => void) | null;
  freeze: (() => void) | null;
  write: (() => void) | null;
  publish: (() => void) | null;
  withdraw: (() => void) | null;
  edit: (() => void) | null;
  changes: (() => void) | null;
  leaderboard: (() => void) | null;
  toList: () => void;
}

type Move = Exclude<keyof ReleaseContext, "toList">;

const move = (name: Move, key: string): Action<ReleaseContext> => ({
  name: `release.${name}`,
  label: `releases:action.${name}`,
  keys: [key],
  foot: true,
  isEnabled: (c) => c[name] !== null,
  perform: (c) => c[name]?.(),
});

export const releaseActions: readonly Action<ReleaseContext>[] = [
  move("check", "c"),
  move("freeze", "f"),
  move("publish", "p"),
  move("write", "w"),
  move("edit", "e"),
  move("reopen", "o"),
  move("changes", "d"),
  move("leaderboard", "l"),
  move("withdraw", "Shift+w"),
  { name: "release.toList", label: "releases:action.toList", keys: ["Escape"], foot: true, perform: (c) => c.toList() },
];

/** An open confirmation or form: freeze, publish, withdraw, the settings of a draft. */
export interface ConfirmationContext {
  ready: boolean;
  confirm: () => void;
  cancel: () => void;
}

export const confirmationActions: readonly Action<ConfirmationContext>[] = [
  {
    name: "release.confirm",
    label: "releases:action.confirm",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.ready,
    perform: (c) => c.confirm(),
  },
  { name: "release.cancel", label: "ui:cancel", keys: ["Escape"], inText: true, foot: true, perform: (c) => c.cancel() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<ListContext>, ScreenKeys<ReleaseContext>, ScreenKeys<ConfirmationContext>] = [
  { screen: "releases", actions: listActions, moments: [{ begin: nothing }] },
  {
    screen: "release",
    actions: releaseActions,
    moments: [
      {
        check: nothing,
        reopen: nothing,
        freeze: nothing,
        write: nothing,
        publish: nothing,
        withdraw: nothing,
        edit: nothing,
        changes: nothing,
        leaderboard: nothing,
        toList: nothing,
      },
    ],
  },
  { screen: "release question", actions: confirmationActions, moments: [{ ready: true, confirm: nothing, cancel: nothing }] },
];
