/** The rule that packages are built by, as typed into the form, and what of it is not usable. */
import type { BuildRule } from "@/api/types";

export const MIXES = ["shuffled", "spread", "single"] as const;
export type Mix = (typeof MIXES)[number];

export interface RuleForm {
  kind: string;
  size: string;
  mix: Mix;
  categories: readonly string[];
  maximum: string;
  seed: string;
  completeOnly: boolean;
  assignees: readonly number[];
}

export type Wrong = "size" | "maximum" | "seed";

const LARGEST_SIZE = 1_000;
const LARGEST_MAXIMUM = 10_000;

function whole(text: string, from: number, to: number): number | null | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value >= from && value <= to ? value : null;
}

/** A seed for the order: chosen here, so that what the preview shows is what is built. */
export function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** What is sent, or the names of the fields that hold no usable number. */
export function ruleOf(form: RuleForm): { rule: BuildRule; wrong: readonly [] } | { rule: null; wrong: readonly Wrong[] } {
  const size = whole(form.size, 1, LARGEST_SIZE);
  const maximum = whole(form.maximum, 1, LARGEST_MAXIMUM);
  const seed = whole(form.seed, 0, Number.MAX_SAFE_INTEGER);
  if (size === null || maximum === null || seed === null || seed === undefined) {
    const wrong: Wrong[] = [];
    if (size === null) wrong.push("size");
    if (maximum === null) wrong.push("maximum");
    if (seed === null || seed === undefined) wrong.push("seed");
    return { rule: null, wrong };
  }
  return {
    rule: {
      kind: form.kind,
      mix: form.mix,
      seed,
      complete_only: form.completeOnly,
      ...(size === undefined ? {} : { size }),
      ...(maximum === undefined ? {} : { maximum }),
      ...(form.categories.length === 0 ? {} : { categories: [...form.categories] }),
      ...(form.assignees.length === 0 ? {} : { assignees: [...form.assignees] }),
    },
    wrong: [],
  };
}
