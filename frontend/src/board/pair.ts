/** Which two rows of a board are compared. */
import type { ProfileBoard } from "@/api/types";
import type { Filters } from "@/ui/useFilters";

export interface Pair {
  one: string;
  other: string;
}

/** The rows that the address names, else the best two that differ; null with fewer than two that can be compared. */
export function pairOf(board: ProfileBoard | undefined, filters: Pick<Filters, "get">): Pair | null {
  const keys = (board?.rows ?? []).filter((row) => row.is_comparable).map((row) => row.key);
  const chosen = (name: string) => keys.find((key) => key === filters.get(name));
  const one = chosen("row_one") ?? keys.find((key) => key !== chosen("row_other"));
  const other = chosen("row_other") ?? keys.find((key) => key !== one);
  return one === undefined || other === undefined ? null : { one, other };
}

type Verdict = "one" | "other" | "unclear";

/** Who is ahead, if the interval of the difference (one − other) leaves out zero. */
export function verdictOf(comparison: { low: number | null; high: number | null }): Verdict {
  if (comparison.low !== null && comparison.low > 0) return "one";
  if (comparison.high !== null && comparison.high < 0) return "other";
  return "unclear";
}
