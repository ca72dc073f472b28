import type { Reason } from "@/api/types";
import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface PictureContext {
  reasons: readonly Reason[];
  /** A name of the protocol in the reader's language. */
  nameOf(reason: Reason | undefined): string;
  mayAccept: boolean;
  mayRefuse: boolean;
  mayClear: boolean;
  canUndo: boolean;
  accept(): void;
  refuse(reason: Reason): void;
  clear(): void;
  undo(): void;
}

export const pageActions: readonly Action<PictureContext>[] = [
  { name: "picture.accept", label: "images:action.accept", keys: ["a"], foot: true, isEnabled: (c) => c.mayAccept, perform: (c) => c.accept() },
  ...Array.from({ length: 9 }, (_, i): Action<PictureContext> => ({
    name: `picture.refuse${i + 1}`,
    label: "images:action.refuse",
    values: (c) => ({ reason: c.nameOf(c.reasons[i]) }),
    keys: [String(i + 1)],
    isEnabled: (c) => c.mayRefuse && c.reasons[i] !== undefined,
    perform: (c) => {
      const reason = c.reasons[i];
      if (reason) c.refuse(reason);
    },
  })),
  { name: "picture.clear", label: "images:action.clear", keys: ["p"], foot: true, isEnabled: (c) => c.mayClear, perform: (c) => c.clear() },
  { name: "picture.undo", label: "images:action.undo", keys: ["z", "Mod+z"], foot: true, isEnabled: (c) => c.canUndo, perform: (c) => c.undo() },
];

const nothing = () => undefined;
const name = { "zh-Hans": "", "zh-Hant": "", en: "" };

export const screens: readonly ScreenKeys<PictureContext>[] = [
  {
    screen: "picture",
    actions: pageActions,
    moments: [
      {
        reasons: Array.from({ length: 9 }, (_, i) => ({ code: `r${i}`, name })),
        nameOf: () => "",
        mayAccept: true,
        mayRefuse: true,
        mayClear: true,
        canUndo: true,
        accept: nothing,
        refuse: nothing,
        clear: nothing,
        undo: nothing,
      },
    ],
    beside: [stageActions],
  },
];
