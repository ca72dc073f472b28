/**
 * The surface of a shown picture, which marks are drawn on. Its unit is the picture's own pixel at every zoom. Inside a
 * `Stage` it is in the context; what is beside one draws on it with `OnPicture`.
 */
import { createContext, useContext, useEffect, useEffectEvent, useLayoutEffect, useMemo, type CSSProperties, type RefObject } from "react";
import { Store } from "@/store/store";
import { clamp, type Point, type Size } from "./geometry";

/** A pointer's place in the window. */
export interface ClientPlace {
  readonly clientX: number;
  readonly clientY: number;
}

/** What a pointer does on the picture itself, beside panning and zooming. */
export interface PictureTool {
  /** The picture was pressed and released in one place. */
  tap: (at: Point) => void;
}

export class Surface {
  private readonly tools = new Set<PictureTool>();
  private locate: (place: ClientPlace) => Point = () => ({ x: 0, y: 0 });

  constructor(readonly size: Size) {}

  /** The picture point that is shown at a place of the window. */
  toPicture(place: ClientPlace): Point {
    return this.locate(place);
  }

  locatedBy(locate: (place: ClientPlace) => Point): void {
    this.locate = locate;
  }

  /** Lets a tool have what the pointer does; returns how to take it away again. */
  use(tool: PictureTool): () => void {
    this.tools.add(tool);
    return () => void this.tools.delete(tool);
  }

  /** A press at a picture point; outside the picture it means nothing. */
  tap(at: Point): void {
    const { width, height } = this.size;
    if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return;
    for (const tool of this.tools) tool.tap(at);
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
export function useOwnSurface(element: RefObject<SVGGElement | null>, { width, height }: Size, locate: (place: ClientPlace) => Point): Surface {
  const space = useContext(SpaceContext);
  const surface = useMemo(() => new Surface({ width, height }), [width, height]);
  useLayoutEffect(() => surface.locatedBy(locate));
  useLayoutEffect(() => {
    if (space && element.current) return space.show({ surface, element: element.current });
  }, [space, surface, element]);
  return surface;
}

/** Has what the pointer does on the picture while `tool` is one. */
export function usePictureTool(surface: Surface | null, tool: PictureTool | null): void {
  const tap = useEffectEvent((at: Point) => tool?.tap(at));
  const isUsed = tool !== null;
  useEffect(() => (surface && isUsed ? surface.use({ tap }) : undefined), [surface, isUsed]);
}

/** A pixel of the screen in pixels of a picture shown at this scale: marks draw themselves in it. */
export function pixelOf(scale: number): CSSProperties {
  return { "--pixel": 1 / scale } as CSSProperties;
}

/** A point as it is stored: on the picture, to a hundredth of a pixel. */
export function clampToPicture(point: Point, { width, height }: Size): Point {
  const rounded = (value: number, most: number) => Math.round(clamp(value, 0, most) * 100) / 100;
  return { x: rounded(point.x, width), y: rounded(point.y, height) };
}
