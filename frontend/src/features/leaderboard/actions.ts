import { stageActions } from "@/picture/actions";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface BoardContext {
  /** Null for questions, which have no direction. */
  turn: (() => void) | null;
  /** Null when there is only one metric. */
  metric: (() => void) | null;
  /** Null for those who may not. */
  score: (() => void) | null;
}

export const boardActions: readonly Action<BoardContext>[] = [
  { name: "board.turn", label: "leaderboard:action.turn", keys: ["t"], foot: true, isEnabled: (c) => c.turn !== null, perform: (c) => c.turn?.() },
  {
    name: "board.metric",
    label: "leaderboard:action.metric",
    keys: ["m"],
    foot: true,
    isEnabled: (c) => c.metric !== null,
    perform: (c) => c.metric?.(),
  },
  {
    name: "board.score",
    label: "leaderboard:action.score",
    keys: [],
    isEnabled: (c) => c.score !== null,
    perform: (c) => c.score?.(),
  },
];

export interface SampleContext {
  /** Null at the ends of the list. */
  previous: (() => void) | null;
  next: (() => void) | null;
  list: () => void;
}

export const sampleActions: readonly Action<SampleContext>[] = [
  {
    name: "sample.next",
    label: "leaderboard:action.next",
    keys: ["n", "ArrowRight"],
    foot: true,
    isEnabled: (c) => c.next !== null,
    perform: (c) => c.next?.(),
  },
  {
    name: "sample.previous",
    label: "leaderboard:action.previous",
    keys: ["p", "ArrowLeft"],
    foot: true,
    isEnabled: (c) => c.previous !== null,
    perform: (c) => c.previous?.(),
  },
  { name: "sample.list", label: "leaderboard:action.list", keys: ["u"], foot: true, perform: (c) => c.list() },
];

const nothing = () => undefined;

export const screens: readonly (ScreenKeys<BoardContext> | ScreenKeys<SampleContext>)[] = [
  { screen: "leaderboard", actions: boardActions, moments: [{ turn: nothing, metric: nothing, score: nothing }] },
  {
    screen: "sample",
    actions: sampleActions,
    moments: [{ previous: nothing, next: nothing, list: nothing }],
    beside: [stageActions],
  },
];
