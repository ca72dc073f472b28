/** Sends the bytes of files, a few files at a time, and continues uploads that an earlier visit started. */
import { newClientKey } from "@/api/client";
import { toApiError } from "@/api/errors";
import type { UploadTransport } from "@/api/upload";
import type { Card, Cards } from "./cards";
import type { Describing } from "./describing";
import { withDetails } from "./details";
import { fingerprintOf, type UploadMemory } from "./memory";
import { RETRY_MS } from "./server";

export interface SendingOptions {
  slug: string;
  send: UploadTransport;
  memory: UploadMemory;
  missing: Describing["missing"];
}

/** Files sent at the same time: one alone leaves the connection idle between its parts, each occupies a server thread. */
const AT_ONCE = 3;
/** Progress is shown this often at most, whatever the browser reports. */
const PROGRESS_MS = 200;

export class Sending {
  private readonly requests = new Map<string, AbortController>();
  private retryTimer: ReturnType<typeof setTimeout> | null = null;
  private isStopped = false;

  constructor(
    private readonly options: SendingOptions,
    private readonly cards: Cards,
    private readonly describing: Describing,
    /** Called whenever uploads may have reached the server's checks. */
    private readonly onProgress: () => void,
  ) {}

  stop(): void {
    this.isStopped = true;
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    for (const request of this.requests.values()) request.abort();
  }

  /** Cards for files that are not here yet; returns how many were. */
  add(files: readonly File[]): { added: number; known: number } {
    const here = new Set(this.cards.all().flatMap(({ file }) => (file ? [fingerprintOf(file)] : [])));
    const fresh: Card[] = [];
    for (const file of files) {
      const fingerprint = fingerprintOf(file);
      if (here.has(fingerprint)) continue;
      here.add(fingerprint);
      fresh.push(this.cardFor(file));
    }
    this.cards.prepend(fresh);
    return { added: fresh.length, known: files.length - fresh.length };
  }

  private cardFor(file: File): Card {
    return {
      key: newClientKey(),
      id: null,
      name: file.name,
      bytes: file.size,
      sent: 0,
      state: "queued",
      file,
      row: null,
      details: {},
      missing: this.options.missing({}),
      error: null,
      image: null,
    };
  }

  /** Starts as many uploads as may run at the same time. */
  pump(): void {
    if (this.isStopped || !this.cards.snapshot().isLoaded) return;
    let sending = this.cards.all().filter(({ state }) => state === "sending").length;
    for (const card of this.cards.all()) {
      if (sending >= AT_ONCE) break;
      if (card.state !== "queued" || !card.file || this.joinEarlier(card, card.file)) continue;
      sending += 1;
      void this.transfer(card.key, card.file);
    }
    this.cards.show();
    this.onProgress();
  }

  /** Sends a file once more: from where it stopped, or from its first byte if its upload failed on the server. */
  retry(key: string): void {
    const card = this.cards.get(key);
    if (!card?.file || (card.state !== "failed" && card.state !== "offline" && card.state !== "refused")) return;
    if (card.state === "offline") {
      this.cards.put({ ...card, state: "queued", error: null });
    } else {
      this.options.memory.forget(fingerprintOf(card.file));
      const fresh: Card = { ...card, key: newClientKey(), id: null, row: null, sent: 0, state: "queued", error: null };
      this.cards.replace(key, fresh);
      this.describing.move(key, fresh.key, card.details);
    }
    this.pump();
  }

  /** Queues the files again that the network or the server refused. */
  resume(): void {
    const waiting = this.cards.all().filter(({ state }) => state === "offline");
    for (const card of waiting) this.cards.put({ ...card, state: "queued", error: null });
    if (waiting.length > 0) this.pump();
  }

  abort(key: string): void {
    this.requests.get(key)?.abort();
    this.requests.delete(key);
  }

  /** Whether an earlier visit has sent the whole file already: its upload continues under this card. */
  private joinEarlier(card: Card, file: File): boolean {
    const started = this.options.memory.get(fingerprintOf(file));
    const earlier = started?.id == null ? undefined : this.cards.byId(started.id);
    if (!earlier || earlier.key === card.key) return false;
    const details = withDetails(earlier.details, this.describing.pendingOn(card.key) ?? {});
    const isWhole = earlier.state !== "interrupted";
    const joined: Card = { ...earlier, key: card.key, file, details, missing: this.options.missing(details) };
    this.cards.delete([earlier.key]);
    this.cards.put(isWhole ? joined : { ...joined, state: "queued" });
    this.describing.move(earlier.key, card.key);
    return isWhole;
  }

  private async transfer(key: string, file: File): Promise<void> {
    const { memory, send, slug } = this.options;
    const fingerprint = fingerprintOf(file);
    const started = memory.get(fingerprint);
    // Another visit's upload that the server no longer lists is not to be continued, nor its key used again.
    const known = started?.id != null && this.cards.byId(started.id)?.key === key ? started.id : null;
    const clientKey = started !== null && (started.id === null || known !== null) ? started.key : newClientKey();
    memory.set(fingerprint, { key: clientKey, id: known });
    const request = new AbortController();
    this.requests.set(key, request);
    this.cards.update(key, { state: "sending", error: null });
    try {
      const id = await send({
        slug,
        file,
        clientKey,
        known,
        signal: request.signal,
        onId: (id) => {
          memory.set(fingerprint, { key: clientKey, id });
          this.cards.update(key, { id });
          this.describing.wake();
        },
        onProgress: this.progressOf(key),
      });
      this.cards.update(key, { id, sent: file.size, state: "checking" });
    } catch (problem) {
      if (!this.cards.get(key)) return;
      this.fail(key, fingerprint, problem);
    } finally {
      this.requests.delete(key);
    }
    this.pump();
  }

  private progressOf(key: string): (sent: number) => void {
    let shownAt = 0;
    return (sent) => {
      const now = Date.now();
      if (now - shownAt < PROGRESS_MS) return;
      shownAt = now;
      this.cards.update(key, { sent });
    };
  }

  private fail(key: string, fingerprint: string, problem: unknown): void {
    const error = toApiError(problem);
    if (error.isPassing || error.status === 401) {
      this.cards.update(key, { state: "offline", error });
      this.retryLater();
      return;
    }
    this.options.memory.forget(fingerprint);
    this.cards.update(key, { state: error.status >= 400 ? "refused" : "failed", error });
  }

  private retryLater(): void {
    if (this.isStopped) return;
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = null;
      this.onProgress();
      this.resume();
    }, RETRY_MS);
  }
}
