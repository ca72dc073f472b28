/** What a person can do on the desk of a team's item, beside writing. */
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";
import { singleWritingActions } from "../actions";
import { panelActions } from "../panels/actions";

export interface TeamDeskContext {
  /** Opens another item on the same picture; null where the picture has no room, or this one is not written yet. */
  another: (() => void) | null;
}

export const teamDeskActions: readonly Action<TeamDeskContext>[] = [
  {
    name: "teamDesk.another",
    label: "workspace:team.another",
    keys: ["Alt+n"],
    foot: true,
    isEnabled: (c) => c.another !== null,
    perform: (c) => c.another?.(),
  },
];

/** Nothing is to be written: the item was submitted, or is only to be read. */
export interface TeamDoneContext {
  another: (() => void) | null;
  leave: () => void;
}

export const teamDoneActions: readonly Action<TeamDoneContext>[] = [
  {
    name: "teamDone.another",
    label: "workspace:team.another",
    keys: ["Alt+n", "Enter"],
    foot: true,
    isEnabled: (c) => c.another !== null,
    perform: (c) => c.another?.(),
  },
  {
    name: "teamDone.leave",
    label: "workspace:team.board",
    keys: ["Escape"],
    foot: true,
    perform: (c) => c.leave(),
  },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<TeamDeskContext>, ScreenKeys<TeamDoneContext>] = [
  { screen: "workspace.team", actions: teamDeskActions, moments: [{ another: nothing }], beside: [singleWritingActions, panelActions, stageActions] },
  { screen: "workspace.team at the end", actions: teamDoneActions, moments: [{ another: nothing, leave: nothing }], beside: [panelActions, stageActions] },
];
