/**
 * Finished work on its way to the server.
 *
 * Submitting never waits for the network: the entry is written to the browser's own database
 * first, the next picture is shown, and this queue delivers in order, retries with back-off,
 * and keeps what the server would not take until the person has decided about it.
 */

import type { Track } from "@/api/types";
import { Store } from "@/store/store";
import { backoffMs } from "./backoff";
import { failureOf, type Failure } from "./failure";

type EntryState = "waiting" | "conflict" | "refused";

export interface OutboxEntry<Content = unknown> {
  /** The submitted text's client key: a repeat has the same result and one row. */
  readonly key: string;
  /** Whose work it is; another person's sign-in on the same browser never sends it. */
  readonly personId: number;
  /** The item's track. Missing on an entry that an older build left behind: it is of a package. */
  readonly track?: Track;
  /** The package it is written in; null where it is in none. */
  readonly packageId: number | null;
  readonly itemId: number;
  /**
   * What was written over what: a page's texts for an item, and what another visit wrote over them, are one line and
   * follow one another. Two tabs have two lines, so that neither's text silently takes the other's place. Missing on an
   * entry that an older build left behind.
   */
  readonly line?: string;
  readonly position: number;
  readonly label: string;
  readonly baseNo: number;
  readonly content: Content;
  readonly reasons: Readonly<Record<string, string>>;
  /** Milliseconds the person worked on the text; null where nothing counted them. */
  readonly activeMs: number | null;
  /** Version of the guideline it was written under; null where the kind has none. */
  readonly guideline: number | null;
  /** The picture's version that was shown. Missing on an entry that an older build left behind, and on skipped items. */
  readonly pictureNo?: number;
  /** Why the item is skipped; null where `content` is submitted. */
  readonly leftOut: { readonly reasons: readonly string[]; readonly comment: string } | null;
  /** Whether the item was still to be written: then it counts as written once this has arrived. */
  readonly wasOpen: boolean;
  /** Milliseconds since 1970, for order and for display. */
  readonly queuedAt: number;
  readonly state: EntryState;
  readonly attempts: number;
  readonly failure: Failure | null;
}

export interface OutboxStorage<Content = unknown> {
  /** Entries of one person, oldest first. */
  all(personId: number): Promise<OutboxEntry<Content>[]>;
  put(entry: OutboxEntry<Content>): Promise<void>;
  remove(key: string): Promise<void>;
}

interface Delivered {
  readonly revision_no: number;
}

export type OutboxPhase = "idle" | "sending" | "offline" | "signed_out";

export interface OutboxSnapshot<Content = unknown> {
  readonly phase: OutboxPhase;
  readonly entries: readonly OutboxEntry<Content>[];
  /** Entries that will still be sent without anyone's help. */
  readonly waiting: number;
}

interface OutboxOptions<Content, Answer extends Delivered> {
  personId: number;
  storage: OutboxStorage<Content>;
  send: (entry: OutboxEntry<Content>) => Promise<Answer>;
  /** Runs before an entry is sent, e.g. to let a draft that is on its way arrive first. */
  before?: (entry: OutboxEntry<Content>) => Promise<void>;
  onDelivered?: (entry: OutboxEntry<Content>, answer: Answer) => void;
  /** Runs the work in one of the browser's tabs only; false if another tab is running it. */
  exclusively?: (work: () => Promise<void>) => Promise<boolean>;
}

/** Time before looking again when another tab is delivering, in milliseconds. */
const OTHER_TAB_MS = 2_000;

type Place = Pick<OutboxEntry, "itemId" | "line" | "baseNo">;

function isOneLine(one: Place, other: Place): boolean {
  return one.itemId === other.itemId && (one.line ?? "") === (other.line ?? "");
}

function stepOf({ itemId, line, baseNo }: Place): string {
  return [itemId, line ?? "", baseNo].join(":");
}

async function alone(work: () => Promise<void>): Promise<boolean> {
  await work();
  return true;
}

export class Outbox<Content, Answer extends Delivered> extends Store<OutboxSnapshot<Content>> {
  private readonly options: OutboxOptions<Content, Answer>;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private draining = false;
  private again = false;
  private sendingKey: string | null = null;
  /** Taken, but not in the browser's database yet: shown as waiting from the first moment, never sent from here. */
  private arriving: readonly OutboxEntry<Content>[] = [];
  private failures = 0;
  private stopped = false;
  /** Revision a line of an item reached from a base while this page was open, by `stepOf`. */
  private readonly reached = new Map<string, number>();

  constructor(options: OutboxOptions<Content, Answer>) {
    super({ phase: "idle", entries: [], waiting: 0 });
    this.options = options;
  }

  /** Reads what an earlier visit left behind and begins to deliver it. */
  async start(): Promise<void> {
    this.stopped = false;
    await this.reload();
    this.wake();
  }

  stop(): void {
    this.stopped = true;
    this.clearTimer();
  }

  /** Tries at once: the browser is online again, or the person has signed in again. */
  wake(): void {
    this.clearTimer();
    void this.drain();
  }

  /**
   * Keeps an entry; resolves when it is safe in the browser. Earlier entries of the same line
   * that are not on their way are replaced: this text was written over theirs.
   */
  async add(entry: OutboxEntry<Content>): Promise<void> {
    const replaced = this.snapshot().entries.filter((earlier) => isOneLine(earlier, entry) && earlier.key !== this.sendingKey);
    this.arriving = [...this.arriving, entry];
    this.publish(this.snapshot());
    for (const earlier of replaced) await this.options.storage.remove(earlier.key);
    await this.options.storage.put(entry);
    this.arriving = this.arriving.filter((one) => one.key !== entry.key);
    await this.reload();
    this.wake();
  }

