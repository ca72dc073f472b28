/** The life cycle of a release as steps: done, current and next. */
import type { Release, ReleaseDetail } from "@/api/types";
import type { Tone } from "@/ui/Chip";

type ReleaseState = Release["state"];

/** The steps of every release; a withdrawn release stops here permanently. */
const STEPS = ["draft", "checked", "frozen", "published"] as const satisfies readonly ReleaseState[];

const TONES: Readonly<Partial<Record<ReleaseState, Tone>>> = {
  frozen: "good",
  published: "good",
  withdrawn: "bad",
};

export function toneOf(state: ReleaseState): Tone | undefined {
  return TONES[state];
}

interface Step {
  readonly state: ReleaseState;
  readonly status: "done" | "current" | "upcoming" | "skipped";
  /** When it was reached; null where it was not, or was left again. */
  readonly at: string | null;
}

type Dated = Pick<ReleaseDetail, "state" | "created_at" | "checked_at" | "frozen_at" | "published_at" | "withdrawn_at">;

/** Every step with its status. A withdrawn release shows how far it had come; steps that it never reached are listed, too. */
export function stepsOf(release: Dated): Step[] {
  const dates: Readonly<Record<ReleaseState, string | null>> = {
    draft: release.created_at,
    checked: release.checked_at,
    frozen: release.frozen_at,
    published: release.published_at,
    withdrawn: release.withdrawn_at,
  };
  if (release.state === "withdrawn") {
    const steps = STEPS.map((state): Step => {
      const at = dates[state];
      return { state, status: at === null ? "skipped" : "done", at };
    });
    return [...steps, { state: "withdrawn", status: "current", at: dates.withdrawn }];
  }
  const current = STEPS.indexOf(release.state);
  return STEPS.map((state, index): Step => {
    if (index > current) return { state, status: "upcoming", at: null };
    return { state, status: index === current ? "current" : "done", at: dates[state] };
  });
}

/** The operation that leads from a state to the next one. */
const NEXT: Readonly<Partial<Record<ReleaseState, string>>> = {
  draft: "release_check",
  checked: "release_freeze",
  frozen: "release_publish",
};

export function nextOf(release: Pick<Release, "state" | "available_actions">): string | null {
  const next = NEXT[release.state];
  return next !== undefined && release.available_actions.includes(next) ? next : null;
}

/** Whether a background job still runs; its page polls until it has ended. */
export function isRunning(job: ReleaseDetail["job"]): boolean {
  return job !== null && (job.state === "queued" || job.state === "running");
}

export function hasFailed(job: ReleaseDetail["job"]): boolean {
  return job?.state === "failed";
}

/** How far a job was, and when the server sent it (milliseconds). */
export interface JobProgress {
  readonly done: number;
  readonly at: number;
}

/**
 * Milliseconds until work of `total` steps ends at the pace seen so far; null while nothing has moved.
 *
 * `first` is the first progress that this page saw: a resumed job starts in the middle, so its own start gives no pace.
 */
export function timeLeft(first: JobProgress, now: JobProgress, total: number): number | null {
  const steps = now.done - first.done;
  if (steps <= 0 || now.at <= first.at) return null;
  return ((now.at - first.at) / steps) * Math.max(0, total - now.done);
}
