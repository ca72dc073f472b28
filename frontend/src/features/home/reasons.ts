/** What the items of a returned package say about why. */
import type { WorkItem } from "@/api/types";

/** Comments quoted on the home page; the rest stands with its item. */
const QUOTED = 2;

export function sentBackReasons(items: readonly Pick<WorkItem, "returned">[]): {
  number: number;
  reasons: { code: string; n: number }[];
  words: string[];
} {
  const returned = items.flatMap((item) => item.returned ?? []);
  const counts = new Map<string, number>();
  for (const code of returned.flatMap((one) => one.reasons)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const reasons = [...counts].map(([code, n]) => ({ code, n })).sort((a, b) => b.n - a.n);
  const words = [...new Set(returned.map((one) => one.comment).filter((one) => one !== ""))].slice(0, QUOTED);
  return { number: returned.length, reasons, words };
}
