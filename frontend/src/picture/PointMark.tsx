/** A point on a picture: the same size on the screen at every zoom, moved by dragging, by a press on the picture or by arrow keys. */
import { useContext, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import type { Point, Size } from "./geometry";
import { VersionContext } from "./MarkVersion";
import { clampToPicture, SurfaceContext, usePictureTool, type ClientPlace } from "./surface";
import "./marks.css";

/** Picture pixels that an arrow key moves a mark, and with Shift. */
const STEP = 1;
const LARGE_STEP = 10;

interface PointMarkProps {
  /** Null while it has no place: then only an editor shows it, in the picture's middle. */
  at: Point | null;
  /** What it is, in the reader's language. */
  label: string;
  /** The picture's natural size. */
  picture: Size;
  /** How it is moved; without it the mark is only shown. */
  editor?: MarkEditor | undefined;
}

export interface MarkEditor {
  /** Whether the mark has the focus. */
  isSelected: boolean;
  onSelect: () => void;
  onMove: (to: Point) => void;
  /** Whether a press on the picture moves the mark there: where there is only one, or this one is selected. */
  movesOnTap: boolean;
}

export function PointMark({ at, label, picture, editor }: PointMarkProps) {
  const { t } = useTranslation("picture");
  const format = useFormat();
  const version = useContext(VersionContext);
  if (editor) return <MovablePoint at={at} label={label} picture={picture} editor={editor} />;
  if (at === null) return null;
  const name = version === null ? label : t("version", { label, version: version.name });
  return (
    <g role="img" aria-label={t("at", { label: name, x: format.number(at.x, 2), y: format.number(at.y, 2) })} transform={`translate(${at.x} ${at.y})`} data-testid="mark">
      <Drawing label={name} isFlipped={at.x > picture.width / 2} />
    </g>
  );
}

function MovablePoint({ at, label, picture, editor }: PointMarkProps & { editor: MarkEditor }) {
  const { t } = useTranslation("picture");
  const format = useFormat();
  const mark = useRef<SVGGElement>(null);
  const surface = useContext(SurfaceContext);
  /** Where it is while it is being dragged; the content changes when it is let go. */
  const [dragged, setDragged] = useState<Point | null>(null);
  const middle = { x: picture.width / 2, y: picture.height / 2 };
  const shown = dragged ?? at ?? middle;
  const isPlaced = (dragged ?? at) !== null;
  const move = (to: Point) => editor.onMove(clampToPicture(to, picture));
  const pointAt = (event: ClientPlace) => surface && clampToPicture(surface.toPicture(event), picture);

  const place = (to: Point) => {
    move(to);
    mark.current?.focus({ preventScroll: true });
  };
  usePictureTool(surface, editor.movesOnTap ? { tap: place } : null);
  useLayoutEffect(() => {
    if (editor.isSelected && mark.current && document.activeElement !== mark.current) mark.current.focus({ preventScroll: true });
  }, [editor.isSelected]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    const places = !isPlaced && (event.key === "Enter" || event.key === " ");
    if (direction === undefined && !places) return;
    // The page's own keys ignore it then: an arrow would go to the next field.
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    move(direction ? { x: shown.x + direction.x * step, y: shown.y + direction.y * step } : middle);
  }
  function end(event: PointerEvent, isDone: boolean) {
    if (dragged === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    if (isDone) move(dragged);
    setDragged(null);
  }

  return (
    <g
      ref={mark}
      className={isPlaced ? "mark-movable" : "mark-movable mark-waiting"}
      transform={`translate(${shown.x} ${shown.y})`}
      tabIndex={0}
      // Two numbers under one handle: the value that is read out names both.
      role="slider"
      aria-roledescription={t("movable")}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={picture.width}
      aria-valuenow={shown.x}
      aria-valuetext={isPlaced ? t("place", { x: format.number(shown.x, 2), y: format.number(shown.y, 2) }) : t("noPlace")}
      data-testid="mark"
      onFocus={editor.onSelect}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(shown);
      }}
      onPointerMove={(event) => {
        if (dragged !== null) setDragged(pointAt(event) ?? dragged);
      }}
      onPointerUp={(event) => end(event, true)}
      onPointerCancel={(event) => end(event, false)}
    >
      <Drawing label={label} isFlipped={shown.x > picture.width / 2} />
    </g>
  );
}

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Drawn in pixels of the screen around the point; the name is on the side with more room. */
function Drawing({ label, isFlipped }: { label: string; isFlipped: boolean }) {
  return (
    <g className="mark" aria-hidden="true">
      <circle className="mark-focus" r={15} />
      <circle className="mark-halo" r={9} />
      <circle className="mark-ring" r={9} />
      <circle className="mark-dot" r={2} />
      <text className="mark-name" x={isFlipped ? -18 : 18} y={4} textAnchor={isFlipped ? "end" : "start"}>
        {label}
      </text>
    </g>
  );
}
