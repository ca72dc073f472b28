/**
 * Sends an import in batches. A batch is imported whole or not at all; a refused one is reported row by row and the
 * others continue. Without a connection the run rests, and continues with the same key, so that nothing is made twice.
 */
import { toApiError, type ApiError } from "@/api/errors";
import { Store } from "@/store/store";
import type { ImportRow } from "./rows";

export const BATCH = 1_000;

export interface RowReport {
  line: number;
  image: string;
  code: string;
  params: Readonly<Record<string, unknown>>;
}

export interface ImportState {
  readonly total: number;
  /** Rows of batches that were answered. */
  readonly answered: number;
  readonly made: number;
  readonly existing: number;
  readonly refused: number;
  readonly reports: readonly RowReport[];
  readonly state: "idle" | "running" | "resting" | "stopped" | "done";
  /** Why the run rests, or why a batch was refused as a whole. */
  readonly error: ApiError | null;
}

interface ImportOptions {
  rows: readonly ImportRow[];
  send: (rows: { image: string; slot: number }[], key: string) => Promise<{ made: number; existing: number }>;
  newKey: () => string;
}

interface Batch {
  readonly rows: readonly ImportRow[];
  readonly key: string;
}

interface ServerRow {
  row: number;
  code: string;
  params?: Record<string, unknown>;
}

export class ImportRun extends Store<ImportState> {
  private readonly options: ImportOptions;
  private readonly batches: readonly Batch[];
  private next = 0;

  constructor(options: ImportOptions) {
    const { rows, newKey } = options;
    super({ total: rows.length, answered: 0, made: 0, existing: 0, refused: 0, reports: [], state: "idle", error: null });
    this.options = options;
    this.batches = Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) => ({
      rows: rows.slice(index * BATCH, (index + 1) * BATCH),
      key: newKey(),
    }));
  }

  /** Begins, or continues where it rested. */
  async run(): Promise<void> {
    if (this.snapshot().state === "running") return;
    this.patch({ state: "running", error: null });
    for (;;) {
      const batch = this.batches[this.next];
      if (batch === undefined) {
        this.patch({ state: "done" });
        return;
      }
      try {
        const rows = batch.rows.map(({ image, slot }) => ({ image, slot: slot ?? 0 }));
        const answer = await this.options.send(rows, batch.key);
        this.count(batch, answer.made, answer.existing);
      } catch (reason) {
        const error = toApiError(reason);
        if (error.code === "rows_refused") this.refuse(batch, error);
        else {
          this.patch({ state: "resting", error });
          return;
        }
      }
      this.next += 1;
      if (this.isStopped()) return;
    }
  }

  /** Sends no further batch; the one on its way is answered. */
  stop(): void {
    if (this.snapshot().state === "running" || this.snapshot().state === "resting") this.patch({ state: "stopped" });
  }

  private isStopped(): boolean {
    return this.snapshot().state === "stopped";
  }

  private count(batch: Batch, made: number, existing: number): void {
    const now = this.snapshot();
    this.patch({ answered: now.answered + batch.rows.length, made: now.made + made, existing: now.existing + existing });
  }

  private refuse(batch: Batch, error: ApiError): void {
    const named = Array.isArray(error.params.rows) ? (error.params.rows as ServerRow[]) : [];
    const reports = named.flatMap(({ row, code, params }) => {
      const source = batch.rows[row - 1];
      return source ? [{ line: source.line, image: source.image, code, params: params ?? {} }] : [];
    });
    const now = this.snapshot();
    this.patch({
      answered: now.answered + batch.rows.length,
      refused: now.refused + batch.rows.length,
      reports: [...now.reports, ...reports],
    });
  }
}
