import type { Action, ScreenKeys } from "@/ui/keys";
import { OUTCOMES, type Outcome } from "./outcomes";

/** The list of imports with its form; null: one may not, or nothing is chosen yet. */
export interface ListContext {
  choose: (() => void) | null;
  send: (() => void) | null;
}

export const listActions: readonly Action<ListContext>[] = [
  {
    name: "imports.choose",
    label: "imports:form.choose",
    keys: ["o"],
    foot: true,
    isEnabled: (c) => c.choose !== null,
    perform: (c) => c.choose?.(),
  },
  {
    name: "imports.send",
    label: "imports:form.send",
    keys: ["Mod+Enter"],
    inText: true,
    foot: true,
    isEnabled: (c) => c.send !== null,
    perform: (c) => c.send?.(),
  },
];

/** One import's report. */
export interface ReportContext {
  filter: (outcome: Outcome | null) => void;
  toList: () => void;
}

export const reportActions: readonly Action<ReportContext>[] = [
  { name: "import.all", label: "imports:filter.all", keys: ["0"], foot: true, perform: (c) => c.filter(null) },
  ...OUTCOMES.map(
    (outcome, at): Action<ReportContext> => ({
      name: `import.${outcome}`,
      label: `imports:outcome.${outcome}`,
      keys: [String(at + 1)],
      foot: true,
      perform: (c) => c.filter(outcome),
    }),
  ),
  { name: "import.toList", label: "imports:toList", keys: ["Escape"], foot: true, perform: (c) => c.toList() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<ListContext>, ScreenKeys<ReportContext>] = [
  { screen: "imports", actions: listActions, moments: [{ choose: nothing, send: nothing }] },
  { screen: "import", actions: reportActions, moments: [{ filter: nothing, toList: nothing }] },
];
