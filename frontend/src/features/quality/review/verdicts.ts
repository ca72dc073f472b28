/** Verdicts of a review, also on what was skipped. A correction is sent at once. */
import { useState } from "react";
import { call, newClientKey } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Entry } from "@/api/sendQueue";
import type { SheetItem } from "@/api/types";
import type { Content } from "@/kinds/kind";
import { useVerdictQueue } from "../verdictQueue";

type ReviewOutcome = "accept" | "return" | "agree" | "insist";

export interface ReviewVerdict {
  outcome: ReviewOutcome;
  revisionNo: number;
  /** The picture's version that was shown. */
  pictureNo: number;
  reasons: string[];
  comment: string;
}

/**
 * The verdict on the item's newest revision, given or not sent yet. Under review an item is "excluded" or
 * "returned" only because someone agreed that it be skipped, or wanted it written after all.
 */
export function decisionOf(item: SheetItem, entry: Entry<ReviewVerdict> | undefined): string | null {
  if (entry) return entry.work.outcome;
  if (item.review) return item.review.outcome;
  if (item.state === "excluded") return "agree";
  return item.state === "returned" ? "insist" : null;
}

/** What is sent for a verdict, and the item as it is afterwards. */
async function sendVerdict(item: SheetItem, { work, key }: Entry<ReviewVerdict>): Promise<SheetItem> {
  const { outcome, revisionNo, pictureNo, reasons, comment } = work;
  const path = { id: item.id };
  if (outcome === "agree" || outcome === "insist") {
    const body = { agree: outcome === "agree", reasons, comment, client_key: key };
    const answer = await call("item_skip_decide", { path, body }, { keepalive: true });
    return "id" in answer ? answer : { ...item, state: answer.state };
  }
  const body = { outcome, revision_no: revisionNo, picture_no: pictureNo, reasons, comment, client_key: key };
  return call("item_review", { path, body }, { keepalive: true });
}

/** `find` gives the item as the page has it; `put` takes the answer. */
export function useReviewVerdicts(find: (id: number) => SheetItem | undefined, put: (item: SheetItem) => void) {
  const [correcting, setCorrecting] = useState(false);
  const [correctError, setCorrectError] = useState<ApiError | null>(null);
  const { queue, verdictOn } = useVerdictQueue<ReviewVerdict>(async (entry) => {
    const item = find(Number(entry.subject));
    if (item) put(await sendVerdict(item, entry));
  });

  /** True when the server has accepted the correction. */
  async function correct(item: SheetItem, content: Content, overrides: Record<string, string>): Promise<boolean> {
    setCorrecting(true);
    setCorrectError(null);
    try {
      // A verdict that was not sent gives way to the correction; one that is being sent is answered first.
      await queue.withdraw(item.id);
      const body = {
        outcome: "correct" as const,
        revision_no: item.revision_no,
        picture_no: item.image.redaction_no,
        reasons: [],
        comment: "",
        content,
        overrides,
        client_key: newClientKey(),
      };
      put(await call("item_review", { path: { id: item.id }, body }));
      return true;
    } catch (error) {
      setCorrectError(toApiError(error));
      return false;
    } finally {
      setCorrecting(false);
    }
  }
  return {
    queue,
    verdictOn,
    correct,
    correcting,
    correctError,
    forgetError: () => setCorrectError(null),
  };
}
