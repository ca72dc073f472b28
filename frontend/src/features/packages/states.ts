/** Package states in the order of their life cycle, and how they are coloured. */
import type { Package } from "@/api/types";
import type { Tone } from "@/ui/Chip";

export const STATES: readonly Package["state"][] = [
  "available",
  "assigned",
  "working",
  "handed_over",
  "reviewing",
  "inspecting",
  "returned",
  "passed",
  "withdrawn",
];

/** Green for finished, amber for returned; everything in progress has no colour. */
export function toneOf(state: string): Tone | undefined {
  if (state === "passed") return "good";
  if (state === "returned") return "warn";
  return undefined;
}

export function itemTone(state: string): Tone | undefined {
  if (state === "accepted") return "good";
  if (state === "returned" || state === "skipped") return "warn";
  return undefined;
}
