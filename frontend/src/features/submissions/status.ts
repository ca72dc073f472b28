/** The state of a submission. */
import type { Submission } from "@/api/types";
import type { Tone } from "@/ui/Chip";
import { waitReason } from "@/ui/WaitReason";

type Status = "waiting" | "waitingForSpace" | "scoring" | "scored" | "refused" | "failed";

export const TONES: Readonly<Record<Status, Tone | undefined>> = {
  waiting: undefined,
  waitingForSpace: "warn",
  scoring: "accent",
  scored: "good",
  refused: "warn",
  failed: "bad",
};

/** A job that ended without a result has failed; its file is kept without a report. */
export function statusOf({ state, job }: Pick<Submission, "state" | "job">): Status {
  if (state !== "waiting") return state;
  if (job?.state === "failed") return "failed";
  if (waitReason(job) !== null) return "waitingForSpace";
  return job?.state === "running" ? "scoring" : "waiting";
}

export function isUnfinished(of: Pick<Submission, "state" | "job">): boolean {
  return ["waiting", "waitingForSpace", "scoring"].includes(statusOf(of));
}
