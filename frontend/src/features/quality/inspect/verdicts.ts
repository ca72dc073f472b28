/** Verdicts of an inspection. */
import { call } from "@/api/client";
import type { Answer } from "@/api/request";
import type { Entry } from "@/api/sendQueue";
import type { InspectionItem } from "@/api/types";
import { useVerdictQueue } from "../verdictQueue";

export interface InspectVerdict {
  outcome: "right" | "wrong";
  revisionNo: number;
  /** The picture's version that was shown. */
  pictureNo: number;
  reasons: string[];
  comment: string;
}

/** The verdict as a card shows it. */
export type GivenVerdict = Pick<NonNullable<InspectionItem["inspection_verdict"]>, "outcome" | "reasons" | "comment"> | null;

/** A verdict given or not sent yet; what an inspection does not call wrong is right. */
export function decisionOf(given: GivenVerdict, entry: Entry<InspectVerdict> | undefined): "right" | "wrong" | null {
  if (entry) return entry.work.outcome;
  if (given === null) return null;
  return given.outcome === "wrong" ? "wrong" : "right";
}

interface VerdictBody {
  outcome: "right" | "wrong";
  revision_no: number;
  picture_no: number;
  reasons: string[];
  comment: string;
  client_key: string;
}

/** Sends the verdict on an item, and takes what the server answers. */
export type SendVerdict = (id: number, body: VerdictBody) => Promise<void>;

/** Verdicts of inspectors on items of packages; `put` takes the item as it is after its verdict. */
export function inspecting(put: (item: Answer<"item_inspect">) => void): SendVerdict {
  return async (id, body) => put(await call("item_inspect", { path: { id }, body }, { keepalive: true }));
}

export function useInspectVerdicts(send: SendVerdict) {
  return useVerdictQueue<InspectVerdict>(({ subject, work: verdict, key }) =>
    send(Number(subject), {
      outcome: verdict.outcome,
      revision_no: verdict.revisionNo,
      picture_no: verdict.pictureNo,
      reasons: verdict.reasons,
      comment: verdict.comment,
      client_key: key,
    }),
  );
}
