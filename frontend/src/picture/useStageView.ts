/**
 * Which part of the picture a stage shows. While a finger drags or a wheel turns, the picture is moved on the page itself,
 * once per frame; React hears of it when that ends.
 */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { FrameWriter } from "./frames";
import { centre, type Rect, type Size } from "./geometry";
import { fitView, reframe, shareOf, viewOf, visible, type Share, type View } from "./viewport";

type ViewChange = (old: View) => View;

export interface StageView {
  /** As of the last rendering. */
  readonly view: View;
  /** As it is on the page, also in the middle of a gesture. */
  now: () => View;
  /** Changes it for good. */
  change: (change: ViewChange) => void;
  /** Moves the picture within a gesture. */
  follow: (change: ViewChange) => void;
  /** Ends the gesture. */
  settle: () => void;
}

interface StageViewOptions {
  /** Another picture starts with its whole. */
  url: string;
  picture: Size;
  frame: Size | null;
  shared: { share: Share | null; onMove: (share: Share | null) => void } | undefined;
  /** Shows a view on the page, without React. */
  write: (view: View) => void;
}

export function useStageView({ url, picture, frame, shared, write }: StageViewOptions): StageView {
  const [held, setHeld] = useState<{ url: string; frame: Size; view: View } | null>(null);
  const current = (old: typeof held): View => {
    if (frame === null) return { scale: 1, centre: centre({ x: 0, y: 0, ...picture }) };
    if (old?.url !== url) return fitView(picture, frame);
    return old.frame.width === frame.width && old.frame.height === frame.height ? old.view : reframe(old.view, picture, old.frame, frame);
  };
  const view = shared && frame ? viewOf(shared.share, picture, frame) : current(held);
  const live = useLiveView(view, url, write);

  const change = (by: ViewChange) => {
    if (frame === null) return;
    if (shared) {
      shared.onMove(shareOf(by(view), picture, frame));
      return;
    }
    const next = live.take() ?? null;
    setHeld((old) => ({ url, frame, view: by(next ?? current(old)) }));
  };
  return {
    view,
    now: live.now,
    change,
    follow: (by) => {
      if (shared) change(by);
      else if (frame !== null) live.move(by(live.now()));
    },
    settle: () => {
      const moved = live.end();
      if (moved !== null && frame !== null) setHeld({ url, frame, view: moved });
    },
  };
}

/** The view on the page while it is ahead of React's. */
function useLiveView(view: View, url: string, write: (view: View) => void) {
  const rendered = useRef(view);
  const ahead = useRef<{ url: string; view: View; isMoving: boolean } | null>(null);
  /** Whether the page was written without React, which does not repeat what it rendered before. */
  const isWritten = useRef(false);
  const writer = useRef<FrameWriter | null>(null);
  useLayoutEffect(() => {
    rendered.current = view;
    if (!isWritten.current) return;
    const own = ahead.current;
    if (own?.url === url && own.isMoving) {
      write(own.view);
      return;
    }
    ahead.current = null;
    writer.current?.cancel();
    isWritten.current = false;
    write(view);
  });
  useEffect(() => () => writer.current?.cancel(), []);

  const now = () => (ahead.current?.url === url ? ahead.current.view : rendered.current);
  return {
    now,
    move: (next: View) => {
      ahead.current = { url, view: next, isMoving: true };
      isWritten.current = true;
      (writer.current ??= new FrameWriter()).request(() => write(next));
    },
    /** Ends the movement; where it got to, or null where nothing moved. */
    end: (): View | null => {
      writer.current?.flush();
      if (ahead.current === null) return null;
      ahead.current = { ...ahead.current, isMoving: false };
      return ahead.current.view;
    },
    /** Takes over what is ahead, for a change that starts from it. */
    take: (): View | null => {
      const taken = ahead.current?.url === url ? ahead.current.view : null;
      ahead.current = null;
      writer.current?.cancel();
      return taken;
    },
  };
}

/** Writes a view on the elements that React renders it on. */
export function useViewWriter(
  svg: RefObject<SVGSVGElement | null>,
  layer: RefObject<SVGGElement | null>,
  frame: Size | null,
): (view: View) => void {
  return (view) => {
    if (frame === null) return;
    svg.current?.setAttribute("viewBox", viewBoxOf(visible(view, frame)));
    layer.current?.style.setProperty("--pixel", String(1 / view.scale));
  };
}

export function viewBoxOf({ x, y, width, height }: Rect): string {
  return `${x} ${y} ${width} ${height}`;
}
