/** The states of calls to models, and how they look. */
import type { TFunction } from "i18next";
import type { CallRow } from "@/api/types";
import type { Tone } from "@/ui/Chip";

type CallState = CallRow["state"];

export const CALL_STATES = ["sent", "answered", "refused", "failed", "unknown"] as const satisfies readonly CallState[];

/** Milliseconds between two looks at calls that are in progress. */
export const REFRESH_MS = 3000;

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

/** Why a call has no reply, in the reader's words; empty if it has one or is in progress. */
export function endingText(t: TFunction, call: Pick<CallRow, "code" | "server">): string {
  if (call.code === "") return "";
  const status = call.code.startsWith("http_") ? call.code.slice("http_".length) : "";
  const keys = [status === "" ? `calls:ending.${call.code}` : "calls:ending.http", `errors:${call.code}`, "errors:unknown"];
  return t(keys, { status, server: call.server, reason: "", code: call.code, detail: "" });
}
