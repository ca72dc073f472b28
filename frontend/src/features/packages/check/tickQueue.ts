/** Sends self-check ticks in small groups, one request at a time, each naming the package's newest revision. */
import { newClientKey } from "@/api/client";
import { SendQueue } from "@/api/sendQueue";

export interface Tick {
  readonly id: number;
  /** The revision that was read; 0 takes the tick back. */
  readonly revision_no: number;
}

interface TickOptions {
  revision: number;
  /** Resolves with the package's new revision. */
  send: (revision: number, items: readonly Tick[], key: string) => Promise<number>;
  newKey?: () => string;
}

/** Pause in which further ticks join a request, in milliseconds. */
const GATHER_MS = 250;

export class TickQueue extends SendQueue<Tick> {
  private revision: number;

  constructor({ revision, send, newKey = newClientKey }: TickOptions) {
    super({
      send: async (entries) => {
        this.revision = await send(this.revision, entries.map(({ work }) => work), newKey());
        return entries.map(() => ({ answer: null, error: null }));
      },
      holdMs: GATHER_MS,
      togetherMs: Infinity,
      batchSize: Infinity,
      // A tick is right for one revision only, so that a failed one is not repeated: the sheet is read again.
      retryMs: () => null,
      // The last tick of an item counts, also while an earlier one is being sent.
      merge: (_, later) => later,
    });
    this.revision = revision;
  }

  /** The package's newest revision that is known here. */
  get packageRevision(): number {
    return this.revision;
  }

  /** The package was fetched again. */
  rebase(revision: number): void {
    this.revision = revision;
  }

  tick(item: Tick): void {
    const last = this.snapshot().entries.findLast(({ subject }) => subject === item.id);
    if (last?.work.revision_no !== item.revision_no) this.add([[item.id, item]]);
  }
}
