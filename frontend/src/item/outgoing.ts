/**
 * Comments on their way to the server. What someone wrote is kept in the browser until the server has it: a lost
 * connection, a closed page or an ended session delays a comment and loses none.
 */
import { newClientKey } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { sendSingly, SendQueue, type Entry, type Refusal } from "@/api/sendQueue";

interface Comment {
  readonly item: number;
  readonly text: string;
  readonly mentions: readonly number[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type OutgoingComment = Entry<Comment>;

/** What the browser keeps of a comment; other builds of the page read it, so its names stay. */
interface Stored extends Comment {
  readonly key: string;
  /** Why the server refused it; it is sent no more until its author has changed it. */
  readonly refused: Refusal | null;
}

interface OutgoingOptions<Answer> {
  /** The name under which the browser keeps them, one per person. */
  name: string;
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  send: (comment: OutgoingComment) => Promise<Answer>;
  newKey?: () => string;
}

const RETRY_MS = 5_000;

function retryMs(error: ApiError): number | null {
  if (error.isPassing) return RETRY_MS;
  // Nothing gets through while no one is signed in; signing in sends what is left.
  return error.status === 401 || error.code === "csrf_failed" ? Infinity : null;
}

export class OutgoingComments<Answer> extends SendQueue<Comment, Answer> {
  private written = 0;

  constructor({ name, storage, send, newKey = newClientKey }: OutgoingOptions<Answer>) {
    super({ send: sendSingly(send), holdMs: 0, retryMs, keepsRefused: true, newKey }, read(storage, name));
    this.subscribe(() => write(storage, name, this.snapshot().entries));
  }

  comment(item: number, text: string, mentions: readonly number[]): void {
    this.written += 1;
    // A subject of its own, as comments never replace one another.
    this.add([[`comment ${this.written}`, { item, text, mentions, at: Date.now() }]]);
  }
}

function read(storage: OutgoingOptions<unknown>["storage"], name: string): OutgoingComment[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(name) ?? "[]");
    return Array.isArray(stored) ? (stored as Stored[]).map(entryOf) : [];
  } catch {
    return []; // without storage a comment lives as long as the page
  }
}

function write(storage: OutgoingOptions<unknown>["storage"], name: string, entries: readonly OutgoingComment[]): void {
  try {
    if (entries.length === 0) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(entries.map(storedOf)));
  } catch {
    // See read().
  }
}

function entryOf({ key, refused, ...work }: Stored): OutgoingComment {
  return { subject: key, work, key, group: 0, due: Infinity, state: refused ? "refused" : "waiting", error: refused };
}

function storedOf({ work, key, state, error }: OutgoingComment): Stored {
  return { ...work, key, refused: state === "refused" ? error : null };
}
