import type { Action, ScreenKeys } from "@/ui/keys";
import { REASONS } from "./covers";

export interface ReasonContext {
  nameOf(code: string): string;
  choose(code: string): void;
}

export const reasonActions: readonly Action<ReasonContext>[] = REASONS.map((code, at) => ({
  name: `cover.reason.${code}`,
  label: "images:cover.action.because",
  values: (c) => ({ reason: c.nameOf(code) }),
  keys: [String(at + 1)],
  perform: (c) => c.choose(code),
}));

export const screens: readonly ScreenKeys<ReasonContext>[] = [
  { screen: "cover.reasons", actions: reasonActions, moments: [{ nameOf: (code) => code, choose: () => undefined }] },
];
