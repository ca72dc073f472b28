/** Two pictures side by side that zoom and pan together, for comparing duplicates. */
import { useState, type ReactNode } from "react";
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
          <div className="compare-stage">
            <Stage {...picture} keys={i === 0} shared={{ share, onMove: setShare }} />
          </div>
          <figcaption>{caption}</figcaption>
        </figure>
      ))}
    </div>
  );
}
