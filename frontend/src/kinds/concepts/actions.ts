/** Keys for writing down a concept, and for deciding on what a model drafted. They are live while someone types. */
import type { Action, ScreenKeys } from "@/ui/keys";
import { DISCARD_REASONS } from "./drafts";

export interface ConceptFormContext {
  add: () => void;
  cancel: () => void;
}

export const conceptFormActions: readonly Action<ConceptFormContext>[] = [
  { name: "conceptForm.add", label: "kinds:concepts.confirm", keys: ["Mod+Enter"], foot: true, perform: (c) => c.add() },
  { name: "conceptForm.cancel", label: "ui:cancel", keys: ["Escape"], inText: true, foot: true, perform: (c) => c.cancel() },
];

/** The first candidate that is not decided; null where the person may not decide so. */
export interface CandidateContext {
  use: (() => void) | null;
  discard: (() => void) | null;
}

export const candidateActions: readonly Action<CandidateContext>[] = [
  {
    name: "candidate.use",
    label: "kinds:concepts.drafts.use",
    keys: ["Alt+u"],
    foot: true,
    isEnabled: (c) => c.use !== null,
    perform: (c) => c.use?.(),
  },
  {
    name: "candidate.discard",
    label: "kinds:concepts.drafts.discardFirst",
    keys: ["Alt+x"],
    foot: true,
    isEnabled: (c) => c.discard !== null,
    perform: (c) => c.discard?.(),
  },
];

/** Saying why a candidate is discarded, or that it takes the place of what was written. */
export interface CandidatePanelContext {
  /** Null while nothing is to be chosen. */
  choose: ((index: number) => void) | null;
  cancel: () => void;
}

export const candidatePanelActions: readonly Action<CandidatePanelContext>[] = [
  ...DISCARD_REASONS.map((_, index) => ({
    name: `candidatePanel.${index + 1}`,
    label: "kinds:concepts.drafts.reasonKey",
    values: () => ({ number: String(index + 1) }),
    keys: [String(index + 1)],
    keyOnly: true,
    isEnabled: (c: CandidatePanelContext) => c.choose !== null,
    perform: (c: CandidatePanelContext) => c.choose?.(index),
  })),
  { name: "candidatePanel.cancel", label: "ui:cancel", keys: ["Escape"], inText: true, foot: true, perform: (c) => c.cancel() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<ConceptFormContext>, ScreenKeys<CandidateContext>, ScreenKeys<CandidatePanelContext>] = [
  { screen: "kinds.conceptForm", actions: conceptFormActions, moments: [{ add: nothing, cancel: nothing }] },
  { screen: "kinds.candidate", actions: candidateActions, moments: [{ use: nothing, discard: nothing }] },
  { screen: "kinds.candidatePanel", actions: candidatePanelActions, moments: [{ choose: nothing, cancel: nothing }] },
];
