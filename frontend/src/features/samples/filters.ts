/** The filters of a run's samples, as in the address. */
import type { PredictionResult } from "@/api/types";

export type Outcome = PredictionResult["outcome"];

export const OUTCOMES: readonly Outcome[] = ["right", "wrong", "scored", "unparsed", "refused", "failed", "missing"];
const THAN = ["better", "worse"] as const;

export interface View {
  outcome: Outcome | undefined;
  tag: string | undefined;
  value: string | undefined;
  against: number | undefined;
  than: (typeof THAN)[number] | undefined;
  overridden: boolean | undefined;
}

/** A tag counts with its value alone, and a comparison with its run alone. */
export function viewIn(search: URLSearchParams): View {
  const tag = search.get("tag") ?? "";
  const value = search.get("value");
  const against = Number(search.get("against")) || undefined;
  const hasTag = tag !== "" && value !== null;
  return {
    outcome: OUTCOMES.find((one) => one === search.get("outcome")),
    tag: hasTag ? tag : undefined,
    value: hasTag ? value : undefined,
    against,
    than: against === undefined ? undefined : (THAN.find((one) => one === search.get("than")) ?? "better"),
    overridden: search.get("overridden") === "true" || undefined,
  };
}

export function isNarrowed(view: View): boolean {
  return Object.values(view).some((one) => one !== undefined);
}
