/** The only place that calls the server: CSRF, errors, and what every response carries (build, session, roles). */
import { requiredConsent } from "./requiredConsent";
import { ApiError, errorFrom, parseBody } from "./errors";
import { OPERATIONS, type OperationId } from "./operations";
import { addressOf, type Answer, type Request } from "./request";
import { signals } from "./signals";

interface Options {
  signal?: AbortSignal | undefined;
  /** Lets a small request outlive the page (a draft saved while leaving). */
  keepalive?: boolean;
  /** The benchmark of the page that reads: rows of another one are not found. */
  benchmark?: string | undefined;
}

export function csrfToken(): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}

/** Calls an operation by its id: `call("image_show", { path: { id } })`. Throws ApiError. */
export async function call<Id extends OperationId>(id: Id, request: Request<Id>, options: Options = {}): Promise<Answer<Id>> {
  const parts = request as { path?: Record<string, string | number>; query?: Record<string, string>; body?: unknown };
  const method = OPERATIONS[id][0];
  return (await send(method, addressOf(id, parts), parts.body, options)) as Answer<Id>;
}

/** A request outside the operation table (signing in and out). */
export async function send(method: string, address: string, body?: unknown, options: Options = {}): Promise<unknown> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  if (options.benchmark !== undefined) headers["X-Benchmark"] = options.benchmark;
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      headers,
      credentials: "same-origin",
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    signals.reached(false);
    throw new ApiError(0, "no_connection");
  }
  signals.reached(true);
  signals.build(response.headers.get("X-Build"));
  signals.grants(response.headers.get("X-Grants"));
  const answer = await readJson(response);
  if (response.ok) return answer;
  const error = errorFrom(response.status, answer);
  if (error.code === "not_signed_in") signals.signedOut();
  // Nothing was written: after consent is given the same request is sent again.
  if (error.code === "consent_missing" && (await requiredConsent.request(requiredConsent.benchmarkIn(error.params)))) return send(method, address, body, options);
  throw error;
}

async function readJson(response: Response): Promise<unknown> {
  return response.status === 204 ? null : parseBody(await response.text());
}

/** A key that makes a retried request idempotent: one per intended write, kept over its retries. */
export function newClientKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  // randomUUID is missing on plain-HTTP addresses other than localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
