/**
 * A queue of writes: each is held for a time in which it can be undone, sent together with others, and sent again
 * after a lost connection. On the server a verdict or a comment is final, so only unsent writes can be undone.
 */
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";
import { newClientKey } from "./client";
import { toApiError, type ApiError } from "./errors";

/** The id of the item, picture or card that a write changes. A later write with the same subject replaces an unsent one. */
export type Subject = string | number;

export interface Refusal {
  readonly code: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly detail?: string;
}

export interface Entry<Work> {
  readonly subject: Subject;
  readonly work: Work;
  /** Client key, the same for every attempt, so that a repeat is harmless. */
  readonly key: string;
  /** Entries that were added together are undone together. */
  readonly group: number;
  /** When it is sent, in milliseconds since 1970; Infinity waits for the next flush. */
  readonly due: number;
  /** `pending` can be undone; `waiting` failed and is sent again; `refused` stays until it is dropped or replaced. */
  readonly state: "pending" | "sending" | "waiting" | "refused";
  readonly error: Refusal | null;
}

/** The server's answer for one entry of a request. */
export interface Result<Answer> {
  readonly answer: Answer | null;
  readonly error: Refusal | null;
}

interface EntryResult<Work, Answer> extends Result<Answer> {
  readonly entry: Entry<Work>;
}

export interface SendQueueOptions<Work, Answer> {
  /** Sends these entries in one request; the results are in the order of the entries. */
  send: (entries: readonly Entry<Work>[]) => Promise<readonly Result<Answer>[]>;
  /** Milliseconds for which an entry is held and can be undone. */
  holdMs: number;
  /** The most entries in one request. */
  batchSize?: number;
  /** Entries due within this many milliseconds after the first are sent with it. */
  togetherMs?: number;
  /** Whether an entry may be in the same request as the first. */
  fits?: (first: Work, other: Work) => boolean;
  /** Whether an entry can be sent already; call `wake` when that changes. */
  canSend?: (entry: Entry<Work>) => boolean;
  /** Milliseconds until a failed request is sent again; Infinity waits for the next flush, null counts it as refused. */
  retryMs?: (error: ApiError) => number | null;
  /** Whether refused entries stay in the queue; otherwise only `onResults` reports them. */
  keepsRefused?: boolean;
  /** Combines an unsent write with a later one of the same subject. With it, a write may be added while one is sent. */
  merge?: (earlier: Work, later: Work) => Work;
  newKey?: () => string;
}

interface SendQueueState<Work> {
  /** Oldest first. */
  readonly entries: readonly Entry<Work>[];
  /** The error of the last failed request; null after a successful one. */
  readonly problem: ApiError | null;
}

const RETRY_MS = 3_000;

/** A write refused because the session ended is sent again after sign-in, as after an outage. */
function retryLater(error: ApiError): number | null {
  return error.isPassing || error.status === 401 ? RETRY_MS : null;
}

/** Sends each entry in a request of its own. */
export function sendSingly<Work, Answer>(
  send: (entry: Entry<Work>) => Promise<Answer>,
): SendQueueOptions<Work, Answer>["send"] {
  return async (entries) => {
    const results: Result<Answer>[] = [];
    for (const entry of entries) results.push({ answer: await send(entry), error: null });
    return results;
  };
}

export class SendQueue<Work, Answer = unknown> extends Store<SendQueueState<Work>> {
  private readonly answers = new Emitter<readonly EntryResult<Work, Answer>[]>();
  private group: number;
  /** The newest group that a flush sends; later ones are held, so that they can be undone. */
  private flushedUpTo = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private running: Promise<void> | null = null;
  private flushing: Promise<boolean> | null = null;
  private isStopped = false;

  constructor(
    private readonly options: SendQueueOptions<Work, Answer>,
    entries: readonly Entry<Work>[] = [],
  ) {
    super({ entries, problem: null });
    this.group = Math.max(0, ...entries.map(({ group }) => group));
  }

  /** Reports the results of each answered request, before its entries leave the queue. */
  readonly onResults = this.answers.on;

  /** Adds writes as one group, which is undone together. */
  add(writes: readonly (readonly [Subject, Work])[]): void {
    const { holdMs, merge, newKey = newClientKey } = this.options;
    this.group += 1;
    const added = new Map(writes);
    // What takes the place of an entry that a flush is to send is sent by it, too.
    const flushed = new Map<Subject, number>();
    const entries: Entry<Work>[] = [];
    for (const entry of this.snapshot().entries) {
      const later = added.get(entry.subject);
      if (entry.state === "sending" || later === undefined) entries.push(entry);
      else {
        if (merge) added.set(entry.subject, merge(entry.work, later));
        if (this.flushing !== null && entry.group <= this.flushedUpTo) flushed.set(entry.subject, entry.group);
      }
      if (entry.state === "sending" && !merge) added.delete(entry.subject);
    }
    const due = Date.now() + holdMs;
    for (const [subject, work] of added) {
      entries.push({ subject, work, key: newKey(), group: flushed.get(subject) ?? this.group, due, state: "pending", error: null });
    }
    this.patch({ entries });
    if (holdMs === 0) void this.flush();
    else this.wake();
  }

  get canUndo(): boolean {
    return this.snapshot().entries.some(isHere);
  }

  /** The number of writes that the server has not accepted. */
  unsent(): number {
    return this.snapshot().entries.length;
  }

  /** Undoes the newest group, except entries already being sent; returns the subjects. */
  undo(): Subject[] {
    const last = this.snapshot().entries.findLast(isHere);
    if (!last) return [];
    const undone = this.snapshot().entries.filter((entry) => entry.group === last.group && isHere(entry));
    this.remove(undone);
    return undone.map(({ subject }) => subject);
  }

