/** The box that a pointer draws, moves or pulls. It is written on the page once per frame, without React. */
import { useEffect, useRef, type RefObject } from "react";
import { FrameWriter } from "../frames";
import type { Box } from "./regions";

export interface Ghost {
  /** Shows the box instead of the region of this key; null where the region is new. */
  show: (box: Box, key: string | null) => void;
  hide: () => void;
}

export function useGhost(ghost: RefObject<SVGGElement | null>): () => Ghost {
  const writer = useRef<FrameWriter | null>(null);
  useEffect(() => () => writer.current?.cancel(), []);
  return () => ({
    show: (box, key) => (writer.current ??= new FrameWriter()).request(() => ghost.current && write(ghost.current, box, key)),
    hide: () => {
      writer.current?.cancel();
      if (ghost.current) write(ghost.current, null, null);
    },
  });
}

function write(ghost: SVGGElement, box: Box | null, key: string | null): void {
  ghost.style.display = box === null ? "none" : "";
  // Only the box that follows the pointer is shown of a region that is being changed.
  ghost.parentElement?.querySelector("[data-moving]")?.removeAttribute("data-moving");
  if (key !== null) ghost.parentElement?.querySelector(`[data-region="${key}"]`)?.setAttribute("data-moving", "");
  if (box === null) return;
  for (const rect of ghost.children) {
    SIDES.forEach((name, at) => rect.setAttribute(name, String(box[at])));
  }
}

const SIDES = ["x", "y", "width", "height"] as const;

export function RegionGhost({ ref }: { ref: RefObject<SVGGElement | null> }) {
  return (
    <g ref={ref} className="region-ghost" style={HIDDEN} aria-hidden="true" data-testid="region-ghost">
      <rect className="region-halo" />
      <rect className="region-edge" />
    </g>
  );
}

const HIDDEN = { display: "none" } as const;
