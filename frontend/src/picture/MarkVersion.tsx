/** The marks of one of several versions of a content over one picture, named and coloured by version. */
import { createContext, useMemo, type ReactNode } from "react";
import "./marks.css";

interface Version {
  readonly name: string;
  /** Distinguishes it by colour; with `changes` each mark has its own, and those of the present version make room. */
  readonly side: "mine" | "theirs" | "earlier" | "changes";
}

/** The version, whose name every mark adds to its own; null where only one is shown. */
export const VersionContext = createContext<Version | null>(null);

interface MarkVersionProps extends Version {
  children: ReactNode;
}

export function MarkVersion({ name, side, children }: MarkVersionProps) {
  const version = useMemo(() => ({ name, side }), [name, side]);
  return (
    <g data-version={side}>
      <VersionContext value={version}>{children}</VersionContext>
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
