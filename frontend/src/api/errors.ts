/** Errors of requests, from the server or from the browser. */

export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    /** HTTP status; 0 without a response. */
    readonly status: number,
    /** Translated by `errors.<code>`. */
    readonly code: string,
    readonly params: Readonly<Record<string, unknown>> = {},
    /** English, for logs and for codes without a translation. */
    readonly detail = "",
    /** The whole body: a 409 carries `mine`, `theirs` and `base` here. */
    readonly body: unknown = null,
  ) {
    super(`${code} (${status})${detail === "" ? "" : `: ${detail}`}`);
  }

  /** No response: the request may be repeated with the same client key. */
  get isOffline(): boolean {
    return this.code === "no_connection";
  }

  /** A temporary failure: the unchanged request may succeed later. */
  get isPassing(): boolean {
    return this.isOffline || this.status >= 500 || this.status === 429;
  }
}

/** Reads an error response; one without a code (a proxy's page) becomes `server_failed` or `request_failed`. */
export function errorFrom(status: number, body: unknown): ApiError {
  if (typeof body === "object" && body !== null && "code" in body && typeof body.code === "string") {
    const params = "params" in body && typeof body.params === "object" && body.params !== null ? body.params : {};
    const detail = "detail" in body && typeof body.detail === "string" ? body.detail : "";
    return new ApiError(status, body.code, params as Record<string, unknown>, detail, body);
  }
  return new ApiError(status, status >= 500 ? "server_failed" : "request_failed", { status }, "", body);
}

/** The JSON of an answer's body; null if it is no JSON (a proxy's page). */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, "browser_failed", {}, error instanceof Error ? error.message : String(error));
}
