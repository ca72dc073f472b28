/**
 * The files on their way in, one card each: bytes are sent a few files at a time, the server checks each, the
 * contributor describes many at once, and what is ready and described becomes numbered pictures. One that is refused
 * says why and the others go on. Lives as long as the tab, so that uploads go on while other pages are looked at.
 */
import { newClientKey } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { signals } from "@/api/signals";
import type { UploadDetails, UploadRow } from "@/api/types";
import type { UploadTransport } from "@/api/upload";
import { changes } from "./details";
import { fingerprintOf, type UploadMemory } from "./memory";

/**
 * `queued`, `sending` and `offline` are this page's; `interrupted` is an upload of an earlier visit whose file has to
 * be chosen again; the others are the server's.
 */
export type CardState = "queued" | "sending" | "offline" | "interrupted" | "checking" | "ready" | "refused" | "failed" | "taken";

export interface Card {
  readonly key: string;
  /** The upload on the server, once it has begun. */
  readonly id: string | null;
  readonly name: string;
  readonly bytes: number;
  /** Bytes that the server has. */
  readonly sent: number;
  readonly state: CardState;
  /** The file itself while it is in this page. */
  readonly file: File | null;
  readonly row: UploadRow | null;
  readonly details: UploadDetails;
  /** What is still to be said before the picture can be taken in. */
  readonly missing: readonly string[];
  readonly error: { code: string; params?: Readonly<Record<string, unknown>>; detail?: string } | null;
  readonly image: { id: number; label: string } | null;
}

export interface IntakeView {
  readonly cards: readonly Card[];
  /** Whether uploads of earlier visits are known. */
  readonly isLoaded: boolean;
  readonly isTaking: boolean;
  /** What the server said about the whole, not about one file. */
  readonly problem: ApiError | null;
  readonly worker: { readonly alive: boolean; readonly waiting: number };
}

export interface IntakeServer {
  /** Everything of mine that is not taken in or dropped. */
  open: () => Promise<{ rows: UploadRow[]; worker: IntakeView["worker"] }>;
  rows: (ids: readonly string[]) => Promise<{ rows: UploadRow[]; worker: IntakeView["worker"] }>;
  describe: (ids: readonly string[], details: UploadDetails) => Promise<UploadRow[]>;
  take: (
    ids: readonly string[],
    clientKey: string,
  ) => Promise<{ id: string; image: { id: number; label: string } | null; error: NonNullable<Card["error"]> | null }[]>;
  drop: (id: string) => Promise<void>;
}

export interface IntakeOptions {
  slug: string;
  send: UploadTransport;
  server: IntakeServer;
  memory: UploadMemory;
  missing: (details: UploadDetails) => string[];
  onTaken: () => void;
  /** Milliseconds between two looks at what is being checked. */
  pollMs?: number;
}

/** Files sent at the same time: enough to fill a line, few enough for the server and a telephone. */
export const AT_ONCE = 3;
/** Uploads described or taken in one request, the server's limit. */
const MANY = 200;
/** Uploads asked about in one address. */
const ASKED = 50;
const POLL_MS = 1_500;
const AGAIN_MS = 10_000;
/** Progress is shown this often at most, whatever the browser reports. */
const PROGRESS_MS = 200;

export class Intake {
  private readonly cards = new Map<string, Card>();
  /** Newest first, each batch in the order it was chosen. */
  private order: string[] = [];
  private readonly stops = new Map<string, AbortController>();
  /** Said of files that the server has not heard of yet. */
  private readonly unsaid = new Map<string, UploadDetails>();
  private readonly listeners = new Set<() => void>();
  private view: IntakeView = { cards: [], isLoaded: false, isTaking: false, problem: null, worker: { alive: true, waiting: 0 } };
  /** Counts descriptions, so that an answer asked for before one does not undo it on the screen. */
  private described = 0;
  private describing = 0;
  /** Where among what is being checked the next look begins. */
  private turn = 0;
  private loading: Promise<void> | null = null;
  private pollTimer: ReturnType<typeof setTimeout> | null = null;
  private sayTimer: ReturnType<typeof setTimeout> | null = null;
  private againTimer: ReturnType<typeof setTimeout> | null = null;

