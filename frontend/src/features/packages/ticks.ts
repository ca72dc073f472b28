/** Sends self-check ticks in small groups, one request at a time, each naming the package's newest revision. */
import { toApiError, type ApiError } from "@/api/errors";

export interface Tick {
  readonly id: number;
  /** The revision that was read; 0 takes the tick back. */
  readonly revision_no: number;
}

function isSame(one: Tick, other: Tick): boolean {
  return one.id === other.id && one.revision_no === other.revision_no;
}

export interface TickAnswer {
  readonly revision: number;
}

export interface TickOptions<Answer extends TickAnswer> {
  revision: number;
  send: (revision: number, items: readonly Tick[]) => Promise<Answer>;
  onAnswer: (answer: Answer) => void;
  /** The ticks of the failed request come back with the error. */
  onFailure: (error: ApiError, items: readonly Tick[]) => void;
  onPending: (items: readonly Tick[]) => void;
}

/** Pause in which further ticks join a request, in milliseconds. */
const GATHER_MS = 250;

export class TickSender<Answer extends TickAnswer> {
  private readonly options: TickOptions<Answer>;
  private revision: number;
  private waiting: Tick[] = [];
  private sending: readonly Tick[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private running: Promise<void> | null = null;

  constructor(options: TickOptions<Answer>) {
    this.options = options;
    this.revision = options.revision;
  }

  /** The package was fetched anew. */
  rebase(revision: number): void {
    this.revision = revision;
  }

  tick(item: Tick): void {
    if ([...this.waiting, ...this.sending].some((known) => isSame(known, item))) return;
    // The last word on an item counts: ticking and taking back within one pause is one request.
    this.waiting = this.waiting.filter((known) => known.id !== item.id);
    this.waiting.push(item);
    this.tellPending();
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  /** Sends what waits; resolves when the server has answered to all of it. */
  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    while (this.running) await this.running;
    if (this.waiting.length === 0) return;
    this.running = this.deliver();
    await this.running;
  }

  private async deliver(): Promise<void> {
    this.sending = this.waiting;
    this.waiting = [];
    const items = this.sending;
    try {
      const answer = await this.options.send(this.revision, items);
      this.revision = answer.revision;
      this.sending = [];
      this.options.onAnswer(answer);
    } catch (error) {
      this.sending = [];
      this.options.onFailure(toApiError(error), items);
    } finally {
      this.running = null;
      this.tellPending();
    }
  }

  private tellPending(): void {
    this.options.onPending([...this.sending, ...this.waiting]);
  }
}
