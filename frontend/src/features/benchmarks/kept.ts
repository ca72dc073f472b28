/** A protocol's text that somebody is writing, kept in this browser until it is adopted or given up. */

export interface Kept {
  text: string;
  /** The version it is written on. */
  base: number;
}

const nameOf = (slug: string) => `lantern.protocol.${slug}`;

export function readKept(slug: string): Kept | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(slug)) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const { text, base } = kept as { text?: unknown; base?: unknown };
    return typeof text === "string" && typeof base === "number" ? { text, base } : null;
  } catch {
    return null;
  }
}

export function keep(slug: string, kept: Kept | null): void {
  try {
    if (kept === null) localStorage.removeItem(nameOf(slug));
    else localStorage.setItem(nameOf(slug), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: the page still works while it is open.
  }
}