  private isStopped = false;
  private readonly unsubscribe: () => void;

  constructor(private readonly options: IntakeOptions) {
    this.unsubscribe = signals.subscribe(() => {
      const { online, signedOut } = signals.snapshot();
      if (online && !signedOut) this.goOn();
    });
  }

  /** Asks and sends nothing any more; what the server has stays there for the next visit. */
  stop(): void {
    this.isStopped = true;
    this.unsubscribe();
    for (const timer of [this.pollTimer, this.sayTimer, this.againTimer]) if (timer !== null) clearTimeout(timer);
    for (const sending of this.stops.values()) sending.abort();
  }

  snapshot = (): IntakeView => this.view;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Whether leaving the page would lose something: bytes not sent, or details not said. */
  get isBusy(): boolean {
    return this.unsaid.size > 0 || this.describing > 0 || this.all().some((card) => ["queued", "sending", "offline"].includes(card.state));
  }

  /** Learns what earlier visits left; files wait for it, for one of them may be the rest of such an upload. */
  load(): Promise<void> {
    this.loading ??= this.reload().then(
      () => this.change({ isLoaded: true }),
      (problem: unknown) => {
        this.loading = null;
        this.change({ problem: toApiError(problem) });
      },
    );
    return this.loading.then(() => this.pump());
  }

  /** Puts files in the queue. Says how many were there already. */
  add(files: readonly File[]): { added: number; known: number } {
    const here = new Set(this.all().flatMap((card) => (card.file ? [fingerprintOf(card.file)] : [])));
    const fresh: string[] = [];
    let known = 0;
    for (const file of files) {
      const fingerprint = fingerprintOf(file);
      if (here.has(fingerprint)) {
        known += 1;
        continue;
      }
      here.add(fingerprint);
      const key = newClientKey();
      this.cards.set(key, {
        key,
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
      });
      fresh.push(key);
    }
    this.order = [...fresh, ...this.order];
    this.changed();
    void this.load();
    return { added: fresh.length, known };
  }

  /** Says the same of many; keys that are not given keep what was said. */
  describe(keys: readonly string[], touched: UploadDetails): void {
    const said = changes(touched);
    if (Object.keys(said).length === 0) return;
    for (const key of keys) {
      const card = this.cards.get(key);
      if (!card || card.state === "taken" || card.state === "refused") continue;
      const details = { ...card.details, ...said };
      this.put({ ...card, details, missing: this.options.missing(details), error: card.state === "ready" ? null : card.error });
      this.unsaid.set(key, { ...this.unsaid.get(key), ...said });
    }
    this.changed();
    this.saySoon();
  }

  /** Turns what is ready and described into pictures. */
  async take(): Promise<void> {
    if (this.view.isTaking) return;
    this.change({ isTaking: true, problem: null });
    try {
      await this.say();
      for (;;) {
        const ready = this.all().filter((card) => isTakeable(card) && card.error === null);
        const ids = ready.flatMap((card) => card.id ?? []).slice(0, MANY);
        if (ids.length === 0) break;
        const results = await twice(() => this.options.server.take(ids, this.keyFor(ids)));
        for (const { id, image, error } of results) {
          const card = this.byId(id);
          if (!card) continue;
          if (image) {
            this.put({ ...card, state: "taken", image, error: null });
            if (card.file) this.options.memory.forget(fingerprintOf(card.file));
          } else if (error) this.put({ ...card, error });
        }
        // An answer that passes over what was asked must not be asked for ever.
        for (const id of ids) {
          const card = this.byId(id);
          if (card && isTakeable(card) && card.error === null) this.put({ ...card, error: { code: "not_found" } });
        }
        this.changed();
        this.options.onTaken();
      }
    } catch (problem) {
      this.change({ problem: toApiError(problem) });
    } finally {
      this.change({ isTaking: false });
    }
  }

