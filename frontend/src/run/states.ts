/** Groups and tones of run states, and how often to poll. */
import type { Tone } from "@/ui/Chip";
import type { Run } from "@/api/types";

export type RunStatus = Run["status"];

export const TONES: Readonly<Record<RunStatus, Tone | undefined>> = {
  queued: undefined,
  no_worker: "warn",
  running: undefined,
  silent: "warn",
  paused: "warn",
  cancelled: undefined,
  failed: "bad",
  done: "good",
};

const MOVING: readonly RunStatus[] = ["queued", "no_worker", "running", "silent"];

/** Groups of states that the list can be narrowed to by its address. */
export const GROUPS = {
  active: ["queued", "no_worker", "running", "silent", "paused"],
  failed: ["failed"],
  ended: ["done", "cancelled"],
} as const satisfies Readonly<Record<string, readonly RunStatus[]>>;

export type Group = keyof typeof GROUPS;

export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

export function isIn(run: Pick<Run, "status">, group: Group | undefined): boolean {
  return group === undefined || (GROUPS[group] as readonly RunStatus[]).includes(run.status);
}

/** Milliseconds until the next poll: often while a run can change without the person, else seldom. */
export function pollAfter(runs: readonly Pick<Run, "status">[]): number {
  return runs.some((run) => MOVING.includes(run.status)) ? 2_000 : 15_000;
}

/** How many inputs were not tried yet; those that failed are among the tried ones. */
export function remainingOf(run: Pick<Run, "expected" | "done">): number {
  return Math.max(0, run.expected - run.done);
}
