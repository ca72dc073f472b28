/** Retrieval scores arranged for reading: direction, then how many of the first ranks count. */
import type { ReleaseScores } from "@/api/types";

export type SystemScores = ReleaseScores["systems"][number];
export type ScoreLine = SystemScores["metrics"][number];

export const SCOPES = ["t2i", "i2t"] as const;

/** "R@10" → 10; anything else sorts last. */
export function rankOf(metric: string): number {
  const found = /@(\d+)$/.exec(metric)?.[1];
  return found === undefined ? Number.MAX_SAFE_INTEGER : Number(found);
}

/** The metrics that any system has, in order of rank. */
export function metricsOf(systems: readonly SystemScores[]): string[] {
  const names = new Set(systems.flatMap((system) => system.metrics.map((line) => line.metric)));
  return [...names].sort((a, b) => rankOf(a) - rankOf(b));
}

export function lineOf(system: SystemScores, scope: string, metric: string): ScoreLine | null {
  return system.metrics.find((line) => line.scope === scope && line.metric === metric) ?? null;
}

export interface SortKey {
  readonly scope: string;
  readonly metric: string;
}

/** Best first; systems without the figure come last, in their own order. */
export function sortedBy(systems: readonly SystemScores[], key: SortKey): SystemScores[] {
  const value = (system: SystemScores) => lineOf(system, key.scope, key.metric)?.value ?? null;
  return [...systems].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) return (one === null ? 1 : 0) - (other === null ? 1 : 0);
    return other - one;
  });
}