  remove(keys: readonly string[]): void {
    for (const key of keys) {
      const card = this.cards.get(key);
      if (!card) continue;
      this.stops.get(key)?.abort();
      this.stops.delete(key);
      this.unsaid.delete(key);
      this.cards.delete(key);
      if (card.file) this.options.memory.forget(fingerprintOf(card.file));
      // What is not dropped now is swept by the server when its time is up.
      if (card.id !== null && card.state !== "taken") void this.options.server.drop(card.id).catch(() => undefined);
    }
    this.order = this.order.filter((key) => this.cards.has(key));
    this.changed();
    this.pump();
  }

  /** Sends a file once more, from its first byte: its upload failed on the server. */
  retry(key: string): void {
    const card = this.cards.get(key);
    if (!card?.file || (card.state !== "failed" && card.state !== "offline" && card.state !== "refused")) return;
    if (card.state === "offline") {
      this.put({ ...card, state: "queued", error: null });
    } else {
      this.options.memory.forget(fingerprintOf(card.file));
      const fresh = newClientKey();
      this.cards.delete(key);
      this.order = this.order.map((one) => (one === key ? fresh : one));
      this.put({ ...card, key: fresh, id: null, row: null, sent: 0, state: "queued", error: null });
      if (Object.keys(card.details).length > 0) this.unsaid.set(fresh, card.details);
    }
    this.changed();
    this.pump();
  }

  /** Takes what became a picture off the list. */
  clearTaken(): void {
    this.remove(this.all().flatMap((card) => (card.state === "taken" ? [card.key] : [])));
  }

  // Sending

  private pump(): void {
    if (this.isStopped) return;
    if (!this.view.isLoaded) return;
    let sending = this.all().filter((card) => card.state === "sending").length;
    for (const card of this.all()) {
      if (sending >= AT_ONCE) break;
      if (card.state !== "queued" || !card.file) continue;
      if (this.joinEarlier(card, card.file)) continue;
      sending += 1;
      void this.transfer(card.key, card.file);
    }
    this.changed();
    this.watch();
  }

  /** Whether an earlier visit has sent the whole file already: its card takes this one's place. */
  private joinEarlier(card: Card, file: File): boolean {
    const begun = this.options.memory.get(fingerprintOf(file));
    const earlier = begun?.id == null ? undefined : this.byId(begun.id);
    if (!earlier || earlier.key === card.key) return false;
    this.cards.delete(earlier.key);
    this.order = this.order.filter((key) => key !== earlier.key);
    const said = { ...earlier.details, ...this.unsaid.get(card.key) };
    const joined: Card = { ...earlier, key: card.key, file, details: said, missing: this.options.missing(said) };
    const isWhole = earlier.state !== "interrupted";
    this.put(isWhole ? joined : { ...joined, state: "queued" });
    if (this.unsaid.has(card.key)) this.saySoon();
    return isWhole;
  }

  private async transfer(key: string, file: File): Promise<void> {
    const { memory, send, slug } = this.options;
    const fingerprint = fingerprintOf(file);
    const begun = memory.get(fingerprint);
    // Another visit's upload that the server no longer lists is not to be continued, nor its key used again.
    const known = begun?.id != null && this.byId(begun.id)?.key === key ? begun.id : null;
    const clientKey = begun !== null && (begun.id === null || known !== null) ? begun.key : newClientKey();
    memory.set(fingerprint, { key: clientKey, id: known });
    const stop = new AbortController();
    this.stops.set(key, stop);
    this.update(key, { state: "sending", error: null });
    let shown = 0;
    try {
      const id = await send({
        slug,
        file,
        clientKey,
        known,
        signal: stop.signal,
        onId: (given) => {
          memory.set(fingerprint, { key: clientKey, id: given });
          this.update(key, { id: given });
          if (this.unsaid.has(key)) this.saySoon();
        },
        onProgress: (sent) => {
          const now = Date.now();
          if (now - shown < PROGRESS_MS) return;
          shown = now;
          this.update(key, { sent });
        },
      });
      this.update(key, { id, sent: file.size, state: "checking" });
    } catch (problem) {
      if (!this.cards.has(key)) return;
      const error = toApiError(problem);
      const comesBack = error.isPassing || error.status === 401;
      if (!comesBack) memory.forget(fingerprint);
      this.update(key, { state: comesBack ? "offline" : error.status >= 400 ? "refused" : "failed", error });
      if (comesBack) this.againSoon();
    } finally {
      this.stops.delete(key);
    }
    this.pump();
  }

