/** The states of calls to models, and how they look. */
import type { CallRow } from "@/api/types";
import type { Tone } from "@/ui/Chip";

type CallState = CallRow["state"];

export const CALL_STATES = ["sent", "answered", "refused", "failed", "unknown"] as const satisfies readonly CallState[];

export const TONES: Readonly<Record<CallState, Tone | undefined>> = {
  sent: "accent",
  answered: "good",
  refused: "warn",
  failed: "bad",
  unknown: "warn",
};

/** A call whose holder is gone will count as in doubt, so it is shown as that already. */
export function shownState(call: Pick<CallRow, "state" | "lost">): CallState {
  return call.lost ? "unknown" : call.state;
}
