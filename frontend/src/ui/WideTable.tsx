import type { ReactNode } from "react";
import "./ui.css";

/** A table that may be wider than the screen scrolls by itself, by keys too, and leaves the page alone. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
