/** The client key of a write: the server carries out two requests with one key only once. */
import { newClientKey } from "./client";
import { toApiError } from "./errors";

/** Keeps the key of a request whose answer was lost, so that sending the same request again repeats nothing. */
export class RetryKey {
  private unanswered: { readonly request: string; readonly key: string } | null = null;

  /** Sends under the key of the last try if that was the same request and got no answer, else under a new key. */
  async send<Answer>(request: unknown, send: (key: string) => Promise<Answer>): Promise<Answer> {
    const text = textOf(request);
    const attempt = this.unanswered?.request === text ? this.unanswered : { request: text, key: newClientKey() };
    this.unanswered = attempt;
    try {
      const answer = await send(attempt.key);
      this.forget(attempt.key);
      return answer;
    } catch (error) {
      // The server refused and wrote nothing: the next attempt is another request, even with the same content.
      if (!toApiError(error).isPassing) this.forget(attempt.key);
      throw error;
    }
  }

  private forget(key: string): void {
    if (this.unanswered?.key === key) this.unanswered = null;
  }
}

/** Equal texts mean equal requests; a file counts by its name, size and date, as it is too large to compare. */
function textOf(request: unknown): string {
  return JSON.stringify(request, (_, value: unknown) => {
    if (value instanceof FormData) return [...value];
    if (value instanceof File) return [value.name, value.size, value.lastModified];
    return value;
  });
}
