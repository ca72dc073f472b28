/** The outcomes of a row, and the state of an import. */
import type { Import } from "@/api/types";
import type { Tone } from "@/ui/Chip";

export const OUTCOMES = ["refused", "made", "drafted", "unchanged"] as const;

export type Outcome = (typeof OUTCOMES)[number];

export const TONES: Readonly<Record<Outcome, Tone | undefined>> = {
  refused: "warn",
  made: "good",
  drafted: "accent",
  unchanged: undefined,
};

type Status = "waiting" | "counting" | "reading" | "done" | "failed";

/** The state of an import; the number of rows is unknown while they are counted. */
export function statusOf({ job, finished_at }: Pick<Import, "job" | "finished_at">): Status {
  if (job?.state === "failed") return "failed";
  if (finished_at !== null || job?.state === "done") return "done";
  if (job === null || job.state === "queued") return "waiting";
  return job.total === null ? "counting" : "reading";
}

export function isUnfinished(of: Pick<Import, "job" | "finished_at">): boolean {
  const status = statusOf(of);
  return status !== "done" && status !== "failed";
}
