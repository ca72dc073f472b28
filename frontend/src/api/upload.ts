/** Uploading one file with progress, which fetch cannot report. */
import { csrfToken } from "./client";
import { ApiError, errorFrom } from "./errors";
import { addressOf } from "./operations";
import { signals } from "./signals";
import type { Image } from "./types";

export type UploadTransport = (request: {
  slug: string;
  form: FormData;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}) => Promise<Image>;

export const uploadPicture: UploadTransport = ({ slug, form, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", addressOf("image_upload", { path: { b: slug } }));
    request.setRequestHeader("X-CSRFToken", csrfToken());
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      signals.reached(true);
      signals.build(request.getResponseHeader("X-Build"));
      const body = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) {
        resolve(body as Image);
        return;
      }
      const error = errorFrom(request.status, body);
      if (error.code === "not_signed_in") signals.signedOut();
      reject(error);
    };
    request.onerror = () => {
      signals.reached(false);
      reject(new ApiError(0, "no_connection"));
    };
    request.onabort = () => reject(new ApiError(0, "upload_stopped"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
