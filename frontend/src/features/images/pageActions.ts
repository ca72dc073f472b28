import type { Reason } from "@/api/types";
import type { Action, ScreenKeys } from "@/ui/keys";
import { stageActions } from "@/picture/actions";

export interface PictureContext {
  reasons: readonly Reason[];
  /** A reason in the reader's language. */
  reasonName(reason: Reason | undefined): string;
  mayAccept: boolean;
  mayRefuse: boolean;
  mayClear: boolean;
  accept(): void;
  refuse(reason: Reason): void;
  clear(): void;
}

export const pageActions: readonly Action<PictureContext>[] = [
  { name: "picture.accept", label: "images:action.accept", keys: ["a"], foot: true, isEnabled: (c) => c.mayAccept, perform: (c) => c.accept() },
  ...Array.from({ length: 9 }, (_, i): Action<PictureContext> => ({
    name: `picture.refuse${i + 1}`,
    label: "images:action.refuse",
    values: (c) => ({ reason: c.reasonName(c.reasons[i]) }),
    keys: [String(i + 1)],
    isEnabled: (c) => c.mayRefuse && c.reasons[i] !== undefined,
    perform: (c) => {
      const reason = c.reasons[i];
      if (reason) c.refuse(reason);
    },
  })),
  { name: "picture.clear", label: "images:action.clear", keys: ["p"], foot: true, isEnabled: (c) => c.mayClear, perform: (c) => c.clear() },
];

const nothing = () => undefined;
const reasons: Reason[] = Array.from({ length: 9 }, (_, i) => ({ code: `r${i}`, name: { "zh-Hans": "", "zh-Hant": "", en: "" } }));

export const screens: readonly ScreenKeys<PictureContext>[] = [
  {
    screen: "picture",
    actions: pageActions,
    moments: [{ reasons, reasonName: () => "", mayAccept: true, mayRefuse: true, mayClear: true, accept: nothing, refuse: nothing, clear: nothing }],
    beside: [stageActions],
  },
];
