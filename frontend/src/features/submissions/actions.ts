import type { Action, ScreenKeys } from "@/ui/keys";

/** The page on which predictions are handed in; null: not now, or not by this person. */
export interface ListContext {
  choose: (() => void) | null;
  send: (() => void) | null;
}

export const listActions: readonly Action<ListContext>[] = [
  {
    name: "submissions.choose",
    label: "submissions:form.choose",
    keys: ["o"],
    foot: true,
    isEnabled: (c) => c.choose !== null,
    perform: (c) => c.choose?.(),
  },
  {
    name: "submissions.send",
    label: "submissions:form.send",
    keys: ["Mod+Enter"],
    inText: true,
    foot: true,
    isEnabled: (c) => c.send !== null,
    perform: (c) => c.send?.(),
  },
];

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

export const screens: readonly [ScreenKeys<ListContext>, ScreenKeys<ReportContext>] = [
  { screen: "submissions", actions: listActions, moments: [{ choose: nothing, send: nothing }] },
  { screen: "submission", actions: reportActions, moments: [{ list: nothing, toList: nothing }] },
];
