/** What a pointer does among regions that are edited: draws a new one, moves or pulls the selected one, or selects one. */
import type { Point, Rect, Size } from "../geometry";
import type { Gesture, Press } from "../surface";
import { MOUSE_REACH, nextAt, partAt, placeOf, pulled, TOUCH_REACH, type Handle } from "./hits";
import { boxBetween, moved, type Box, type Region } from "./regions";
import type { Ghost } from "./RegionGhost";

export interface RegionPointing<R extends Region> {
  regions: readonly R[];
  selected: R | null;
  picture: Size;
  /** A pixel of the screen in pixels of the picture. */
  pixel: number;
  ghost: () => Ghost;
  onDrawn: (box: Box) => void;
  onPlaced: (key: string, box: Box) => void;
  /** A region was pressed; null where there is none. */
  onTapped: (key: string | null) => void;
}

/** Screen pixels below which a side is a slip of the hand. */
const LEAST_DRAWN = 3;

/** With Shift a press always draws, also inside the selected region. */
export function startGesture<R extends Region>(pointing: RegionPointing<R>, press: Press): Gesture {
  const { selected, pixel } = pointing;
  const reach = (press.isTouch ? TOUCH_REACH : MOUSE_REACH) * pixel;
  const part = selected && !press.shiftKey ? partAt(selected.box, press.at, reach) : null;
  return selected && part ? changing(pointing, selected, part, press) : drawing(pointing, press);
}

/** The cursor that says what a press would do. */
export function cursorAt<R extends Region>({ selected, pixel }: RegionPointing<R>, at: Point): string {
  const part = selected && partAt(selected.box, at, MOUSE_REACH * pixel);
  return part === null ? "crosshair" : part === "body" ? "move" : `${part}-resize`;
}

function drawing<R extends Region>(pointing: RegionPointing<R>, { at: from, isTouch }: Press): Gesture {
  const ghost = pointing.ghost();
  return {
    move: (to) => ghost.show(boxBetween(from, to, pointing.picture), null),
    end: (at, isTap) => {
      ghost.hide();
      if (isTap) {
        const slop = (isTouch ? TOUCH_REACH / 2 : MOUSE_REACH / 2) * pointing.pixel;
        pointing.onTapped(nextAt(pointing.regions, at, slop, pointing.selected?.key ?? null)?.key ?? null);
        return;
      }
      const box = boxBetween(from, at, pointing.picture);
      const least = LEAST_DRAWN * pointing.pixel;
      if (box[2] >= least && box[3] >= least) pointing.onDrawn(box);
    },
    cancel: () => ghost.hide(),
  };
}

function changing<R extends Region>(pointing: RegionPointing<R>, { key, box }: R, part: Handle | "body", { at: from }: Press): Gesture {
  const ghost = pointing.ghost();
  const boxTo = (to: Point): Box => {
    const by = { x: to.x - from.x, y: to.y - from.y };
    if (part === "body") return moved(box, by, pointing.picture);
    // The handle keeps its distance from the pointer that took it.
    const place = placeOf(part);
    return pulled(box, part, { x: box[0] + place.x * box[2] + by.x, y: box[1] + place.y * box[3] + by.y }, pointing.picture);
  };
  return {
    move: (to) => ghost.show(boxTo(to), key),
    end: (at, isTap) => {
      ghost.hide();
      if (isTap) pointing.onTapped(nextAt(pointing.regions, at, 0, key)?.key ?? key);
      else pointing.onPlaced(key, boxTo(at));
    },
    cancel: () => ghost.hide(),
  };
}

/** Picture pixels that a new box is moved by where one of the same place exists. */
const OFFSET = 12;

/** A box in the middle of what is in view, a fifth of its shorter side, beside those that are there already. */
export function newBox(inView: Rect, picture: Size, regions: readonly Region[]): Box {
  const side = Math.max(1, Math.min(inView.width, picture.width, inView.height, picture.height) / 5);
  const middle = { x: inView.x + inView.width / 2, y: inView.y + inView.height / 2 };
  let box = boxBetween({ x: middle.x - side / 2, y: middle.y - side / 2 }, { x: middle.x + side / 2, y: middle.y + side / 2 }, picture);
  for (let tries = 0; tries < 20 && regions.some((region) => region.box[0] === box[0] && region.box[1] === box[1]); tries += 1) {
    box = moved(box, { x: OFFSET, y: OFFSET }, picture);
  }
  return box;
}
