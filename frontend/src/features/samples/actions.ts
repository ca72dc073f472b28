import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface SampleContext {
  /** Null at the ends of the list. */
  previous: (() => void) | null;
  next: (() => void) | null;
  /** Null where no answer can be read in place of the rules. */
  override: (() => void) | null;
  list: () => void;
}

export const sampleActions: readonly Action<SampleContext>[] = [
  {
    name: "prediction.next",
    label: "samples:action.next",
    keys: ["j", "ArrowRight"],
    foot: true,
    isEnabled: (c) => c.next !== null,
    perform: (c) => c.next?.(),
  },
  {
    name: "prediction.previous",
    label: "samples:action.previous",
    keys: ["k", "ArrowLeft"],
    foot: true,
    isEnabled: (c) => c.previous !== null,
    perform: (c) => c.previous?.(),
  },
  {
    name: "prediction.override",
    label: "samples:action.override",
    keys: ["o"],
    foot: true,
    isEnabled: (c) => c.override !== null,
    perform: (c) => c.override?.(),
  },
  { name: "prediction.list", label: "samples:action.list", keys: ["u"], foot: true, perform: (c) => c.list() },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<SampleContext>[] = [
  {
    screen: "prediction",
    actions: sampleActions,
    moments: [{ previous: nothing, next: nothing, override: nothing, list: nothing }],
    beside: [stageActions],
  },
];
