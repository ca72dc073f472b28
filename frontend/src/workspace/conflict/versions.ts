/** Reads the three versions out of a 409's body. */
import type { Content, KindView } from "@/kinds/kind";

export interface Versions {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** Revision that a merged text is based on. */
  readonly theirsNo: number;
}

function objectAt(value: unknown, key: string): Record<string, unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : null;
}

/** Null when the answer does not carry the other side's text: then only asking again helps. */
export function versionsIn(body: unknown, mine: Content, view: KindView): Versions | null {
  const theirs = objectAt(body, "theirs");
  const no = objectAt(body, "params")?.revision_no;
  if (typeof no !== "number" || theirs === null) return null;
  const base = objectAt(body, "base");
  return {
    base: base ? safeParts(view, base) : [],
    mine: view.parts(mine),
    theirs: safeParts(view, theirs),
    theirsNo: no,
  };
}

/** The body is the server's JSON as it came; a kind reads its own content out of it. */
function safeParts(view: KindView, content: Record<string, unknown>): string[] {
  const parts: unknown = view.parts(content);
  return Array.isArray(parts) ? parts.map(String) : [];
}
