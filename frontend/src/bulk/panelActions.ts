import type { Action, ScreenKeys } from "@/ui/keys";

export interface PanelContext {
  close: () => void;
}

export const panelActions: readonly Action<PanelContext>[] = [
  { name: "bulk.close", label: "ui:close", keys: ["Escape"], inText: true, perform: (c) => c.close() },
];

export const screens: readonly ScreenKeys<PanelContext>[] = [
  { screen: "bulk", actions: panelActions, moments: [{ close: () => undefined }] },
];