  private againSoon(): void {
    if (this.isStopped) return;
    this.againTimer ??= setTimeout(() => {
      this.againTimer = null;
      this.goOn();
    }, AGAIN_MS);
  }

  /** Queues again what the network or the server turned away, and looks again at what is being checked. */
  private goOn(): void {
    this.watch();
    const waiting = this.all().filter((card) => card.state === "offline");
    if (waiting.length === 0) return;
    for (const card of waiting) this.put({ ...card, state: "queued", error: null });
    this.pump();
  }

  // Describing

  private saySoon(): void {
    if (this.isStopped) return;
    this.sayTimer ??= setTimeout(() => {
      this.sayTimer = null;
      void this.say().catch((problem: unknown) => {
        const error = toApiError(problem);
        this.change({ problem: error });
        if (error.isPassing) setTimeout(() => this.saySoon(), AGAIN_MS);
      });
    }, 60);
  }

  private saying: Promise<void> = Promise.resolve();

  /** Tells the server everything said of uploads that it knows; whoever waits for it waits for what is under way too. */
  private say(): Promise<void> {
    this.saying = this.saying.catch(() => undefined).then(() => this.sayAll());
    return this.saying;
  }

  /** Equal words go in one request. */
  private async sayAll(): Promise<void> {
    const groups = new Map<string, { details: UploadDetails; keys: string[] }>();
    for (const [key, details] of this.unsaid) {
      if (this.cards.get(key)?.id == null) continue;
      const name = JSON.stringify(details);
      const group = groups.get(name) ?? { details, keys: [] };
      group.keys.push(key);
      groups.set(name, group);
    }
    for (const { details, keys } of groups.values()) {
      for (let from = 0; from < keys.length; from += MANY) {
        const some = keys.slice(from, from + MANY);
        const ids = some.flatMap((key) => this.cards.get(key)?.id ?? []);
        for (const key of some) this.unsaid.delete(key);
        this.described += 1;
        this.describing += 1;
        try {
          const rows = await this.options.server.describe(ids, details);
          this.change({ problem: null });
          this.learn(rows, this.described);
        } catch (problem) {
          // What was said meanwhile wins over what could not be said.
          if (toApiError(problem).isPassing) for (const key of some) this.unsaid.set(key, { ...details, ...this.unsaid.get(key) });
          // What was refused is not shown as said.
          else this.learn((await this.options.server.rows(ids)).rows, this.described);
          throw problem;
        } finally {
          this.describing -= 1;
        }
      }
    }
  }

  // Watching

  private async reload(): Promise<void> {
    const { described } = this;
    const { rows, worker } = await this.options.server.open();
    this.change({ worker });
    this.learn(rows, described);
  }

  private watch(): void {
    if (this.isStopped || signals.snapshot().signedOut || this.pollTimer !== null || this.watched().length === 0) return;
    this.pollTimer = setTimeout(() => {
      this.pollTimer = null;
      void this.poll();
    }, this.options.pollMs ?? POLL_MS);
  }

  private watched(): string[] {
    return this.all().flatMap((card) => (card.state === "checking" && card.id !== null ? [card.id] : []));
  }

