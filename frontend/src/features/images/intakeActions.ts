import type { Action, ScreenKeys } from "@/ui/keys";

export interface IntakeContext {
  /** How many files wait to be sent. */
  ready: number;
  start(): void;
  choose(): void;
}

export const intakeActions: readonly Action<IntakeContext>[] = [
  { name: "intake.choose", label: "images:intake.chooseFiles", keys: ["o"], foot: true, perform: (c) => c.choose() },
  {
    name: "intake.start",
    label: "images:intake.startAction",
    keys: ["Mod+Enter"],
    foot: true,
    isEnabled: (c) => c.ready > 0,
    perform: (c) => c.start(),
  },
];

const nothing = () => undefined;

export const screens: readonly ScreenKeys<IntakeContext>[] = [
  {
    screen: "intake",
    actions: intakeActions,
    moments: [
      { ready: 0, start: nothing, choose: nothing },
      { ready: 2, start: nothing, choose: nothing },
    ],
  },
];
