/**
 * Comments on their way to the server. What somebody wrote is kept in the browser until the server has it: a lost
 * connection, a closed page or an ended session delays a comment and loses none.
 */
import { toApiError, type ApiError } from "@/api/errors";

export interface Outgoing {
  /** Makes a repeat harmless. */
  readonly key: string;
  readonly item: number;
  readonly text: string;
  readonly mentions: readonly number[];
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why the server would not take it; it is sent no more until its author has changed it. */
  readonly refused: { readonly code: string; readonly params: Readonly<Record<string, unknown>> } | null;
}

interface Keep {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface OutgoingOptions<Answer> {
  /** The name under which the browser keeps them, one per person. */
  name: string;
  keep: Keep;
  send: (comment: Outgoing) => Promise<Answer>;
  newKey: () => string;
  retryMs?: number;
}

const RETRY_MS = 5_000;
const NONE: readonly Outgoing[] = [];

export class OutgoingComments<Answer> {
  private readonly listeners = new Set<() => void>();
  private readonly sentListeners = new Set<(comment: Outgoing, answer: Answer) => void>();
  private list: readonly Outgoing[];
  private sending: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly options: OutgoingOptions<Answer>) {
    this.list = this.read();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Outgoing[] => this.list;

  onSent(listener: (comment: Outgoing, answer: Answer) => void): () => void {
    this.sentListeners.add(listener);
    return () => this.sentListeners.delete(listener);
  }

  add(item: number, text: string, mentions: readonly number[]): void {
    this.write([...this.list, { key: this.options.newKey(), item, text, mentions, at: Date.now(), refused: null }]);
    void this.flush();
  }

  /** Takes a comment back that the server does not have, to be written anew. */
  drop(key: string): void {
    this.write(this.list.filter((comment) => comment.key !== key));
  }

  /** Sends what waits, oldest first; resolves when all was tried. */
  flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      const next = this.list.find((comment) => comment.refused === null);
      if (next === undefined) return;
      try {
        const answer = await this.options.send(next);
        this.drop(next.key);
        for (const listener of this.sentListeners) listener(next, answer);
      } catch (error) {
        if (!this.put(next, toApiError(error))) return;
      }
    }
  }

  /** Whether the next one may be tried: nothing gets through while the server is away or nobody is signed in. */
  private put(comment: Outgoing, { isPassing, status, code, params }: ApiError): boolean {
    if (isPassing) {
      this.timer = setTimeout(() => void this.flush(), this.options.retryMs ?? RETRY_MS);
      return false;
    }
    if (status === 401 || code === "csrf_failed") return false;
    this.write(this.list.map((one) => (one.key === comment.key ? { ...one, refused: { code, params } } : one)));
    return true;
  }

  private read(): readonly Outgoing[] {
    try {
      const kept: unknown = JSON.parse(this.options.keep.getItem(this.options.name) ?? "[]");
      return Array.isArray(kept) ? (kept as Outgoing[]) : NONE;
    } catch {
      return NONE; // without storage a comment lives as long as the page
    }
  }

  private write(list: readonly Outgoing[]): void {
    this.list = list;
    try {
      if (list.length === 0) this.options.keep.removeItem(this.options.name);
      else this.options.keep.setItem(this.options.name, JSON.stringify(list));
    } catch {
      // See read().
    }
    for (const listener of this.listeners) listener();
  }
}
