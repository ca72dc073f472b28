/** Drafts of protocols, stored in this browser until they are adopted or discarded. */

interface StoredDraft {
  text: string;
  /** The version it is written on. */
  base: number;
}

const nameOf = (slug: string) => `lantern.protocol.${slug}`;

export function readDraft(slug: string): StoredDraft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(slug)) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { text, base } = stored as { text?: unknown; base?: unknown };
    return typeof text === "string" && typeof base === "number" ? { text, base } : null;
  } catch {
    return null;
  }
}

export function storeDraft(slug: string, draft: StoredDraft | null): void {
  try {
    if (draft === null) localStorage.removeItem(nameOf(slug));
    else localStorage.setItem(nameOf(slug), JSON.stringify(draft));
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}
