/**
 * Bringing pictures in: files are sent, checked, described and accepted, each step by a machine of its own over the
 * same cards. It lives as long as the tab, so that uploads continue while other pages are looked at.
 */
import { toApiError } from "@/api/errors";
import { signals } from "@/api/signals";
import type { UploadDetails } from "@/api/types";
import { Accepting, type AcceptingOptions } from "./accepting";
import { Cards, type IntakeView } from "./cards";
import { Checking } from "./checking";
import { Describing } from "./describing";
import { fingerprintOf } from "./memory";
import { Sending, type SendingOptions } from "./sending";
import type { IntakeServer } from "./server";

interface IntakeOptions extends SendingOptions, AcceptingOptions {
  server: IntakeServer;
  memory: SendingOptions["memory"];
  /** Milliseconds between two requests about what is being checked. */
  pollMs?: number;
}

export class Intake {
  private readonly cards = new Cards();
  private readonly describing: Describing;
  private readonly checking: Checking;
  private readonly sending: Sending;
  private readonly accepting: Accepting;
  private readonly unsubscribe: () => void;
  private loading: Promise<void> | null = null;

  constructor(private readonly options: IntakeOptions) {
    const { server, missing, pollMs } = options;
    this.describing = new Describing(server, this.cards, missing);
    this.checking = new Checking(server, this.cards, this.describing, pollMs);
    this.sending = new Sending(options, this.cards, this.describing, () => this.checking.watch());
    this.accepting = new Accepting(options, this.cards, this.describing);
    this.unsubscribe = signals.onReturn(() => {
      this.checking.watch();
      this.sending.resume();
    });
  }

  readonly snapshot = (): IntakeView => this.cards.snapshot();

  readonly subscribe = this.cards.subscribe;

  /** Stops all requests; what the server has stays there for the next visit. */
  stop(): void {
    this.unsubscribe();
    this.sending.stop();
    this.checking.stop();
    this.describing.stop();
  }

  /** Whether leaving the page would lose something: bytes not sent, or details the server does not have. */
  get isBusy(): boolean {
    return this.describing.isBusy || this.cards.all().some(({ state }) => ["queued", "sending", "offline"].includes(state));
  }

  /** Reads what earlier visits left; files wait for it, for one of them may be the rest of such an upload. */
  load(): Promise<void> {
    this.loading ??= this.checking.reload().then(
      () => this.cards.show({ isLoaded: true }),
      (problem: unknown) => {
        this.loading = null;
        this.cards.show({ problem: toApiError(problem) });
      },
    );
    return this.loading.then(() => this.sending.pump());
  }

  /** Reads the uploads again, as after the server fetched files itself. */
  refresh(): void {
    void this.checking.reload().catch(() => undefined); // shown by the next request that fails
  }

  /** Puts files in the queue; returns how many were there already. */
  add(files: readonly File[]): { added: number; known: number } {
    const result = this.sending.add(files);
    void this.load();
    return result;
  }

  /** Sets details of many at once; those that are not touched keep their values. */
  describe(keys: readonly string[], touched: UploadDetails): void {
    this.describing.describe(keys, touched);
  }

  /** Turns what is ready and described into pictures. */
  accept(): Promise<void> {
    return this.accepting.accept();
  }

  retry(key: string): void {
    this.sending.retry(key);
  }

  remove(keys: readonly string[]): void {
    for (const key of keys) {
      const card = this.cards.get(key);
      if (!card) continue;
      this.sending.abort(key);
      this.describing.forget(key);
      if (card.file) this.options.memory.forget(fingerprintOf(card.file));
      // An upload that is not dropped now is deleted by the server when its time is up.
      if (card.id !== null && card.state !== "taken") void this.options.server.drop(card.id).catch(() => undefined);
    }
    this.cards.delete(keys);
    this.cards.show();
    this.sending.pump();
  }

  /** Takes what became a picture off the list. */
  clearAccepted(): void {
    this.remove(this.cards.all().flatMap(({ state, key }) => (state === "taken" ? [key] : [])));
  }
}
