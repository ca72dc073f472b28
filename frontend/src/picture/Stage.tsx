/**
 * A picture viewer: the wheel zooms where the pointer is, dragging pans, two fingers
 * pinch, and + - 0 do it from the keyboard. It is an SVG whose units are the picture's own pixels, so that
 * whatever is drawn on it (`children`) uses the coordinates that are stored.
 */
import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useActions } from "@/ui/keys";
import { useFormat } from "@/i18n/format";
import { stageActions } from "./actions";
import { centre, containFactor, distance, type Point, type Size } from "./geometry";
import { pixelOf, SurfaceContext, useOwnSurface } from "./surface";
import { useFrame } from "./useFrame";
import { fitScale, fitView, outgrows, panBy, reframe, shareOf, toPicture, viewOf, visible, zoomAt, type Share, type View } from "./viewport";
import "./stage.css";

/** Longest side of a view rendition; beyond it the clean one is fetched. */
const VIEW_SIDE = 1600;

interface StageProps {
  /** The picture's natural size; coordinates are in these pixels. */
  width: number;
  height: number;
  /** The view rendition, shown first. */
  view: string;
  /** The full-size rendition, fetched when the zoom outgrows the view. */
  clean: string;
  /** What the picture is called, for those who cannot see it. */
  label: string;
  /** Whether + - 0 work now (not while another stage has them). */
  keys?: boolean;
  /** A view shared with another stage; null is the whole picture. */
  shared?: { share: Share | null; onMove: (share: Share | null) => void } | undefined;
  /** Things drawn on the picture, in picture pixels. */
  children?: ReactNode;
}

export function Stage({ width, height, view: viewUrl, clean: cleanUrl, label, keys = true, shared, children }: StageProps) {
  const { t } = useTranslation("picture");
  const format = useFormat();
  const svg = useRef<SVGSVGElement>(null);
  const layer = useRef<SVGGElement>(null);
  const frame = useFrame(svg);
  const picture: Size = { width, height };
  const own = useView(viewUrl, picture, frame);
  const [view, setView] = shared && frame ? sharedView(shared, picture, frame) : own;
  const [failed, setFailed] = useState<string | null>(null);
  const sharp = useClean(cleanUrl, frame !== null && outgrows(view, picture, viewWidth(picture), window.devicePixelRatio));
  const isFitted = frame === null || view.scale <= (shared ? containFactor(picture, frame) : fitScale(picture, frame)) + 1e-9;

  const zoom = (factor: number, at?: Point) => {
    if (frame) setView((old) => zoomAt(old, factor, at ?? { x: frame.width / 2, y: frame.height / 2 }, picture, frame));
  };
  const fit = () => {
    if (shared) shared.onMove(null);
    else if (frame) setView(() => fitView(picture, frame));
  };
  useActions(keys ? stageActions : NO_KEYS, { zoom, fit, isFitted });

  const surface = useOwnSurface(layer, picture, (place) =>
    frame && svg.current ? toPicture(pointIn(svg.current, place), view, frame) : { x: 0, y: 0 },
  );
  const pointers = usePointers(
    (by, factor, at) => {
      if (frame) setView((old) => zoomAt(panBy(old, by, picture, frame), factor, at, picture, frame));
    },
    (place) => surface.tap(surface.toPicture(place)),
  );
  useWheel(svg, (factor, at) => zoom(factor, at));

  const box = frame ? visible(view, frame) : { x: 0, y: 0, width, height };
  return (
    <div className="stage" data-testid="stage">
      <svg
        ref={svg}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        className={isFitted ? "stage-svg" : "stage-svg stage-zoomed"}
        {...pointers}
        onDoubleClick={(event) => (isFitted ? zoom(2, pointIn(event.currentTarget, event)) : fit())}
      >
        {/* Screen readers ignore what is inside an element with this role: marks are beside it. */}
        <g role="img" aria-label={label}>
          <image href={viewUrl} width={width} height={height} onError={() => setFailed(viewUrl)} />
          {sharp !== null && <image href={sharp} width={width} height={height} />}
        </g>
        <g ref={layer} style={pixelOf(view.scale)}>
          <SurfaceContext value={surface}>{children}</SurfaceContext>
        </g>
      </svg>
      {failed === viewUrl && (
        <p className="stage-failed" role="alert">
          {t("failed")}
        </p>
      )}
      <div className="stage-tools">
        <button type="button" onClick={() => zoom(1 / 1.5)} disabled={isFitted} aria-label={t("zoomOut")}>
          −
        </button>
        <button type="button" onClick={fit} disabled={isFitted} className="number" title={t("fit")} data-testid="stage-scale">
          {isFitted ? `${t("fitted")} ` : ""}
          {format.percent(view.scale, 0)}
        </button>
        <button type="button" onClick={() => zoom(1.5)} aria-label={t("zoomIn")}>
          +
        </button>
      </div>
    </div>
  );
}

