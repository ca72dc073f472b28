/** Asks how the server's checks of uploads go, until they are done. */
import { toApiError } from "@/api/errors";
import { signals } from "@/api/signals";
import type { UploadRow } from "@/api/types";
import type { Cards, Descriptions } from "./cards";
import type { IntakeServer } from "./server";

/** Uploads in one request. */
const BATCH_SIZE = 50;
const POLL_MS = 1_500;

export class Checking {
  /** Index of the first upload, among those being checked, of the next request. */
  private next = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isStopped = false;

  constructor(
    private readonly server: Pick<IntakeServer, "open" | "rows">,
    private readonly cards: Cards,
    private readonly descriptions: Descriptions,
    private readonly pollMs = POLL_MS,
  ) {}

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Reads all uploads that are neither added nor dropped. */
  async reload(): Promise<void> {
    const asOf = this.descriptions.version;
    const { rows, worker } = await this.server.open();
    this.cards.show({ worker });
    this.cards.learn(rows, this.descriptions, asOf);
    this.watch();
  }

  /** Asks again in a while if anything is being checked. */
  watch(): void {
    if (this.isStopped || signals.snapshot().signedOut || this.timer !== null || this.checked().length === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.poll();
    }, this.pollMs);
  }

  private checked(): string[] {
    return this.cards.all().flatMap(({ state, id }) => (state === "checking" && id !== null ? [id] : []));
  }

  /** The files in an archive come as uploads of their own, a few at a time: the next once the last ones are checked. */
  private mayBringEntries(rows: readonly UploadRow[]): boolean {
    const archives = rows.filter(({ kind }) => kind === "zip");
    if (archives.some(({ state }) => state !== "checking")) return true;
    return archives.length > 0 && this.checked().every((id) => this.cards.byId(id)?.row?.kind === "zip");
  }

  private async poll(): Promise<void> {
    const ids = this.checked();
    const asOf = this.descriptions.version;
    try {
      // In turn, so that slow files do not keep the others from being requested.
      const from = this.next < ids.length ? this.next : 0;
      const some = ids.slice(from, from + BATCH_SIZE);
      this.next = from + BATCH_SIZE;
      const { rows, worker } = await this.server.rows(some);
      this.cards.show({ worker });
      this.cards.learn(rows, this.descriptions, asOf);
      const answered = new Set(rows.map(({ id }) => id));
      for (const id of some) {
        const card = this.cards.byId(id);
        if (card && !answered.has(id)) this.cards.update(card.key, { state: "failed", error: { code: "not_found" } });
      }
      if (this.mayBringEntries(rows)) await this.reload();
    } catch (problem) {
      const error = toApiError(problem);
      if (!error.isPassing && error.status !== 401) this.cards.show({ problem: error });
    }
    this.watch();
  }
}
