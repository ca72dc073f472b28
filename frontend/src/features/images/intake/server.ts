/** What an intake asks of the server. */
import type { Refusal } from "@/api/sendQueue";
import type { UploadDetails, UploadRow } from "@/api/types";
import type { IntakeView } from "./cards";

interface Uploads {
  rows: UploadRow[];
  worker: IntakeView["worker"];
}

export interface IntakeServer {
  /** All uploads of the person that are neither added nor dropped. */
  open: () => Promise<Uploads>;
  rows: (ids: readonly string[]) => Promise<Uploads>;
  describe: (ids: readonly string[], details: UploadDetails) => Promise<UploadRow[]>;
  take: (
    ids: readonly string[],
    clientKey: string,
  ) => Promise<{ id: string; image: { id: number; label: string } | null; error: Refusal | null }[]>;
  drop: (id: string) => Promise<void>;
}

/** Uploads described or added in one request, the server's limit. */
export const BATCH_SIZE = 200;
/** Milliseconds until something that failed is tried again by itself. */
export const RETRY_MS = 10_000;
