import { fileFormKeys, type FileFormContext } from "@/ui/fileFormKeys";
import type { Action, ScreenKeys } from "@/ui/keys";
import { OUTCOMES, type Outcome } from "./outcomes";

export const listActions = fileFormKeys("imports");

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

export const screens: readonly [ScreenKeys<FileFormContext>, ScreenKeys<ReportContext>] = [
  { screen: "imports", actions: listActions, moments: [{ choose: nothing, send: nothing }] },
  { screen: "import", actions: reportActions, moments: [{ filter: nothing, toList: nothing }] },
];
