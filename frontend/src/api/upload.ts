/** Uploads one file in chunks by tus 1.0, so that an interrupted upload can be resumed. */
import { DefaultHttpStack, DetailedError, Upload, type HttpRequest, type HttpResponse, type HttpStack } from "tus-js-client";
import { csrfToken } from "./client";
import { requiredConsent } from "./requiredConsent";
import { ApiError, errorFrom, parseBody, toApiError } from "./errors";
import { addressOf } from "./request";
import { signals } from "./signals";

/** Bytes in one request: a lost connection repeats at most these. */
const PART_BYTES = 5_000_000;

/** Milliseconds before each retry of a chunk; after the last one the upload stops until it is restarted. */
const RETRY_AFTER = [500, 2_000, 5_000, 10_000];

/** Statuses to retry: a wrong offset, a lock, too many requests, a chunk with a wrong checksum. */
const AGAIN: ReadonlySet<number> = new Set([409, 423, 429, 460]);

export interface FileToSend {
  slug: string;
  file: File;
  /** Makes creating the upload idempotent. */
  clientKey: string;
  /** The id of an upload that was started earlier, or null. */
  known: string | null;
  onId: (id: string) => void;
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
}

/** Resolves with the upload's id when the last byte has arrived. */
export type UploadTransport = (sending: FileToSend) => Promise<string>;

export const sendFile: UploadTransport = ({ slug, file, clientKey, known, onId, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const endpoint = addressOf("upload_create", { path: { b: slug } });
    const upload = new Upload(file, {
      endpoint,
      uploadUrl: known === null ? null : addressOf("upload_drop", { path: { uuid: known } }),
      metadata: { filename: file.name, client_key: clientKey },
      chunkSize: PART_BYTES,
      retryDelays: RETRY_AFTER,
      // The intake remembers which uploads were started, not the library.
      storeFingerprintForResuming: false,
      httpStack: new PictureStack(),
      onBeforeRequest: (request) => request.setHeader("X-CSRFToken", csrfToken()),
      onShouldRetry: ({ originalResponse }) => {
        const status = originalResponse?.getStatus() ?? 0;
        return status === 0 || status >= 500 || AGAIN.has(status);
      },
      onUploadUrlAvailable: () => onId(idIn(upload.url)),
      onProgress: (bytes) => onProgress(bytes),
      onSuccess: () => resolve(idIn(upload.url)),
      onError: (problem) => {
        const error = errorOf(problem);
        if (error.code === "not_signed_in") signals.signedOut();
        if (error.code !== "consent_missing") {
          reject(error);
          return;
        }
        // The server stored nothing: after consent is given the same upload starts again.
        void requiredConsent.request(requiredConsent.benchmarkIn(error.params)).then((isAccepted) => (isAccepted ? upload.start() : reject(error)));
      },
    });
    signal.addEventListener("abort", () => {
      void upload.abort();
      reject(new ApiError(0, "upload_stopped"));
    });
    upload.start();
  });

function idIn(address: string | null): string {
  return address?.split("/").at(-1) ?? "";
}

function errorOf(problem: Error): ApiError {
  if (!(problem instanceof DetailedError)) return toApiError(problem);
  const response = problem.originalResponse;
  // XMLHttpRequest reports status 0 when no answer came.
  if (response === null || response.getStatus() === 0) {
    signals.reached(false);
    return new ApiError(0, "no_connection");
  }
  return errorFrom(response.getStatus(), parseBody(response.getBody()));
}

/** The library's requests, each chunk with its SHA-256, so that the server refuses a damaged one. */
class PictureStack implements HttpStack {
  private readonly plain = new DefaultHttpStack({});

  createRequest(method: string, url: string): HttpRequest {
    const request = this.plain.createRequest(method, url);
    const send = request.send.bind(request);
    request.send = async (body: unknown): Promise<HttpResponse> => {
      if (method === "PATCH" && body instanceof Blob) {
        const sum = await checksumOf(body);
        if (sum !== null) request.setHeader("Upload-Checksum", sum);
      }
      const response = await send(body);
      if (response.getStatus() > 0) signals.reached(true);
      return response;
    };
    return request;
  }

  getName(): string {
    return "PictureStack";
  }
}

/** "sha256 <base64>"; null on plain HTTP, where browsers offer no hash functions. */
async function checksumOf(part: Blob): Promise<string | null> {
  const subtle = (globalThis.crypto as { subtle?: SubtleCrypto }).subtle;
  if (subtle === undefined) return null;
  const digest = new Uint8Array(await subtle.digest("SHA-256", await part.arrayBuffer()));
  return `sha256 ${btoa(String.fromCharCode(...digest))}`;
}
