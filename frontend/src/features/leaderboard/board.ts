/** A leaderboard's numbers arranged for reading: direction, how many of the first ranks count, groups and their gap. */
import type { Answer } from "@/api/request";

export type Leaderboard = Answer<"leaderboard_show">;
export type BoardSystem = Leaderboard["systems"][number];
export type Cell = BoardSystem["scores"][number];
type Gap = BoardSystem["gaps"][number];

export const SCOPES = ["t2i", "i2t"] as const;
export type Scope = (typeof SCOPES)[number];

export function scopeOf(word: string | null | undefined): Scope {
  return word === "i2t" ? "i2t" : "t2i";
}

/** "R@10" → 10; anything else sorts last. */
export function depthOf(metric: string): number {
  const depth = /@(\d+)$/.exec(metric)?.[1];
  return depth === undefined ? Number.MAX_SAFE_INTEGER : Number(depth);
}

/** The asked metric where the board has it, else its first. */
export function metricOf(board: Leaderboard, word: string | undefined): string {
  return board.metrics.find((metric) => metric === word) ?? board.metrics[0] ?? "";
}

/** One figure of a system; over everything when no group is named. */
export function cellOf(system: BoardSystem, scope: string, metric: string, groupBy = "", group = ""): Cell | null {
  return (
    system.scores.find(
      (one) => one.scope === scope && one.metric === metric && one.group_by === groupBy && one.group === group,
    ) ?? null
  );
}

export function gapOf(system: BoardSystem, scope: string, metric: string, groupBy: string): Gap | null {
  return system.gaps.find((one) => one.scope === scope && one.metric === metric && one.group_by === groupBy) ?? null;
}

/** Best first; systems without the figure come last, in their own order. */
export function ranked(systems: readonly BoardSystem[], scope: string, metric: string): BoardSystem[] {
  const value = (system: BoardSystem) => cellOf(system, scope, metric)?.value ?? null;
  return [...systems].sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) return (one === null ? 1 : 0) - (other === null ? 1 : 0);
    return other - one;
  });
}

const NICE = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1] as const;

/** Where a scale of whiskers that all of these share ends: the next round share above all of them. */
export function scaleTo(cells: readonly (Pick<Cell, "value" | "high"> | null)[]): number {
  const most = Math.max(0, ...cells.map((cell) => cell?.high ?? cell?.value ?? 0));
  return NICE.find((end) => end >= most - 1e-9) ?? 1;
}

/** Other metrics and directions follow one another in a circle. */
export function after<Value>(values: readonly Value[], value: Value): Value | undefined {
  return values[(values.indexOf(value) + 1) % values.length];
}
