/** Saves one item's draft while the person types: debounced, numbered, one request at a time. */

import { backoffMs } from "./backoff";
import { failureOf, type Failure } from "./failure";

export interface DraftResult<Finding> {
  /** The sequence number the server holds now; higher than ours when another window wrote later. */
  seq: number;
  findings: Finding[];
  saved_at: string;
}

export interface DraftRequest<Content> {
  base_no: number;
  seq: number;
  content: Content;
  /** Milliseconds the person has worked on the text, where they are counted. */
  active_ms?: number;
}

/** What the browser keeps of a draft until the server has acknowledged it. */
export interface DraftMirror<Content> {
  put(draft: DraftRequest<Content>): Promise<void>;
  remove(): Promise<void>;
}

export type DraftPhase =
  /** The server holds the latest text. */
  | "saved"
  /** Typed, waiting for a pause in the typing. */
  | "unsaved"
  | "saving"
  /** No connection; kept in the browser and tried again. */
  | "waiting"
  | "signed_out"
  /** A newer revision exists. */
  | "stale"
  /** The server refused the draft; `failure` says why. */
  | "refused";

export interface DraftState {
  readonly phase: DraftPhase;
  readonly savedAt: string | null;
  readonly failure: Failure | null;
}

interface DraftSaverOptions<Content, Finding> {
  /** Revision the text is based on. */
  baseNo: number;
  /** Highest sequence number known so far (server's draft or the browser's own copy). */
  seq: number;
  put: (request: DraftRequest<Content>) => Promise<DraftResult<Finding>>;
  mirror: DraftMirror<Content>;
  /** Milliseconds the person has worked on the text so far; null where nothing counts them. */
  activeMs?: () => number | null;
  /** Called with the findings and the very text they were computed for. */
  onFindings: (findings: Finding[], content: Content) => void;
  onState: (state: DraftState) => void;
  /** Milliseconds; tests bring their own. */
  clock?: () => number;
  /** Pause in the typing before a save, in milliseconds. */
  debounceMs?: number;
}

const DEBOUNCE_MS = 400;

export class DraftSaver<Content, Finding> {
  private readonly options: DraftSaverOptions<Content, Finding>;
  private seq: number;
  private pending: Content | null = null;
  /** What was typed last on this page; null if nothing was, or once it was submitted. */
  private newest: DraftRequest<Content> | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private inFlight: Promise<void> | null = null;
  private attempts = 0;
  private ended = false;
  private current: DraftState = { phase: "saved", savedAt: null, failure: null };

  constructor(options: DraftSaverOptions<Content, Finding>) {
    this.options = options;
    this.seq = options.seq;
  }

  get state(): DraftState {
    return this.current;
  }

  /** What was typed on this page since the item was opened or submitted; null if nothing was. */
  get typed(): DraftRequest<Content> | null {
    return this.newest;
  }

  /** Takes the latest text. It is safe in the browser at once and on the server after a pause. */
  edit(content: Content): void {
    if (this.ended) return;
    // Numbered by the clock, so that of two windows of one person the later typing wins.
    this.seq = Math.max(this.seq + 1, (this.options.clock ?? Date.now)());
    this.pending = content;
    this.newest = this.request(content, this.seq);
    void this.options.mirror.put(this.newest);
    if (this.current.phase === "waiting" || this.current.phase === "signed_out") return; // their own timer or event sends it
    this.show(this.inFlight ? "saving" : "unsaved");
    if (!this.inFlight) this.schedule(this.options.debounceMs ?? DEBOUNCE_MS);
  }

  /** Sends now what waits for a pause, a retry or a new sign-in. */
  async flush(): Promise<void> {
    this.clearTimer();
    if (this.inFlight) await this.inFlight;
    if (this.pending !== null && !this.ended) await this.send();
  }

  /** Keeps and sends again what was typed: the server dropped its draft, as the item was submitted in another tab. */
  resend(): void {
    if (this.newest !== null) this.edit(this.newest.content);
  }

  /** Resolves when no request is on its way, so that a submitted text cannot be overtaken by a draft. */
  async settled(): Promise<void> {
    while (this.inFlight) await this.inFlight;
  }

  /** The text has been submitted: what waits is dropped, here and in the browser's copy. */
  async finish(): Promise<void> {
    this.ended = true;
    this.pending = null;
    this.newest = null;
    this.clearTimer();
    this.show("saved"); // what was typed is the outbox's to keep from here on
    await this.options.mirror.remove();
  }

  /** The page leaves the item: what waits is sent once more, the browser's copy stays until then. */
  leave(): void {
    this.clearTimer();
    if (this.pending !== null && !this.ended) void this.flush();
  }

  private request(content: Content, seq: number): DraftRequest<Content> {
    const activeMs = this.options.activeMs?.() ?? null;
    return { base_no: this.options.baseNo, seq, content, ...(activeMs === null ? {} : { active_ms: activeMs }) };
  }

  private schedule(ms: number): void {
    this.clearTimer();
    this.timer = setTimeout(() => {
      this.timer = null;
      if (!this.inFlight && this.pending !== null && !this.ended) void this.send();
    }, ms);
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async send(): Promise<void> {
    const content = this.pending;
    if (content === null) return;
    this.pending = null;
    this.show("saving");
    this.inFlight = this.deliver(content, this.seq);
    await this.inFlight;
  }

  private async deliver(content: Content, seq: number): Promise<void> {
    try {
      const answer = await this.options.put(this.request(content, seq));
      this.inFlight = null;
      this.attempts = 0;
      if (this.ended) return;
      if (answer.seq > seq && this.pending === null) {
        // Another window of the same person saved later. Typing here is newer still, so number
        // it above and send once more; the server never lets an older number win.
        this.seq = Math.max(this.seq, answer.seq) + 1;
        this.pending = content;
        this.schedule(0);
        return;
      }
      this.seq = Math.max(this.seq, answer.seq);
      this.options.onFindings(answer.findings, content);
      if (this.pending === null) {
        this.current = { phase: "saved", savedAt: answer.saved_at, failure: null };
        this.options.onState(this.current);
        await this.options.mirror.remove();
      } else {
        this.show("unsaved");
        this.schedule(this.options.debounceMs ?? DEBOUNCE_MS);
      }
    } catch (error) {
      this.inFlight = null;
      if (this.ended) return;
      this.pending ??= content; // newer typing replaces the content that was not sent
      const failure = failureOf(error);
      if (failure.kind === "retry") {
        this.attempts += 1;
        this.show("waiting", failure);
        this.schedule(backoffMs(this.attempts));
      } else {
        this.show(failure.kind, failure);
      }
    }
  }

  private show(phase: DraftPhase, failure: Failure | null = null): void {
    this.current = { phase, savedAt: this.current.savedAt, failure };
    this.options.onState(this.current);
  }
}
