/** Collects why the items of a package were returned. */
import type { WorkItem } from "@/api/types";

/** How many comments the home page quotes; all are with their items. */
const QUOTED = 2;

export function returnReasons(items: readonly Pick<WorkItem, "returned">[]): {
  number: number;
  reasons: { code: string; n: number }[];
  comments: string[];
} {
  const returned = items.flatMap((item) => item.returned ?? []);
  const counts = new Map<string, number>();
  for (const code of returned.flatMap((one) => one.reasons)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const reasons = [...counts].map(([code, n]) => ({ code, n })).sort((a, b) => b.n - a.n);
  const comments = [...new Set(returned.map((one) => one.comment).filter((one) => one !== ""))].slice(0, QUOTED);
  return { number: returned.length, reasons, comments };
}
