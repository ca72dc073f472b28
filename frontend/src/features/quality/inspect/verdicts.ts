/** Verdicts of an inspection: held for undo, then sent. */
import { call } from "@/api/client";
import type { Answer } from "@/api/operations";
import type { InspectionItem } from "@/api/types";
import type { Held } from "../heldVerdicts";
import { useHeldVerdicts } from "../useHeldVerdicts";

export interface InspectVerdict {
  outcome: "right" | "wrong";
  revisionNo: number;
  reasons: string[];
  comment: string;
}

/** What was judged, as far as a card shows it. */
export type GivenVerdict = Pick<NonNullable<InspectionItem["inspection_verdict"]>, "outcome" | "reasons" | "comment"> | null;

/** A verdict given or still held; what an inspection does not call wrong is right. */
export function decisionOf(given: GivenVerdict, held: Held<InspectVerdict> | undefined): "right" | "wrong" | null {
  if (held) return held.verdict.outcome;
  if (given === null) return null;
  return given.outcome === "wrong" ? "wrong" : "right";
}

export function useInspectVerdicts(put: (item: Answer<"item_inspect">) => void) {
  return useHeldVerdicts<InspectVerdict>(async ({ itemId, verdict, key }) => {
    const body = {
      outcome: verdict.outcome,
      revision_no: verdict.revisionNo,
      reasons: verdict.reasons,
      comment: verdict.comment,
      client_key: key,
    };
    put(await call("item_inspect", { path: { id: itemId }, body }, { keepalive: true }));
  });
}
