import { useEffect, useState, type RefObject } from "react";
import type { Size } from "./geometry";

/** An element's size in CSS pixels; null before it is known. */
export function useFrame(svg: RefObject<SVGSVGElement | null>): Size | null {
  const [frame, setFrame] = useState<Size | null>(null);
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const box = entry?.contentRect;
      if (box && box.width > 0 && box.height > 0) setFrame({ width: box.width, height: box.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [svg]);
  return frame;
}
