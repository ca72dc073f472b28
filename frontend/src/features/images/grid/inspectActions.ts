import type { Action, ScreenKeys } from "@/ui/keys";

export interface InspectContext {
  /** Everything of the batch is decided. */
  isDone: boolean;
  next(): void;
}

export const inspectActions: readonly Action<InspectContext>[] = [
  { name: "pictures.nextBatch", label: "images:inspect.next", keys: ["Mod+Enter"], foot: true, isEnabled: (c) => c.isDone, perform: (c) => c.next() },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<InspectContext>[] = [
  {
    screen: "inspect",
    actions: inspectActions,
    moments: [
      { isDone: true, next: nothing },
      { isDone: false, next: nothing },
    ],
  },
];
