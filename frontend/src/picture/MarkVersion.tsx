/** The marks of one of several versions of a content over one picture, named and coloured by version. */
import { createContext, type ReactNode } from "react";

/** The version's name, which every mark adds to its own; null where only one is shown. */
export const VersionContext = createContext<string | null>(null);

interface MarkVersionProps {
  name: string;
  /** Distinguishes it by colour; with `changes` each mark has its own, and those of the present version make room. */
  side: "mine" | "theirs" | "earlier" | "changes";
  children: ReactNode;
}

export function MarkVersion({ name, side, children }: MarkVersionProps) {
  return (
    <g data-version={side}>
      <VersionContext value={name}>{children}</VersionContext>
    </g>
  );
}