  /** Removes a subject's entries that are not being sent. */
  drop(subject: Subject): void {
    this.remove(this.snapshot().entries.filter((entry) => entry.subject === subject && isHere(entry)));
  }

  /** Removes a subject's entries, or waits for the answer if one is being sent. */
  async withdraw(subject: Subject): Promise<void> {
    const isSending = this.snapshot().entries.some((entry) => entry.subject === subject && !isHere(entry));
    if (isSending) await this.running;
    else this.drop(subject);
  }

  /** Sends everything that was added so far; resolves after the last answer, to whether nothing of it that can be sent is left. */
  flush(): Promise<boolean> {
    this.flushedUpTo = this.group;
    this.flushing ??= this.flushAll().finally(() => {
      this.flushing = null;
    });
    return this.flushing;
  }

  /** Schedules the next request; call it when `canSend` has changed for an entry. */
  wake(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.isStopped) return;
    const next = Math.min(...this.snapshot().entries.filter((entry) => this.isReady(entry)).map(({ due }) => due));
    if (!Number.isFinite(next)) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      const until = Date.now() + (this.options.togetherMs ?? 0);
      void this.run(({ due }) => due <= until);
    }, Math.max(0, next - Date.now()));
  }

  /** Stops sending for good. */
  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  private async flushAll(): Promise<boolean> {
    let last: number;
    do {
      last = this.flushedUpTo;
      while (this.running) await this.running;
      await this.run(({ group }) => group <= last);
    } while (last !== this.flushedUpTo);
    return !this.snapshot().entries.some((entry) => entry.group <= last && this.canSend(entry));
  }

  private canSend(entry: Entry<Work>): boolean {
    return this.options.canSend?.(entry) ?? true;
  }

  private isReady(entry: Entry<Work>): boolean {
    return (entry.state === "pending" || entry.state === "waiting") && this.canSend(entry);
  }

  private run(isDue: (entry: Entry<Work>) => boolean): Promise<void> {
    this.running ??= this.sendAll(isDue).finally(() => {
      this.running = null;
      this.wake();
    });
    return this.running;
  }

  /** Sends one request after another, until nothing is due or a request has to be repeated later. */
  private async sendAll(isDue: (entry: Entry<Work>) => boolean): Promise<void> {
    for (;;) {
      const batch = this.nextBatch(isDue);
      if (batch.length === 0 || this.isStopped) return;
      this.replace(batch, (entry) => ({ ...entry, state: "sending", error: null }));
      try {
        this.settle(batch, await this.options.send(batch));
      } catch (reason) {
        const error = toApiError(reason);
        const retryMs = (this.options.retryMs ?? retryLater)(error);
        if (retryMs !== null) {
          this.postpone(batch, error, retryMs);
          return;
        }
        this.settle(batch, batch.map(() => ({ answer: null, error })));
      }
    }
  }

  private nextBatch(isDue: (entry: Entry<Work>) => boolean): Entry<Work>[] {
    const { batchSize = 1, fits = () => true } = this.options;
    const due = this.snapshot().entries.filter((entry) => this.isReady(entry) && isDue(entry));
    return due.filter((entry) => due[0] && fits(due[0].work, entry.work)).slice(0, batchSize);
  }

  private settle(batch: readonly Entry<Work>[], results: readonly Result<Answer>[]): void {
    const missing: Result<Answer> = { answer: null, error: { code: "not_found", params: {} } };
    const answered = batch.map((entry, index) => ({ entry, ...(results[index] ?? missing) }));
    this.answers.emit(answered);
    const refused = new Map(answered.flatMap(({ entry, error }) => (error ? [[entry.key, error] as const] : [])));
    this.replace(
      batch,
      (entry) => {
        const error = refused.get(entry.key);
        return error && this.options.keepsRefused === true ? { ...entry, state: "refused", error } : null;
      },
      null,
    );
  }

  private postpone(batch: readonly Entry<Work>[], error: ApiError, retryMs: number): void {
    const { merge } = this.options;
    const earlier = new Map(batch.map((entry) => [entry.subject, entry]));
    const keys = new Set(batch.map(({ key }) => key));
    const later = new Set(this.snapshot().entries.flatMap(({ subject, key }) => (earlier.has(subject) && !keys.has(key) ? [subject] : [])));
    const entries = this.snapshot().entries.flatMap((entry) => {
      const failed = earlier.get(entry.subject);
      if (!failed) return [entry];
      if (entry.key !== failed.key) return [{ ...entry, group: Math.min(entry.group, failed.group), work: merge ? merge(failed.work, entry.work) : entry.work }];
      // A later write of the same subject, added during the request, is sent in its place.
      if (later.has(entry.subject)) return [];
      return [{ ...entry, state: "waiting" as const, error, due: Date.now() + retryMs }];
    });
    this.set({ entries, problem: error });
  }

  private replace(
    batch: readonly Entry<Work>[],
    change: (entry: Entry<Work>) => Entry<Work> | null,
    problem: ApiError | null = this.snapshot().problem,
  ): void {
    const keys = new Set(batch.map(({ key }) => key));
    this.set({ entries: this.snapshot().entries.flatMap((entry) => (keys.has(entry.key) ? (change(entry) ?? []) : [entry])), problem });
  }

  private remove(entries: readonly Entry<Work>[]): void {
    if (entries.length === 0) return;
    this.replace(entries, () => null);
    this.wake();
  }
}

/** Whether an entry can still be undone. */
function isHere({ state }: Entry<unknown>): boolean {
  return state !== "sending";
}
