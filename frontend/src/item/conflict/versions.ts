/** The two versions that meet after the server refused a text as stale. */
import type { Content } from "@/kinds/kind";

export interface Versions {
  /** What both versions grew from, where it is known. */
  readonly base: Content | null;
  readonly mine: Content;
  readonly theirs: Content;
  /** Revision that a merged text is based on. */
  readonly theirsNo: number;
}

/** The versions in a stale answer's body; null when it does not carry the newer one: then only asking again helps. */
export function versionsIn(body: unknown, mine: Content): Versions | null {
  const theirs = objectAt(body, "theirs");
  const theirsNo = objectAt(body, "params")?.revision_no;
  return typeof theirsNo === "number" && theirs !== null ? { base: objectAt(body, "base"), mine, theirs, theirsNo } : null;
}

function objectAt(value: unknown, key: string): Record<string, unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : null;
}
