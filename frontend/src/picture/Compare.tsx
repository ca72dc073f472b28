/** Two pictures beside each other that zoom and move together, so that one sees whether they are the same. */
import { useState, type ReactNode } from "react";
import { Stage } from "./Stage";
import type { Share } from "./viewport";
import "./stage.css";

export interface Compared {
  view: string;
  clean: string;
  width: number;
  height: number;
  label: string;
  /** What is said about the picture, under it. */
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
