import type { Action, ScreenKeys } from "@/ui/keys";
import { stageActions } from "@/picture/actions";

export interface FullPictureContext {
  close: () => void;
}

export const fullPictureActions: readonly Action<FullPictureContext>[] = [
  { name: "fullPicture.close", label: "kinds:closePicture", keys: ["Escape", "Space"], perform: (c) => c.close() },
];

export const screens: readonly ScreenKeys<FullPictureContext>[] = [
  {
    screen: "kinds.fullPicture",
    actions: fullPictureActions,
    moments: [{ close: () => undefined }],
    beside: [stageActions],
  },
];
