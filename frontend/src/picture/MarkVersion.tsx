/** The marks of one of several versions of a content over one picture, named and coloured by version. */
import { createContext, type ReactNode } from "react";
import "./marks.css";

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

/** The name of a version beside the colour of its marks. */
export function VersionName({ side, children }: { side: MarkVersionProps["side"]; children: ReactNode }) {
  return (
    <span className="version-name" data-version={side}>
      {children}
    </span>
  );
}
