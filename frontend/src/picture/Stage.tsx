/**
 * A picture viewer: the wheel zooms where the pointer is, dragging pans, two fingers
 * pinch, and + - 0 do it from the keyboard. Where a tool draws, one finger or the mouse draws, and the space bar makes it pan. It is an SVG whose units are the picture's own pixels, so that
 * whatever is drawn on it (`children`) uses the coordinates that are stored.
 */
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { keepFocus, useActions } from "@/ui/keys";
import { useFormat } from "@/i18n/format";
import { stageActions } from "./actions";
import { containFactor, type Point, type Size } from "./geometry";
import { pixelOf, SurfaceContext, useOwnSurface } from "./surface";
import { useFrame } from "./useFrame";
import { pointIn, useStagePointers, useWheel } from "./useStagePointers";
import { useStageView, useViewWriter, viewBoxOf } from "./useStageView";
import { fitScale, fitView, outgrows, panBy, toFrame, toPicture, visible, zoomAt, type Share } from "./viewport";
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
  const host = useRef<HTMLDivElement>(null);
  const frame = useFrame(svg);
  const picture: Size = { width, height };
  const writeView = useViewWriter(svg, layer, frame);
  const stage = useStageView({
    url: viewUrl,
    picture,
    frame,
    shared,
    write: (view) => {
      writeView(view);
      surface.viewChanged();
    },
  });
  const { view } = stage;
  const [failed, setFailed] = useState<string | null>(null);
  const sharp = useClean(cleanUrl, frame !== null && outgrows(view, picture, viewWidth(picture), window.devicePixelRatio));
  const isFitted = frame === null || view.scale <= (shared ? containFactor(picture, frame) : fitScale(picture, frame)) + 1e-9;

  const zoom = (factor: number, at?: Point) => {
    if (frame) stage.change((old) => zoomAt(old, factor, at ?? { x: frame.width / 2, y: frame.height / 2 }, picture, frame));
  };
  const fit = () => {
    if (shared) shared.onMove(null);
    else if (frame) stage.change(() => fitView(picture, frame));
  };
  useActions(keys ? stageActions : NO_KEYS, { zoom, fit, isFitted });

  const surface = useOwnSurface(layer, picture, {
    toPicture: (place) => (frame && svg.current ? toPicture(pointIn(svg.current, place), stage.now(), frame) : { x: 0, y: 0 }),
    toFrame: (at) => (frame ? toFrame(at, stage.now(), frame) : at),
    scale: () => stage.now().scale,
    inView: () => (frame ? visible(stage.now(), frame) : { x: 0, y: 0, width, height }),
    host: () => host.current,
  });
  const { scale, centre: at } = view;
  useLayoutEffect(() => surface.viewChanged(), [surface, frame, scale, at.x, at.y]);
  const move = (by: Point, factor: number, at: Point) => {
    if (frame) stage.follow((old) => zoomAt(panBy(old, by, picture, frame), factor, at, picture, frame));
  };
  const pointers = useStagePointers(svg, surface, { move, settle: stage.settle });
  useWheel(svg, (factor, at) => move({ x: 0, y: 0 }, factor, at), stage.settle);

  const box = frame ? visible(view, frame) : { x: 0, y: 0, width, height };
  return (
    <div ref={host} className="stage" data-testid="stage">
      <svg
        ref={svg}
        viewBox={viewBoxOf(box)}
        className={isFitted ? "stage-svg" : "stage-svg stage-zoomed"}
        {...pointers}
        onMouseDown={(event) => {
          // A tool decides itself what gets the focus: the browser would take the topmost mark.
          if (surface.isDrawn) event.preventDefault();
        }}
        onDoubleClick={(event) => {
          if (surface.isDrawn) return;
          if (isFitted) zoom(2, pointIn(event.currentTarget, event));
          else fit();
        }}
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
      {/* The focus stays where it is, so that the space bar pans and arrows move what is selected. */}
      <div className="stage-tools" onMouseDown={keepFocus}>
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
