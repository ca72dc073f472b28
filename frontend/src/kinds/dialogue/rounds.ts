/** The fields of a round, in the order they are written. */
import type { WorkRules } from "@/api/types";
import { entryCount } from "../tree";

const NAMES = ["question", "answer"] as const;

interface RoundField {
  readonly name: (typeof NAMES)[number];
  readonly path: string;
}

/** The fields of each round. */
export function roundsOf(rules: WorkRules): RoundField[][] {
  const count = entryCount(rules.content) ?? 0;
  return Array.from({ length: count }, (_, index) => NAMES.map((name) => ({ name, path: `rounds.${index}.${name}` })));
}
