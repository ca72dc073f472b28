import type { ReactNode } from "react";
import "./ui.css";

export type Tone = "good" | "warn" | "bad" | "accent";

export function Chip({ tone, children, title }: { tone?: Tone | undefined; children: ReactNode; title?: string | undefined }) {
  return (
    <span className={tone === undefined ? "chip" : `chip chip-${tone}`} title={title}>
      {children}
    </span>
  );
}
