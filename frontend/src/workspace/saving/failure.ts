/** What a failed write means for the text it carried. */

/**
 * - `retry`: the network or the server was away; the same request may be sent again.
 * - `signed_out`: the session ended; send again after the person has signed in.
 * - `stale`: someone wrote a newer revision; the person must look at both.
 * - `refused`: the server read it and said no; sending it again changes nothing.
 */
type FailureKind = "retry" | "signed_out" | "stale" | "refused";

export interface Failure {
  readonly kind: FailureKind;
  /** HTTP status, or 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The answer's whole body, for conflicts (mine, theirs, base) and findings. */
  readonly body: unknown;
}

/** Answers that say "not now" rather than "no". */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);

function numberAt(value: object, key: string): number | undefined {
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "number" ? found : undefined;
}

function textAt(value: object, key: string): string | undefined {
  const found = (value as Record<string, unknown>)[key];
  return typeof found === "string" ? found : undefined;
}

/**
 * Sorts an error by what should happen to the text. Anything that carries no HTTP status is
 * taken for a lost connection: keeping and retrying is the choice that loses nothing.
 */
export function failureOf(error: unknown): Failure {
  if (typeof error !== "object" || error === null) {
    return { kind: "retry", status: 0, code: "network", params: {}, body: null };
  }
  const status = numberAt(error, "status") ?? 0;
  const code = textAt(error, "code") ?? (status === 0 ? "network" : "unknown");
  const params = (error as { params?: unknown }).params;
  const body = (error as { body?: unknown }).body ?? null;
  const shared = {
    status,
    code,
    params: typeof params === "object" && params !== null ? (params as Record<string, unknown>) : {},
    body,
  };
  if (status === 0 || TEMPORARY.has(status)) return { kind: "retry", ...shared };
  if (status === 401) return { kind: "signed_out", ...shared };
  // A CSRF cookie that went with the old session is renewed by signing in again.
  if (status === 403 && code === "csrf_failed") return { kind: "signed_out", ...shared };
  if (status === 409 && code === "stale_revision") return { kind: "stale", ...shared };
  return { kind: "refused", ...shared };
}