  private async poll(): Promise<void> {
    const ids = this.watched();
    const { described } = this;
    try {
      // In turn, so that files waiting long do not keep the others from being looked at.
      const from = this.turn < ids.length ? this.turn : 0;
      const some = ids.slice(from, from + ASKED);
      this.turn = from + ASKED;
      const { rows, worker } = await this.options.server.rows(some);
      this.change({ worker });
      this.learn(rows, described);
      const seen = new Set(rows.map((row) => row.id));
      for (const id of some) {
        const card = this.byId(id);
        if (card && !seen.has(id)) this.put({ ...card, state: "failed", error: { code: "not_found" } });
      }
      // What lay in an archive comes as uploads of its own.
      if (rows.some((row) => row.kind === "zip")) await this.reload();
      this.changed();
    } catch (problem) {
      const error = toApiError(problem);
      if (!error.isPassing && error.status !== 401) this.change({ problem: error });
    }
    this.watch();
  }

  private learn(rows: readonly UploadRow[], described: number): void {
    const arrived: string[] = [];
    for (const row of rows) {
      const card = this.byId(row.id);
      if (row.state === "dropped") continue;
      if (!card) {
        if (row.state === "taken") continue;
        this.cards.set(row.id, this.fromRow(row));
        arrived.push(row.id);
        continue;
      }
      const isSending = card.state === "sending" || card.state === "queued" || card.state === "offline";
      const keepSaid = this.unsaid.has(card.key) || described !== this.described;
      const fresh = this.fromRow(row);
      this.put({
        ...fresh,
        key: card.key,
        file: card.file,
        name: card.name,
        // While the file is in this page, this page knows better how far it is than an answer that was under way.
        state: row.state === "receiving" && card.file !== null ? card.state : fresh.state,
        sent: card.file !== null ? Math.max(card.sent, fresh.sent) : fresh.sent,
        details: keepSaid ? card.details : fresh.details,
        missing: keepSaid ? card.missing : fresh.missing,
        error: fresh.error ?? (fresh.state === "ready" && keepSaid ? null : isSending ? card.error : null),
      });
    }
    if (arrived.length > 0) this.order = [...this.order, ...arrived];
    this.changed();
    this.watch();
  }

  private fromRow(row: UploadRow): Card {
    return {
      key: row.id,
      id: row.id,
      name: row.filename,
      bytes: row.bytes,
      sent: row.received,
      state: row.state === "receiving" ? "interrupted" : row.state === "dropped" ? "failed" : row.state,
      file: null,
      row,
      details: row.details,
      missing: row.missing,
      error: row.error,
      image: row.image,
    };
  }

  // Keeping

  /** The same batch asked for again carries the same key. */
  private lastTake: { ids: string; key: string } | null = null;
  private keyFor(ids: readonly string[]): string {
    const name = ids.join();
    if (this.lastTake?.ids !== name) this.lastTake = { ids: name, key: newClientKey() };
    return this.lastTake.key;
  }

  private all(): Card[] {
    return this.order.flatMap((key) => this.cards.get(key) ?? []);
  }

  private byId(id: string): Card | undefined {
    for (const card of this.cards.values()) if (card.id === id) return card;
    return undefined;
  }

  private put(card: Card): void {
    this.cards.set(card.key, card);
  }

  private update(key: string, part: Partial<Card>): void {
    const card = this.cards.get(key);
    if (!card) return;
    this.put({ ...card, ...part });
    this.changed();
  }

  private change(part: Partial<IntakeView>): void {
    this.view = { ...this.view, ...part };
    for (const listener of this.listeners) listener();
  }

  private changed(): void {
    this.change({ cards: this.all() });
  }
}

/** Ready, described and a picture itself: an archive's pictures are taken, not the archive. */
export function isTakeable(card: Card): boolean {
  return card.state === "ready" && card.missing.length === 0 && card.row?.kind !== "zip" && card.id !== null;
}

/** Asks once more when an answer was lost; the request's key makes that harmless. */
async function twice<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (problem) {
    if (!toApiError(problem).isPassing) throw problem;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return ask();
  }
}
