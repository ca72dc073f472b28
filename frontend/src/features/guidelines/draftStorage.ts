/** Drafts of guidelines, stored in this browser until they are published or discarded. */
import { LANGUAGES, type Language } from "@/i18n/languages";

export type Texts = Partial<Record<Language, string>>;

export interface StoredDraft {
  readonly text: Texts;
  readonly note: string;
  /** The version that this one replaces; 0 for the first. */
  readonly base: number;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const nameOf = (slug: string, kind: string) => `lantern.guideline.${slug}.${kind}`;

export function readDraft(slug: string, kind: string, store: Store = localStorage): StoredDraft | null {
  try {
    const stored: unknown = JSON.parse(store.getItem(nameOf(slug, kind)) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { text, note, base } = stored as Record<string, unknown>;
    if (typeof text !== "object" || text === null || typeof note !== "string" || typeof base !== "number") return null;
    const known = Object.entries(text).filter(
      ([language, words]) => (LANGUAGES as readonly string[]).includes(language) && typeof words === "string",
    );
    return { text: Object.fromEntries(known), note, base };
  } catch {
    return null;
  }
}

export function storeDraft(slug: string, kind: string, draft: StoredDraft | null, store: Store = localStorage): void {
  try {
    if (draft === null) store.removeItem(nameOf(slug, kind));
    else store.setItem(nameOf(slug, kind), JSON.stringify(draft));
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}

/** Whether two sets of texts say the same; a language without text and one that is missing are one. */
export function sameTexts(a: Texts, b: Texts): boolean {
  return LANGUAGES.every((language) => (a[language] ?? "").trim() === (b[language] ?? "").trim());
}
