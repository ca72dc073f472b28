/** Where a file that was handed in stands. */
import type { Submission } from "@/api/types";
import type { Tone } from "@/ui/Chip";

export type Standing = "waiting" | "scoring" | "scored" | "refused" | "failed";

export const TONES: Readonly<Record<Standing, Tone | undefined>> = {
  waiting: undefined,
  scoring: "accent",
  scored: "good",
  refused: "warn",
  failed: "bad",
};

/** A job that ended without a result has failed: the file is kept, and nothing was said of it. */
export function standingOf({ state, job }: Pick<Submission, "state" | "job">): Standing {
  if (state !== "waiting") return state;
  if (job?.state === "failed") return "failed";
  return job?.state === "running" ? "scoring" : "waiting";
}

export function isOpen(of: Pick<Submission, "state" | "job">): boolean {
  const standing = standingOf(of);
  return standing === "waiting" || standing === "scoring";
}
