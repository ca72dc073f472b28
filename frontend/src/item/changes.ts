import type { WorkRules } from "@/api/types";
import type { Content } from "@/kinds/kind";
import { merge, type Part } from "@/kinds/tree";

/** The fields of two versions: those that differ, and how many are the same. */
export function changesOf(rules: WorkRules, before: Content, after: Content): { changed: Part[]; same: number } {
  const parts = merge(rules.content, before, before, after);
  const changed = parts.filter(({ verdict }) => verdict !== "same");
  return { changed, same: parts.length - changed.length };
}
