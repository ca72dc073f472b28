/** The fields of a pair, in the order they are written. */
import type { WorkRules } from "@/api/types";
import { rulesOf } from "../kind";

const NAMES = ["question", "answer"] as const;

interface PairField {
  readonly name: (typeof NAMES)[number];
  readonly path: string;
}

/** The fields of each pair. */
export function pairsOf(rules: WorkRules): PairField[][] {
  const { slots } = rulesOf(rules, "vqa");
  return Array.from({ length: slots }, (_, slot) => NAMES.map((name) => ({ name, path: `pairs.${slot}.${name}` })));
}
