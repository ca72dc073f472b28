/** Marks over an `img` of a picture, such as a thumbnail; they cannot be moved there. */
import { useMemo, useRef, type ReactNode } from "react";
import { containFactor, type Size } from "./geometry";
import { pixelOf, Surface, SurfaceContext } from "./surface";
import { useFrame } from "./useFrame";
import "./marks.css";

interface ImageMarksProps {
  /** The picture's natural size. */
  size: Size;
  /** How the image fills its element (`object-fit`). */
  fit: "contain" | "cover";
  children: ReactNode;
}

export function ImageMarks({ size: { width, height }, fit, children }: ImageMarksProps) {
  const svg = useRef<SVGSVGElement>(null);
  const frame = useFrame(svg);
  const surface = useMemo(() => new Surface({ width, height }), [width, height]);
  const factor = frame ? (fit === "contain" ? containFactor : coverFactor)({ width, height }, frame) : 1;
  return (
    <svg
      ref={svg}
      className="image-marks"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={fit === "contain" ? "xMidYMid meet" : "xMidYMid slice"}
      aria-hidden="true"
    >
      <g style={pixelOf(factor)}>
        <SurfaceContext value={surface}>{children}</SurfaceContext>
      </g>
    </svg>
  );
}

/** The smallest factor at which `inner` covers `outer`. */
function coverFactor(inner: Size, outer: Size): number {
  return Math.max(outer.width / inner.width, outer.height / inner.height);
}