  /** What was refused for this reason waits again: the reason is gone, perhaps by a change of the entry. */
  async retryRefused(code: string, change: (entry: OutboxEntry<Content>) => OutboxEntry<Content> = (entry) => entry): Promise<void> {
    for (const entry of this.snapshot().entries) {
      if (entry.state !== "refused" || entry.failure?.code !== code) continue;
      await this.options.storage.put({ ...change(entry), state: "waiting", failure: null });
    }
    await this.reload();
    this.wake();
  }

  /** Forgets an entry the person has decided about (a conflict resolved, a refusal reopened). */
  async drop(key: string): Promise<void> {
    await this.options.storage.remove(key);
    await this.reload();
  }

  /** Resolves when nothing is on its way any more: everything arrived, or something prevents it. */
  async drained(): Promise<void> {
    while (this.draining) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  private async drain(): Promise<void> {
    if (this.draining) {
      this.again = true;
      return;
    }
    this.draining = true;
    try {
      do {
        const mine = await (this.options.exclusively ?? alone)(() => this.deliverAll());
        if (!mine) {
          await this.reload();
          if (this.snapshot().waiting > 0) this.wakeIn(OTHER_TAB_MS);
        }
      } while (this.isAskedAgain());
    } finally {
      this.draining = false;
    }
  }

  /** Whether something was added while entries were being delivered; asking clears it. */
  private isAskedAgain(): boolean {
    const again = this.again && !this.stopped;
    this.again = false;
    return again;
  }

  private isArriving({ key }: OutboxEntry<Content>): boolean {
    return this.arriving.some((one) => one.key === key);
  }

  private isStopped(): boolean {
    return this.stopped;
  }

  private async deliverAll(): Promise<void> {
    while (!this.stopped) {
      // The database is the truth: another tab may have delivered or replaced an entry.
      await this.reload();
      const entry = this.snapshot().entries.find((candidate) => candidate.state === "waiting" && !this.isArriving(candidate));
      if (this.isStopped()) return;
      if (!entry) {
        this.show("idle");
        return;
      }
      if (!(await this.deliver(entry))) return;
    }
  }

  /** Sends one entry; false when delivery must pause. */
  private async deliver(entry: OutboxEntry<Content>): Promise<boolean> {
    this.sendingKey = entry.key;
    if (this.snapshot().phase !== "offline") this.show("sending");
    try {
      await this.options.before?.(entry);
      if (this.isStopped()) {
        // Someone else may have signed in meanwhile: their session must not carry this person's work.
        this.sendingKey = null;
        return false;
      }
      // The person may have written over their own text while it was on its way.
      const baseNo = this.reached.get(stepOf(entry)) ?? entry.baseNo;
      const answer = await this.options.send({ ...entry, baseNo });
      this.failures = 0;
      this.reached.set(stepOf(entry), answer.revision_no);
      await this.options.storage.remove(entry.key);
      await this.rebaseFollowers(entry, answer.revision_no);
      this.sendingKey = null;
      await this.reload();
      this.options.onDelivered?.(entry, answer);
      this.show("sending");
      return true;
    } catch (error) {
      this.sendingKey = null;
      return this.keep(entry, failureOf(error));
    }
  }

  private async keep(entry: OutboxEntry<Content>, failure: Failure): Promise<boolean> {
    const attempts = entry.attempts + 1;
    switch (failure.kind) {
      case "retry":
        this.failures += 1;
        await this.options.storage.put({ ...entry, attempts, failure });
        await this.reload();
        this.show("offline");
        this.wakeIn(backoffMs(this.failures));
        return false;
      case "signed_out":
        await this.options.storage.put({ ...entry, attempts, failure });
        await this.reload();
        this.show("signed_out");
        return false;
      case "stale":
        // Someone who leaves an item out has no text to compare: the newer text is there to be read.
        await this.options.storage.put({ ...entry, attempts, failure, state: entry.leftOut ? "refused" : "conflict" });
        return true;
      case "refused":
        await this.options.storage.put({ ...entry, attempts, failure, state: "refused" });
        return true;
    }
  }

  /** A later text of the same line was written over this one: it is now based on its revision. */
  private async rebaseFollowers(sent: OutboxEntry<Content>, revisionNo: number): Promise<void> {
    for (const later of await this.options.storage.all(sent.personId)) {
      if (isOneLine(later, sent) && later.key !== sent.key && later.baseNo === sent.baseNo) {
        await this.options.storage.put({ ...later, baseNo: revisionNo });
      }
    }
  }

  private wakeIn(ms: number): void {
    this.clearTimer();
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.drain();
    }, ms);
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async reload(): Promise<void> {
    const entries = await this.options.storage.all(this.options.personId);
    this.publish({ ...this.snapshot(), entries });
  }

  private show(phase: OutboxPhase): void {
    if (phase !== this.snapshot().phase) this.publish({ ...this.snapshot(), phase });
  }

  private publish(next: OutboxSnapshot<Content>): void {
    const stored = next.entries.filter((entry) => !this.isArriving(entry));
    const entries = [...stored, ...this.arriving];
    const waiting = entries.filter((entry) => entry.state === "waiting").length;
    this.set({ ...next, entries, waiting });
  }
}
