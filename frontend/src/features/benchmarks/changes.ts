/** Differences of two protocol versions, put in order for reading. */
import type { ProtocolChange, ProtocolEffect } from "@/api/types";

/** The parts of a protocol in the order in which pages show them. */
const PARTS = [
  "meta",
  "languages",
  "roles",
  "teams",
  "people",
  "consent",
  "taxonomy",
  "images",
  "kinds",
  "planned",
  "tracks",
  "release",
  "evaluation",
] as const;

type Part = (typeof PARTS)[number];

export function partOf(path: string): Part {
  const first = path.split(".")[0] ?? "";
  return PARTS.find((part) => part === first) ?? "meta";
}

export function byPart(changes: readonly ProtocolChange[]): [Part, ProtocolChange[]][] {
  return PARTS.map((part): [Part, ProtocolChange[]] => [part, changes.filter((change) => partOf(change.path) === part)]).filter(
    ([, inPart]) => inPart.length > 0,
  );
}

export function kindOf(change: ProtocolChange): "added" | "removed" | "changed" {
  if (change.before === null) return "added";
  return change.after === null ? "removed" : "changed";
}

export type EffectState = "ready" | "same" | "locked" | "stale";

/** Whether a checked text may become the next version of a protocol whose version `base` it was written on. */
export function effectState(effect: ProtocolEffect, base: number): EffectState {
  if (effect.is_same_text) return "same";
  if (effect.base_version !== base) return "stale";
  return effect.changes.some((change) => change.is_locked) ? "locked" : "ready";
}
