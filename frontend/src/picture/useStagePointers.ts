/**
 * Pointers on a stage. One pans, or belongs to the tool that draws; two pinch. With the space bar or the middle button one
 * pans although a tool draws.
 */
import { useEffect, useEffectEvent, useRef, type PointerEvent, type RefObject } from "react";
import { isTextField } from "@/ui/keys";
import { distance, type Point } from "./geometry";
import type { ClientPlace, Gesture, Surface } from "./surface";

/** Frame pixels that a pointer may move in a press that is no drag. */
const STILL = 4;
/** Milliseconds without a turn of the wheel after which zooming has ended. */
const WHEEL_REST_MS = 120;

interface StageMoves {
  /** Moves the picture by frame pixels, and zooms it at a point of the frame. */
  move: (by: Point, factor: number, at: Point) => void;
  /** The movement has ended. */
  settle: () => void;
}

/** What one pointer does until it is released. */
interface Hold {
  readonly from: Point;
  readonly gesture: Gesture | null;
  isTap: boolean;
}

export function useStagePointers(svg: RefObject<SVGSVGElement | null>, surface: Surface, { move, settle }: StageMoves) {
  const down = useRef(new Map<number, Point>());
  const hold = useRef<Hold | null>(null);
  const pans = useSpaceBar(svg, surface);

  function drop() {
    hold.current?.gesture?.cancel();
    hold.current = null;
  }
  function release(event: PointerEvent, isDone: boolean) {
    if (!down.current.delete(event.pointerId)) return;
    const { current } = hold;
    hold.current = null;
    if (current === null || !isDone) current?.gesture?.cancel();
    else if (current.gesture) current.gesture.end(surface.toPicture(event), current.isTap);
    else if (current.isTap) surface.tap(surface.toPicture(event));
    settle();
  }
  return {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      const isMiddle = event.button === 1;
      if (event.button !== 0 && !isMiddle) return;
      if (isMiddle) event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = pointIn(event.currentTarget, event);
      if (down.current.size > 0) drop();
      else {
        const { shiftKey, pointerType } = event;
        const takes = !isMiddle && !pans();
        const gesture = takes ? surface.start({ at: surface.toPicture(event), isTouch: pointerType === "touch", shiftKey }) : null;
        hold.current = { from: at, gesture, isTap: takes };
      }
      down.current.set(event.pointerId, at);
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      const before = down.current.get(event.pointerId);
      if (!before) {
        if (event.pointerType === "mouse" && surface.isDrawn) event.currentTarget.style.cursor = pans() ? "grab" : surface.hover(surface.toPicture(event));
        return;
      }
      const now = pointIn(event.currentTarget, event);
      if (hold.current?.isTap === true && distance(hold.current.from, now) > STILL) hold.current.isTap = false;
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = distance(before, other);
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        // Half of the movement: the middle of two fingers moves half as far as one of them.
        move({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 }, apart > 0 ? distance(now, other) / apart : 1, middle);
      } else if (hold.current?.gesture) {
        if (!hold.current.isTap) hold.current.gesture.move(surface.toPicture(event));
      } else {
        move({ x: now.x - before.x, y: now.y - before.y }, 1, now);
      }
      down.current.set(event.pointerId, now);
    },
    onPointerUp: (event: PointerEvent) => release(event, true),
    onPointerCancel: (event: PointerEvent) => release(event, false),
  };
}

/** Whether the space bar is held while a tool draws, so that the pointer pans. */
function useSpaceBar(svg: RefObject<SVGSVGElement | null>, surface: Surface): () => boolean {
  const isHeld = useRef(false);
  useEffect(() => {
    const hold = (held: boolean) => {
      if (isHeld.current === held) return;
      isHeld.current = held;
      svg.current?.style.setProperty("cursor", held ? "grab" : "");
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== " " || event.defaultPrevented || !surface.isDrawn || takesSpace(event.target)) return;
      event.preventDefault();
      hold(true);
    };
    const release = (event: KeyboardEvent) => {
      if (event.key === " ") hold(false);
    };
    const leave = () => hold(false);
    document.addEventListener("keydown", press);
    document.addEventListener("keyup", release);
    window.addEventListener("blur", leave);
    return () => {
      document.removeEventListener("keydown", press);
      document.removeEventListener("keyup", release);
      window.removeEventListener("blur", leave);
    };
  }, [svg, surface]);
  return () => isHeld.current;
}

/** Whether the space bar writes into what has the focus, or presses it. */
function takesSpace(target: EventTarget | null): boolean {
  return isTextField(target) || (target instanceof HTMLElement && target.closest("button, a[href], summary, input, dialog") !== null);
}

/** React's wheel listeners are passive, and the page must not scroll under the picture. */
export function useWheel(svg: RefObject<SVGSVGElement | null>, zoom: (factor: number, at: Point) => void, settle: () => void): void {
  const turn = useEffectEvent(zoom);
  const rest = useEffectEvent(settle);
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      // A trackpad's pinch arrives as a wheel with ctrlKey and small steps.
      const speed = event.ctrlKey ? 0.01 : 0.0018;
      const delta = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
      turn(Math.exp(-delta * speed), pointIn(element, event));
      clearTimeout(timer);
      timer = setTimeout(() => rest(), WHEEL_REST_MS);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      clearTimeout(timer);
      element.removeEventListener("wheel", onWheel);
    };
  }, [svg]);
}

export function pointIn(element: Element, { clientX, clientY }: ClientPlace): Point {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}
