/** One word for the state of everything the person has typed. */

import type { DraftPhase } from "./draftSaver";
import type { OutboxSnapshot } from "./outbox";

export type SaveStatus =
  | { readonly name: "saved" }
  | { readonly name: "saving" }
  | { readonly name: "offline"; readonly waiting: number }
  | { readonly name: "signed_out"; readonly waiting: number }
  | { readonly name: "refused"; readonly count: number }
  /** A newer guideline waits to be acknowledged; then they go out by themselves. */
  | { readonly name: "unconfirmed"; readonly count: number }
  | { readonly name: "conflict"; readonly count: number };

/**
 * What needs the person comes first (a conflict, a refusal, signing in), then what the browser
 * is busy with, then peace. `waiting` counts texts the server does not hold yet.
 */
export function saveStatus(draft: DraftPhase, outbox: OutboxSnapshot): SaveStatus {
  const conflicts = outbox.entries.filter((entry) => entry.state === "conflict").length + (draft === "stale" ? 1 : 0);
  if (conflicts > 0) return { name: "conflict", count: conflicts };
  const kept = outbox.entries.filter((entry) => entry.state === "refused");
  const unconfirmed = kept.filter((entry) => entry.failure?.code === "guideline_not_acknowledged").length;
  const refused = kept.length - unconfirmed + (draft === "refused" ? 1 : 0);
  if (refused > 0) return { name: "refused", count: refused };
  if (unconfirmed > 0) return { name: "unconfirmed", count: unconfirmed };
  const draftWaits = draft === "saved" ? 0 : 1;
  const waiting = outbox.waiting + draftWaits;
  if (draft === "signed_out" || outbox.phase === "signed_out") return { name: "signed_out", waiting };
  if (draft === "waiting" || outbox.phase === "offline") return { name: "offline", waiting };
  if (waiting > 0) return { name: "saving" };
  return { name: "saved" };
}

/** Whether closing the page now would leave text that the server has not acknowledged. */
export function isUnsent(draft: DraftPhase, outbox: OutboxSnapshot): boolean {
  return draft !== "saved" || outbox.entries.length > 0;
}
