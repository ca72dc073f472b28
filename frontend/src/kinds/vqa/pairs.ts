/** The fields of a pair, in the order they are written. */
import type { WorkRules } from "@/api/types";
import { entryCount } from "../tree";

const NAMES = ["question", "answer"] as const;

interface PairField {
  readonly name: (typeof NAMES)[number];
  readonly path: string;
}

/** The fields of each pair. */
export function pairsOf(rules: WorkRules): PairField[][] {
  const count = entryCount(rules.content) ?? 0;
  return Array.from({ length: count }, (_, index) => NAMES.map((name) => ({ name, path: `pairs.${index}.${name}` })));
}
