import { conflictActions } from "@/item/conflict/actions";
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";
import { finishedActions, writingActions } from "../actions";
import { panelActions } from "../panels/actions";

export interface StripContext {
  /** Puts the focus on the open item's place. */
  focus: () => void;
}

export const stripActions: readonly Action<StripContext>[] = [
  { name: "workspace.strip", label: "workspace:action.strip", keys: ["Alt+j"], perform: (c) => c.focus() },
];

const moments = [{ focus: () => undefined }];

export const screens: readonly ScreenKeys<StripContext>[] = [
  { screen: "workspace.strip over writing", actions: stripActions, moments, beside: [writingActions, panelActions, stageActions] },
  { screen: "workspace.strip over a conflict", actions: stripActions, moments, beside: [conflictActions, panelActions, stageActions] },
  { screen: "workspace.strip at the end", actions: stripActions, moments, beside: [finishedActions, panelActions] },
];
