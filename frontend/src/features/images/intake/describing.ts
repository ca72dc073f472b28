/** Sends the contributor's details of many pictures at once; those of files not started yet are sent when they start. */
import { toApiError } from "@/api/errors";
import { SendQueue } from "@/api/sendQueue";
import type { UploadDetails } from "@/api/types";
import type { Cards, Descriptions } from "./cards";
import { changes, withDetails } from "./details";
import { BATCH_SIZE, RETRY_MS, type IntakeServer } from "./server";

/** Pause in which equal details join a request, in milliseconds. */
const GATHER_MS = 60;

export class Describing implements Descriptions {
  version = 0;
  private hasFailed = false;
  private readonly queue: SendQueue<UploadDetails>;

  constructor(
    private readonly server: Pick<IntakeServer, "describe" | "rows">,
    private readonly cards: Cards,
    /** The details that a picture still needs. */
    readonly missing: (details: UploadDetails) => string[],
  ) {
    this.queue = new SendQueue<UploadDetails>({
      send: async (entries) => {
        await this.send(entries.flatMap(({ subject }) => this.idOf(subject) ?? []), entries[0]?.work ?? {});
        return entries.map(() => ({ answer: null, error: null }));
      },
      holdMs: GATHER_MS,
      togetherMs: Infinity,
      batchSize: BATCH_SIZE,
      fits: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      canSend: ({ subject }) => this.idOf(subject) !== null,
      retryMs: (error) => (error.isPassing ? RETRY_MS : null),
      merge: withDetails,
    });
  }

  /** Whether the server lacks details that were entered here. */
  get isBusy(): boolean {
    return this.queue.unsent() > 0;
  }

  /** Sets the touched details of many cards; the others keep their values. */
  describe(keys: readonly string[], touched: UploadDetails): void {
    const given = changes(touched);
    if (Object.keys(given).length === 0) return;
    const described: string[] = [];
    for (const key of keys) {
      const card = this.cards.get(key);
      if (!card || card.state === "taken" || card.state === "refused") continue;
      const details = withDetails(card.details, given);
      this.cards.put({ ...card, details, missing: this.missing(details), error: card.state === "ready" ? null : card.error });
      described.push(key);
    }
    this.cards.show();
    this.queue.add(described.map((key) => [key, given]));
  }

  pendingOn(key: string): UploadDetails | null {
    return this.queue.snapshot().entries.find(({ subject, state }) => subject === key && state !== "sending")?.work ?? null;
  }

  /** Gives a card that takes another's place the details that were not sent, and those in `all`. */
  move(from: string, to: string, all: UploadDetails = {}): void {
    const details = withDetails(withDetails(all, this.pendingOn(from) ?? {}), this.pendingOn(to) ?? {});
    this.forget(from);
    if (Object.keys(details).length > 0) this.queue.add([[to, details]]);
  }

  forget(key: string): void {
    this.queue.drop(key);
  }

  /** Uploads may have started on the server, so that their details can be sent. */
  wake(): void {
    this.queue.wake();
  }

  /** Sends all details now; false when the server does not have all it could. */
  async flush(): Promise<boolean> {
    this.hasFailed = false;
    return (await this.queue.flush()) && !this.hasFailed;
  }

  stop(): void {
    this.queue.stop();
  }

  private idOf(subject: string | number): string | null {
    return this.cards.get(String(subject))?.id ?? null;
  }

  private async send(ids: readonly string[], details: UploadDetails): Promise<void> {
    this.version += 1;
    try {
      const rows = await this.server.describe(ids, details);
      this.hasFailed = false;
      this.cards.show({ problem: null });
      this.cards.learn(rows, this, this.version);
    } catch (reason) {
      const problem = toApiError(reason);
      this.hasFailed = true;
      // Details that the server refused are not shown as if it had them.
      if (!problem.isPassing) this.cards.learn((await this.server.rows(ids)).rows, this, this.version);
      this.cards.show({ problem });
      throw problem;
    }
  }
}