const NO_KEYS: typeof stageActions = [];

/** View renditions are at most VIEW_SIDE pixels along the longer side. */
function viewWidth(picture: Size): number {
  return picture.width * Math.min(1, VIEW_SIDE / Math.max(picture.width, picture.height));
}

/** The view of the present picture: fitted for every new one, kept in place when the frame changes. */
function useView(url: string, picture: Size, frame: Size | null): [View, (change: (old: View) => View) => void] {
  const [held, setHeld] = useState<{ url: string; frame: Size; view: View } | null>(null);
  const fresh: View = frame ? fitView(picture, frame) : { scale: 1, centre: centre({ x: 0, y: 0, ...picture }) };
  const current = (old: typeof held): View => {
    if (old?.url !== url || frame === null) return fresh;
    return old.frame.width === frame.width && old.frame.height === frame.height ? old.view : reframe(old.view, picture, old.frame, frame);
  };
  return [
    current(held),
    (change) => {
      if (frame) setHeld((old) => ({ url, frame, view: change(current(old)) }));
    },
  ];
}

/** The view that stages share, in this picture's pixels. */
function sharedView(
  { share, onMove }: NonNullable<StageProps["shared"]>,
  picture: Size,
  frame: Size,
): [View, (change: (old: View) => View) => void] {
  const view = viewOf(share, picture, frame);
  return [view, (change) => onMove(shareOf(change(view), picture, frame))];
}

/** The URL of the clean rendition once it is needed and decoded, so that it replaces the view rendition without a gap. */
function useClean(url: string, needed: boolean): string | null {
  const [ready, setReady] = useState<string | null>(null);
  useEffect(() => {
    if (!needed || ready === url) return;
    let current = true;
    const image = new Image();
    image.src = url;
    image.decode().then(
      () => {
        if (current) setReady(url);
      },
      () => undefined, // The view rendition stays; nothing is lost but sharpness.
    );
    return () => {
      current = false;
    };
  }, [url, needed, ready]);
  return ready === url ? url : null;
}

function pointIn(element: Element, event: { clientX: number; clientY: number }): Point {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** Frame pixels that a pointer may move in a press that is no drag. */
const STILL = 4;

/** Dragging with one pointer pans, two pointers pinch, and a press without either is a tap. */
function usePointers(move: (by: Point, factor: number, at: Point) => void, tap: (place: { clientX: number; clientY: number }) => void) {
  const down = useRef(new Map<number, Point>());
  const pressed = useRef<Point | null>(null);
  return {
    onPointerDown: (event: ReactPointerEvent<SVGSVGElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = pointIn(event.currentTarget, event);
      pressed.current = down.current.size === 0 ? at : null;
      down.current.set(event.pointerId, at);
    },
    onPointerMove: (event: ReactPointerEvent<SVGSVGElement>) => {
      const before = down.current.get(event.pointerId);
      if (!before) return;
      const now = pointIn(event.currentTarget, event);
      if (pressed.current && distance(pressed.current, now) > STILL) pressed.current = null;
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = distance(before, other);
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        // Half of the movement: the middle of two fingers moves half as far as one of them.
        move({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 }, apart > 0 ? distance(now, other) / apart : 1, middle);
      } else {
        move({ x: now.x - before.x, y: now.y - before.y }, 1, now);
      }
      down.current.set(event.pointerId, now);
    },
    onPointerUp: (event: ReactPointerEvent) => {
      if (down.current.delete(event.pointerId) && pressed.current) tap(event);
      pressed.current = null;
    },
    onPointerCancel: (event: ReactPointerEvent) => {
      down.current.delete(event.pointerId);
      pressed.current = null;
    },
  };
}

/** React's wheel listeners are passive, and the page must not scroll under the picture. */
function useWheel(svg: React.RefObject<SVGSVGElement | null>, zoom: (factor: number, at: Point) => void) {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      // A trackpad's pinch arrives as a wheel with ctrlKey and small steps.
      const speed = event.ctrlKey ? 0.01 : 0.0018;
      const delta = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
      latest.current(Math.exp(-delta * speed), pointIn(element, event));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [svg]);
}
