/** What can become of a row, and where a file's reading stands. */
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

export type Standing = "waiting" | "counting" | "reading" | "done" | "failed";

/** Where a file's reading stands; while its rows are counted nobody knows yet how many there are. */
export function standingOf({ job, finished_at }: Pick<Import, "job" | "finished_at">): Standing {
  if (job?.state === "failed") return "failed";
  if (finished_at !== null || job?.state === "done") return "done";
  if (job === null || job.state === "queued") return "waiting";
  return job.total === null ? "counting" : "reading";
}

export function isOpen(of: Pick<Import, "job" | "finished_at">): boolean {
  const standing = standingOf(of);
  return standing !== "done" && standing !== "failed";
}
