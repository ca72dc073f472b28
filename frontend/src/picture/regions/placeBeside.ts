/** Puts an element of the page beside a region, inside the viewer, and keeps it there while the picture moves. */
import { clamp } from "../geometry";
import type { Surface } from "../surface";
import type { Box } from "./regions";

const GAP = 8;

export function placeBeside(element: HTMLElement, box: Box, surface: Surface): () => void {
  const put = () => {
    const { host } = surface;
    if (host === null) return;
    const { left, top } = besideOf(box, surface, { width: element.offsetWidth, height: element.offsetHeight }, { width: host.clientWidth, height: host.clientHeight });
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  };
  put();
  return surface.onView(put);
}

/** Below the region, above it, on its right or on its left, wherever there is room first; else over it. */
export function besideOf(
  [x, y, width, height]: Box,
  surface: Pick<Surface, "toFrame">,
  own: { width: number; height: number },
  room: { width: number; height: number },
): { left: number; top: number } {
  const from = surface.toFrame({ x, y });
  const to = surface.toFrame({ x: x + width, y: y + height });
  const hold = (left: number, top: number) => ({
    left: Math.round(clamp(left, GAP, Math.max(GAP, room.width - own.width - GAP))),
    top: Math.round(clamp(top, GAP, Math.max(GAP, room.height - own.height - GAP))),
  });
  if (to.y + GAP + own.height + GAP <= room.height) return hold(from.x, to.y + GAP);
  if (to.x + GAP + own.width + GAP <= room.width) return hold(to.x + GAP, from.y);
  if (from.x - GAP - own.width >= GAP) return hold(from.x - GAP - own.width, from.y);
  if (from.y - GAP - own.height >= GAP) return hold(from.x, from.y - GAP - own.height);
  return hold(from.x, room.height);
}
