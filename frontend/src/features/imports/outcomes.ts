/** The outcomes of a row, and the state of an import. */
import type { Import } from "@/api/types";
import type { Tone } from "@/ui/Chip";
import { waitReason } from "@/ui/WaitReason";

export const OUTCOMES = ["refused", "made", "drafted", "unchanged"] as const;

export type Outcome = (typeof OUTCOMES)[number];

export const TONES: Readonly<Record<Outcome, Tone | undefined>> = {
  refused: "warn",
  made: "good",
  drafted: "accent",
  unchanged: undefined,
};

type Status = "waiting" | "waitingForSpace" | "counting" | "reading" | "done" | "nothing" | "failed";

export const STATUS_TONES: Readonly<Partial<Record<Status, Tone>>> = { waitingForSpace: "warn", done: "good", nothing: "warn", failed: "bad" };

/** The state of an import; the number of rows is unknown while they are counted. `nothing`: every row was rejected. */
export function statusOf({ job, finished_at, counts }: Pick<Import, "job" | "finished_at" | "counts">): Status {
  if (job?.state === "failed") return "failed";
  if (finished_at !== null || job?.state === "done") return counts.refused > 0 && counts.refused === counts.rows ? "nothing" : "done";
  if (waitReason(job) !== null) return "waitingForSpace";
  if (job === null || job.state === "queued") return "waiting";
  return job.total === null ? "counting" : "reading";
}

export function isUnfinished(of: Pick<Import, "job" | "finished_at" | "counts">): boolean {
  return ["waiting", "waitingForSpace", "counting", "reading"].includes(statusOf(of));
}
