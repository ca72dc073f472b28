/** The browser's own database: finished work and drafts the server has not acknowledged yet. */

import type { DBSchema } from "idb";
import { browserDatabase } from "@/store/browserDatabase";
import type { DraftMirror, DraftRequest } from "./draftSaver";
import type { OutboxEntry, OutboxStorage } from "./outbox";

interface LocalDraft extends DraftRequest<unknown> {
  readonly person: number;
  readonly item: number;
}

interface WorkDatabase extends DBSchema {
  outbox: { key: string; value: OutboxEntry; indexes: { "by-person": [number, number] } };
  drafts: { key: [number, number]; value: LocalDraft };
}

const database = browserDatabase<WorkDatabase>("lantern-work", (db) => {
  const outbox = db.createObjectStore("outbox", { keyPath: "key" });
  outbox.createIndex("by-person", ["personId", "queuedAt"]);
  db.createObjectStore("drafts", { keyPath: ["person", "item"] });
});

/** The outbox's entries, one record each. Content is plain JSON by contract. */
export function browserOutbox<Content>(): OutboxStorage<Content> {
  return {
    async all(personId) {
      const db = await database();
      const range = IDBKeyRange.bound([personId, 0], [personId, Number.MAX_SAFE_INTEGER]);
      return (await db.getAllFromIndex("outbox", "by-person", range)) as OutboxEntry<Content>[];
    },
    async put(entry) {
      await (await database()).put("outbox", entry);
    },
    async remove(key) {
      await (await database()).delete("outbox", key);
    },
  };
}

/**
 * Used where the browser refuses its database (some private windows): the text lives as long as
 * the page does, and leaving warns.
 */
export function memoryOutbox<Content>(): OutboxStorage<Content> {
  const entries = new Map<string, OutboxEntry<Content>>();
  return {
    all: (personId) =>
      Promise.resolve(
        [...entries.values()].filter((entry) => entry.personId === personId).sort((a, b) => a.queuedAt - b.queuedAt),
      ),
    put: (entry) => {
      entries.set(entry.key, entry);
      return Promise.resolve();
    },
    remove: (key) => {
      entries.delete(key);
      return Promise.resolve();
    },
  };
}

/** The browser's database if it opens, otherwise memory; decided at the first use. */
export function outboxStorage<Content>(): OutboxStorage<Content> {
  let chosen: Promise<OutboxStorage<Content>> | null = null;
  const storage = () => {
    chosen ??= database().then(
      () => browserOutbox<Content>(),
      () => memoryOutbox<Content>(),
    );
    return chosen;
  };
  return {
    all: async (personId) => (await storage()).all(personId),
    put: async (entry) => (await storage()).put(entry),
    remove: async (key) => (await storage()).remove(key),
  };
}

/** Whether finished work outlives the page: false where the browser refuses its database. */
export function keepsWork(): Promise<boolean> {
  return database().then(
    () => true,
    () => false,
  );
}

/** The browser's copy of one person's draft of one item. A refused database costs only the copy. */
export function draftMirror<Content>(person: number, item: number): DraftMirror<Content> {
  return {
    async put(draft) {
      try {
        await (await database()).put("drafts", { ...draft, person, item });
      } catch {
        // The server's copy is the one that counts; this one only bridges an outage.
      }
    },
    async remove() {
      try {
        await (await database()).delete("drafts", [person, item]);
      } catch {
        // Nothing was kept, nothing to forget.
      }
    },
  };
}

/** What an earlier visit typed and the server never acknowledged. */
export async function localDraft<Content>(person: number, item: number): Promise<DraftRequest<Content> | null> {
  try {
    const found = await (await database()).get("drafts", [person, item]);
    if (!found) return null;
    const { base_no, seq, content, active_ms } = found;
    return { base_no, seq, content: content as Content, ...(active_ms === undefined ? {} : { active_ms }) };
  } catch {
    return null;
  }
}

/** Runs the work in one tab of this browser at a time, where the browser has Web Locks. */
export async function oneTabAtATime(personId: number, work: () => Promise<void>): Promise<boolean> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) {
    await work();
    return true;
  }
  return locks.request(`lantern-outbox-${personId}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await work();
    return true;
  });
}
