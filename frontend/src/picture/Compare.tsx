/** Two pictures side by side that zoom and pan together, for comparing duplicates. */
import { useState, type CSSProperties, type ReactNode } from "react";
import { Stage } from "./Stage";
import type { Share } from "./viewport";
import "./stage.css";

interface Compared {
  view: string;
  clean: string;
  width: number;
  height: number;
  label: string;
  /** The caption under the picture. */
  caption: ReactNode;
}

export function Compare({ left, right }: { left: Compared; right: Compared }) {
  const [share, setShare] = useState<Share | null>(null);
  return (
    <div className="compare" data-testid="compare">
      {[left, right].map(({ caption, ...picture }, i) => (
        <figure key={i}>
          <div className="compare-stage" style={aspect(picture)}>
            <Stage {...picture} keys={i === 0} shared={{ share, onMove: setShare }} />
          </div>
          <figcaption>{caption}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** For a page where a stage is as high as its picture. */
function aspect({ width, height }: { width: number; height: number }): CSSProperties {
  return { "--aspect": `${width} / ${height}` } as CSSProperties;
}
