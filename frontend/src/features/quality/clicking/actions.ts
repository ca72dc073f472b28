/** What a second person can do with a text: point at what it means, or say that it means nothing, or several things. */
import { stageActions } from "@/picture/actions";
import type { Point } from "@/picture/geometry";
import type { Action, ScreenKeys } from "@/ui/keys";

export interface ClickContext {
  /** Moves the crosshair by so many steps. */
  move: (by: Point) => void;
  /** Answers with the crosshair; null while there is none. */
  point: (() => void) | null;
  notFound: (() => void) | null;
  several: (() => void) | null;
  leave: () => void;
}

/** Steps that an arrow key moves the crosshair with Shift. */
const LARGE_STEP = 10;

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

function stepOf(keys: string): Point {
  const { x, y } = DIRECTIONS[keys.replace("Shift+", "")] ?? { x: 0, y: 0 };
  const size = keys.startsWith("Shift+") ? LARGE_STEP : 1;
  return { x: x * size, y: y * size };
}

export const clickActions: readonly Action<ClickContext>[] = [
  {
    name: "click.move",
    label: "quality:click.move",
    keys: Object.keys(DIRECTIONS).flatMap((key) => [key, `Shift+${key}`]),
    foot: true,
    keyOnly: true,
    repeats: true,
    perform: (c, keys) => c.move(stepOf(keys)),
  },
  { name: "click.point", label: "quality:click.point", keys: ["Enter"], foot: true, isEnabled: (c) => c.point !== null, perform: (c) => c.point?.() },
  { name: "click.notFound", label: "quality:click.notFound", keys: ["x"], foot: true, isEnabled: (c) => c.notFound !== null, perform: (c) => c.notFound?.() },
  { name: "click.several", label: "quality:click.several", keys: ["m"], foot: true, isEnabled: (c) => c.several !== null, perform: (c) => c.several?.() },
  { name: "click.leave", label: "quality:click.leave", keys: ["Escape"], perform: (c) => c.leave() },
];

/** No picture is open. */
export interface ClickStartContext {
  start: (() => void) | null;
  leave: () => void;
}

export const clickStartActions: readonly Action<ClickStartContext>[] = [
  { name: "clickStart.start", label: "quality:click.next", keys: ["Enter", "n"], foot: true, isEnabled: (c) => c.start !== null, perform: (c) => c.start?.() },
  { name: "clickStart.leave", label: "quality:click.leave", keys: ["Escape"], perform: (c) => c.leave() },
];

const nothing = () => undefined;

export const screens: readonly [ScreenKeys<ClickContext>, ScreenKeys<ClickStartContext>] = [
  {
    screen: "quality.click",
    actions: clickActions,
    moments: [{ move: nothing, point: nothing, notFound: nothing, several: nothing, leave: nothing }],
    beside: [stageActions],
  },
  { screen: "quality.click start", actions: clickStartActions, moments: [{ start: nothing, leave: nothing }] },
];
