import type { Action, ScreenKeys } from "@/ui/keys";

export interface StageContext {
  zoom(factor: number): void;
  fit(): void;
  isFitted: boolean;
}

/** One press of + zooms by a half. */
export const ZOOM_STEP = 1.5;

export const stageActions: readonly Action<StageContext>[] = [
  { name: "picture.zoomIn", label: "picture:zoomIn", keys: ["+", "="], repeats: true, perform: (c) => c.zoom(ZOOM_STEP) },
  {
    name: "picture.zoomOut",
    label: "picture:zoomOut",
    keys: ["-"],
    repeats: true,
    isEnabled: (c) => !c.isFitted,
    perform: (c) => c.zoom(1 / ZOOM_STEP),
  },
  { name: "picture.fit", label: "picture:fit", keys: ["0"], isEnabled: (c) => !c.isFitted, perform: (c) => c.fit() },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<StageContext>[] = [
  {
    screen: "picture",
    actions: stageActions,
    moments: [
      { zoom: nothing, fit: nothing, isFitted: true },
      { zoom: nothing, fit: nothing, isFitted: false },
    ],
  },
];
