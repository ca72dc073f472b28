import { fileFormKeys, type FileFormContext } from "@/ui/fileFormKeys";
import type { Action, ScreenKeys } from "@/ui/keys";

export const listActions = fileFormKeys("submissions");

/** One file's report. */
export interface ReportContext {
  list: (() => void) | null;
  toList: () => void;
}

export const reportActions: readonly Action<ReportContext>[] = [
  {
    name: "submission.list",
    label: "submissions:action.list",
    keys: ["l"],
    foot: true,
    isEnabled: (c) => c.list !== null,
    perform: (c) => c.list?.(),
  },
  { name: "submission.toList", label: "submissions:toList", keys: ["Escape"], foot: true, perform: (c) => c.toList() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<FileFormContext>, ScreenKeys<ReportContext>] = [
  { screen: "submissions", actions: listActions, moments: [{ choose: nothing, send: nothing }] },
  { screen: "submission", actions: reportActions, moments: [{ list: nothing, toList: nothing }] },
];
