/** Sends a form with a file in one request and reports the progress. */
import { csrfToken } from "./client";
import { ApiError, errorFrom, parseBody } from "./errors";
import { OPERATIONS, type OperationId } from "./operations";
import { addressOf, type Answer, type Request } from "./request";
import { signals } from "./signals";

/** Resolves with the operation's answer; throws ApiError. `onProgress` receives the share of bytes sent. */
export function sendForm<Id extends OperationId>(
  id: Id,
  request: Request<Id> & { body: FormData },
  onProgress: (share: number) => void,
): Promise<Answer<Id>> {
  return new Promise((resolve, reject) => {
    // fetch reports no upload progress.
    const sending = new XMLHttpRequest();
    const { path } = request as { path?: Record<string, string | number> };
    sending.open(OPERATIONS[id][0], addressOf(id, path === undefined ? {} : { path }));
    sending.setRequestHeader("Accept", "application/json");
    sending.setRequestHeader("X-CSRFToken", csrfToken());
    sending.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    sending.addEventListener("error", () => {
      signals.reached(false);
      reject(new ApiError(0, "no_connection"));
    });
    sending.addEventListener("load", () => {
      signals.reached(true);
      const answer = parseBody(sending.responseText);
      if (sending.status >= 200 && sending.status < 300) {
        resolve(answer as Answer<Id>);
        return;
      }
      const error = errorFrom(sending.status, answer);
      if (error.code === "not_signed_in") signals.signedOut();
      reject(error);
    });
    sending.send(request.body);
  });
}
