/**
 * Which part of a picture a frame shows. Pure: a view is a scale (frame pixels per picture pixel)
 * and the picture point that is in the frame's centre.
 */
import { clamp, containFactor, type Point, type Rect, type Size } from "./geometry";

export interface View {
  scale: number;
  centre: Point;
}

/** A picture pixel is never drawn larger than eight frame pixels. */
const LARGEST = 8;

/** The whole picture in the middle of the frame; a small picture is not blown up. */
export function fitView(picture: Size, frame: Size): View {
  return { scale: fitScale(picture, frame), centre: { x: picture.width / 2, y: picture.height / 2 } };
}

export function fitScale(picture: Size, frame: Size): number {
  return Math.min(1, containFactor(picture, frame));
}

/** The part of the picture's plane that the frame shows, in picture pixels: an SVG viewBox. */
export function visible(view: View, frame: Size): Rect {
  const width = frame.width / view.scale;
  const height = frame.height / view.scale;
  return { x: view.centre.x - width / 2, y: view.centre.y - height / 2, width, height };
}

export function toPicture(point: Point, view: View, frame: Size): Point {
  return {
    x: view.centre.x + (point.x - frame.width / 2) / view.scale,
    y: view.centre.y + (point.y - frame.height / 2) / view.scale,
  };
}

/** Where the frame shows a picture point; the inverse of `toPicture`. */
export function toFrame(point: Point, view: View, frame: Size): Point {
  return {
    x: frame.width / 2 + (point.x - view.centre.x) * view.scale,
    y: frame.height / 2 + (point.y - view.centre.y) * view.scale,
  };
}

/** Zooms so that the picture point under `at` (frame pixels) stays under it. */
export function zoomAt(view: View, factor: number, at: Point, picture: Size, frame: Size): View {
  const scale = clamp(view.scale * factor, fitScale(picture, frame), LARGEST);
  const held = toPicture(at, view, frame);
  return hold(
    {
      scale,
      centre: {
        x: held.x - (at.x - frame.width / 2) / scale,
        y: held.y - (at.y - frame.height / 2) / scale,
      },
    },
    picture,
    frame,
  );
}

/** Moves the picture by frame pixels, as a drag does. */
export function panBy(view: View, by: Point, picture: Size, frame: Size): View {
  return hold(
    { scale: view.scale, centre: { x: view.centre.x - by.x / view.scale, y: view.centre.y - by.y / view.scale } },
    picture,
    frame,
  );
}

/** Keeps the picture in the frame: centred along a side that fits, without empty margin along one that does not. */
export function hold(view: View, picture: Size, frame: Size): View {
  const along = (centre: number, length: number, room: number) => {
    const half = room / view.scale / 2;
    return half * 2 >= length ? length / 2 : clamp(centre, half, length - half);
  };
  return {
    scale: view.scale,
    centre: {
      x: along(view.centre.x, picture.width, frame.width),
      y: along(view.centre.y, picture.height, frame.height),
    },
  };
}

/** The same view after the frame changed its size; a picture that was fitted stays fitted. */
export function reframe(view: View, picture: Size, before: Size, after: Size): View {
  const wasFitted = Math.abs(view.scale - fitScale(picture, before)) < 1e-9;
  if (wasFitted) return fitView(picture, after);
  return hold({ ...view, scale: Math.max(view.scale, fitScale(picture, after)) }, picture, after);
}

/** Whether a rendition of this width would be drawn larger than its own pixels. */
export function outgrows(view: View, picture: Size, renditionWidth: number, pixelRatio: number): boolean {
  return picture.width * view.scale * pixelRatio > renditionWidth * 1.05;
}

/**
 * A view apart from any one picture's pixels, so that two pictures of one scene can be looked at alike, whatever their
 * sizes: how many frame widths the picture is wide, and which share of it is in the centre.
 */
export interface Share {
  widths: number;
  x: number;
  y: number;
}

export function shareOf(view: View, picture: Size, frame: Size): Share {
  return { widths: (view.scale * picture.width) / frame.width, x: view.centre.x / picture.width, y: view.centre.y / picture.height };
}

/** The same view of another picture; null is the whole picture, blown up to the frame if it is small. */
export function viewOf(share: Share | null, picture: Size, frame: Size): View {
  if (share === null) return { scale: containFactor(picture, frame), centre: { x: picture.width / 2, y: picture.height / 2 } };
  const scale = (share.widths * frame.width) / picture.width;
  return { scale, centre: { x: share.x * picture.width, y: share.y * picture.height } };
}
