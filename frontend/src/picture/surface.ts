/**
 * The surface of a shown picture, which marks are drawn on. Its unit is the picture's own pixel at every zoom. Inside a
 * `Stage` it is in the context; what is beside one draws on it with `OnPicture`.
 */
import { createContext, useContext, useEffect, useEffectEvent, useLayoutEffect, useMemo, type CSSProperties, type RefObject } from "react";
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";
import { clamp, type Point, type Rect, type Size } from "./geometry";

/** A pointer's place in the window. */
export interface ClientPlace {
  readonly clientX: number;
  readonly clientY: number;
}

/** A press that may become a gesture of a tool. */
export interface Press {
  /** In picture pixels; it may be beside the picture. */
  readonly at: Point;
  /** A finger is less exact than a mouse or a pen. */
  readonly isTouch: boolean;
  readonly shiftKey: boolean;
}

/** What a tool does from a press until the pointer is released. Points are in picture pixels, and may be beside the picture. */
export interface Gesture {
  move: (to: Point) => void;
  /** `isTap`: released where it was pressed. */
  end: (at: Point, isTap: boolean) => void;
  /** A second finger came, or the browser took the pointer. */
  cancel: () => void;
}

/** What a pointer does on the picture itself, beside panning and zooming. */
export interface PictureTool {
  /** The picture was pressed and released in one place. */
  tap?: (at: Point) => void;
  /** Takes the press; a tool that draws has one, and panning needs the space bar or two fingers then. */
  start?: (press: Press) => Gesture;
  /** A mouse is over the picture without a button pressed: the cursor that says what a press would do. */
  hover?: (at: Point) => string;
}

/** How the picture is shown now. */
interface Showing {
  /** The picture point at a place of the window. */
  toPicture: (place: ClientPlace) => Point;
  /** The place of a picture point within the viewer's element, in pixels of the screen. */
  toFrame: (at: Point) => Point;
  /** Pixels of the screen for a pixel of the picture. */
  scale: () => number;
  /** The part of the picture that is in view. */
  inView: () => Rect;
  /** Where boxes of the page over the picture belong; null over a plain image. */
  host: () => HTMLElement | null;
}

export class Surface {
  private readonly tools = new Set<PictureTool>();
  private readonly views = new Emitter<void>();
  private showing: Showing | null = null;

  constructor(readonly size: Size) {}

  /** The picture point that is shown at a place of the window. */
  toPicture(place: ClientPlace): Point {
    return this.showing?.toPicture(place) ?? { x: 0, y: 0 };
  }

  toFrame(at: Point): Point {
    return this.showing?.toFrame(at) ?? at;
  }

  /** A pixel of the screen in pixels of the picture. */
  get pixel(): number {
    return 1 / (this.showing?.scale() ?? 1);
  }

  get inView(): Rect {
    return this.showing?.inView() ?? { x: 0, y: 0, ...this.size };
  }

  get host(): HTMLElement | null {
    return this.showing?.host() ?? null;
  }

  show(showing: Showing): void {
    this.showing = showing;
  }

  /** Calls the listener whenever another part of the picture is in view, also in the middle of a gesture. */
  readonly onView = this.views.on;

  viewChanged(): void {
    this.views.emit();
  }

  /** Lets a tool have what the pointer does; returns how to take it away again. */
  use(tool: PictureTool): () => void {
    this.tools.add(tool);
    return () => void this.tools.delete(tool);
  }

  /** Whether a tool takes what one pointer does, so that it does not pan. */
  get isDrawn(): boolean {
    return [...this.tools].some(({ start }) => start !== undefined);
  }

  /** The gesture that a press begins; null where no tool takes it. */
  start(press: Press): Gesture | null {
    for (const tool of this.tools) if (tool.start) return tool.start(press);
    return null;
  }

  hover(at: Point): string {
    for (const tool of this.tools) if (tool.hover) return tool.hover(at);
    return "";
  }

  /** A press at a picture point; outside the picture it means nothing. */
  tap(at: Point): void {
    const { width, height } = this.size;
    if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return;
    for (const tool of this.tools) tool.tap?.(at);
  }
}

/** A surface with the element that draws on it. */
interface Shown {
  readonly surface: Surface;
  readonly element: SVGGElement;
}

/** Which surface those beside a picture draw on; null while no picture is shown. */
export class Space extends Store<Shown | null> {
  constructor() {
    super(null);
  }

  show(shown: Shown): () => void {
    this.set(shown);
    return () => {
      if (this.snapshot() === shown) this.set(null);
    };
  }
}

export const SpaceContext = createContext<Space | null>(null);
export const SurfaceContext = createContext<Surface | null>(null);

/** The surface of a picture that is shown in `element`, offered to what is beside it in the same `PictureSpace`. */
export function useOwnSurface(element: RefObject<SVGGElement | null>, { width, height }: Size, showing: Showing): Surface {
  const space = useContext(SpaceContext);
  const surface = useMemo(() => new Surface({ width, height }), [width, height]);
  useLayoutEffect(() => surface.show(showing));
  useLayoutEffect(() => {
    if (space && element.current) return space.show({ surface, element: element.current });
  }, [space, surface, element]);
  return surface;
}

/** Has what the pointer does on the picture while `tool` is one. */
export function usePictureTool(surface: Surface | null, tool: PictureTool | null): void {
  const tap = useEffectEvent((at: Point) => tool?.tap?.(at));
  const start = useEffectEvent((press: Press) => tool?.start?.(press) ?? NO_GESTURE);
  const hover = useEffectEvent((at: Point) => tool?.hover?.(at) ?? "");
  const isUsed = tool !== null;
  const isDrawing = tool?.start !== undefined;
  useEffect(() => (surface && isUsed ? surface.use(isDrawing ? { start, hover } : { tap }) : undefined), [surface, isUsed, isDrawing]);
}

const NO_GESTURE: Gesture = { move: () => undefined, end: () => undefined, cancel: () => undefined };

/** A pixel of the screen in pixels of a picture shown at this scale: marks draw themselves in it. */
export function pixelOf(scale: number): CSSProperties {
  return { "--pixel": 1 / scale } as CSSProperties;
}

/** A point as it is stored: on the picture, to a hundredth of a pixel. */
export function clampToPicture(point: Point, { width, height }: Size): Point {
  const rounded = (value: number, most: number) => Math.round(clamp(value, 0, most) * 100) / 100;
  return { x: rounded(point.x, width), y: rounded(point.y, height) };
}
