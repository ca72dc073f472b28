/** Turns uploads that are checked and described into numbered pictures. */
import { toApiError } from "@/api/errors";
import { RetryKey } from "@/api/retryKey";
import { canBeAdded, type Card, type Cards } from "./cards";
import type { Describing } from "./describing";
import { fingerprintOf, type UploadMemory } from "./memory";
import { BATCH_SIZE, type IntakeServer } from "./server";

export interface AcceptingOptions {
  server: Pick<IntakeServer, "take">;
  memory: Pick<UploadMemory, "forget">;
  /** Called when pictures were added. */
  onAccepted: () => void;
}

const RETRY_MS = 1_000;

export class Accepting {
  private readonly retryKey = new RetryKey();

  constructor(
    private readonly options: AcceptingOptions,
    private readonly cards: Cards,
    private readonly describing: Describing,
  ) {}

  async accept(): Promise<void> {
    if (this.cards.snapshot().isAccepting) return;
    this.cards.show({ isAccepting: true, problem: null });
    try {
      if (!(await this.describing.flush())) return;
      for (;;) {
        const ids = this.takeable().slice(0, BATCH_SIZE);
        if (ids.length === 0) return;
        await this.acceptBatch(ids);
      }
    } catch (problem) {
      this.cards.show({ problem: toApiError(problem) });
    } finally {
      this.cards.show({ isAccepting: false });
    }
  }

  private takeable(): string[] {
    return this.cards.all().flatMap((card) => (canBeAdded(card) && card.error === null ? (card.id ?? []) : []));
  }

  private async acceptBatch(ids: readonly string[]): Promise<void> {
    for (const { id, image, error } of await this.send(ids)) {
      const card = this.cards.byId(id);
      if (!card) continue;
      if (image) this.accepted(card, image);
      else if (error) this.cards.put({ ...card, error });
    }
    // An answer that leaves out an upload must not be requested again and again.
    const left = new Set(this.takeable());
    for (const id of ids) {
      const card = left.has(id) ? this.cards.byId(id) : undefined;
      if (card) this.cards.put({ ...card, error: { code: "not_found" } });
    }
    this.cards.show();
    this.options.onAccepted();
  }

  private accepted(card: Card, image: NonNullable<Card["image"]>): void {
    this.cards.put({ ...card, state: "taken", image, error: null });
    if (card.file) this.options.memory.forget(fingerprintOf(card.file));
  }

  /** Asks once more when an answer was lost; the client key makes that harmless. */
  private async send(ids: readonly string[]): ReturnType<IntakeServer["take"]> {
    const send = () => this.retryKey.send(ids, (key) => this.options.server.take(ids, key));
    try {
      return await send();
    } catch (problem) {
      if (!toApiError(problem).isPassing) throw problem;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return send();
    }
  }
}
