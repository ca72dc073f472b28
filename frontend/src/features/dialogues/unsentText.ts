/** The browser's own copy of texts that were typed in dialogues and have not arrived: it survives closing the tab. */
import type { DBSchema } from "idb";
import { browserDatabase } from "@/store/browserDatabase";

/** A turn on its way, with the key by which a repeat counts once. */
export interface SentTurn {
  readonly no: number;
  readonly key: string;
  readonly text: string;
}

export interface UnsentText {
  readonly text: string;
  readonly sent: SentTurn | null;
}

/** Keeps one person's text of one dialogue. */
export interface TextKeeper {
  load: () => Promise<UnsentText | null>;
  /** Null: there is nothing to keep any more. */
  keep: (unsent: UnsentText | null) => Promise<void>;
}

interface StoredText extends UnsentText {
  readonly person: number;
  readonly dialogue: number;
}

interface TalkDatabase extends DBSchema {
  texts: { key: [number, number]; value: StoredText };
}

const database = browserDatabase<TalkDatabase>("lantern-talk", (db) => {
  db.createObjectStore("texts", { keyPath: ["person", "dialogue"] });
});

/** Where the browser refuses its database the text lives as long as the page. */
export function browserKeeper(person: number, dialogue: number): TextKeeper {
  return {
    async load() {
      try {
        const stored = await (await database()).get("texts", [person, dialogue]);
        return stored === undefined ? null : { text: stored.text, sent: stored.sent };
      } catch {
        return null;
      }
    },
    async keep(unsent) {
      try {
        const db = await database();
        if (unsent === null) await db.delete("texts", [person, dialogue]);
        else await db.put("texts", { ...unsent, person, dialogue });
      } catch {
        // See above.
      }
    },
  };
}
