/** Guidelines that somebody is writing, kept in this browser until they are published or given up. */
import { LANGUAGES, type Language } from "@/i18n/languages";

export type Texts = Partial<Record<Language, string>>;

export interface Kept {
  readonly text: Texts;
  readonly note: string;
  /** The version it is written over; 0 for the first. */
  readonly base: number;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const nameOf = (slug: string, kind: string) => `lantern.guideline.${slug}.${kind}`;

export function readKept(slug: string, kind: string, store: Store = localStorage): Kept | null {
  try {
    const kept: unknown = JSON.parse(store.getItem(nameOf(slug, kind)) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const { text, note, base } = kept as Record<string, unknown>;
    if (typeof text !== "object" || text === null || typeof note !== "string" || typeof base !== "number") return null;
    const known = Object.entries(text).filter(
      ([language, words]) => (LANGUAGES as readonly string[]).includes(language) && typeof words === "string",
    );
    return { text: Object.fromEntries(known), note, base };
  } catch {
    return null;
  }
}

export function keep(slug: string, kind: string, kept: Kept | null, store: Store = localStorage): void {
  try {
    if (kept === null) store.removeItem(nameOf(slug, kind));
    else store.setItem(nameOf(slug, kind), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: the page still works while it is open.
  }
}

/** Whether two sets of texts say the same; a language without text and one that is missing are one. */
export function sameTexts(a: Texts, b: Texts): boolean {
  return LANGUAGES.every((language) => (a[language] ?? "").trim() === (b[language] ?? "").trim());
}
