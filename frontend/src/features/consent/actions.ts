import type { Action, ScreenKeys } from "@/ui/keys";

export interface ConsentContext {
  notNow: () => void;
}

export const consentActions: readonly Action<ConsentContext>[] = [
  { name: "consent.notNow", label: "consent:notNow", keys: ["Escape"], inText: true, perform: (c) => c.notNow() },
];

export const screens: readonly ScreenKeys<ConsentContext>[] = [
  { screen: "consent", actions: consentActions, moments: [{ notNow: () => undefined }] },
];
