/**
 * The text that is being written in a dialogue, and the turn that is on its way. A turn is sent again, under the key of
 * the first try, until the server has it or rejects it; a rejected one is in the field again.
 */
import { newClientKey } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { Store } from "@/store/store";
import type { SentTurn, TextKeeper, UnsentText } from "./unsentText";

interface SenderState {
  readonly text: string;
  readonly sent: SentTurn | null;
  /** The last try met no server, or no session; it is repeated. */
  readonly isStuck: boolean;
  /** Why the last turn was rejected. */
  readonly error: ApiError | null;
  /** What an earlier visit left has been read. */
  readonly isLoaded: boolean;
}

interface SenderOptions {
  keeper: TextKeeper;
  /** Resolves once the server has the turn. */
  say: (turn: SentTurn) => Promise<void>;
  newKey?: () => string;
}

export const RETRY_MS = 3_000;

const isLater = (error: ApiError) => error.isPassing || error.status === 401 || error.code === "csrf_failed";
const joined = (...texts: readonly string[]) => texts.filter((text) => text.trim() !== "").join("\n");

export class TurnSender extends Store<SenderState> {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRunning = false;
  private loading: Promise<UnsentText | null> | null = null;
  private isStopped = false;

  constructor(private readonly options: SenderOptions) {
    super({ text: "", sent: null, isStuck: false, error: null, isLoaded: false });
  }

  /** Brings back what an earlier visit typed, in front of what was typed meanwhile, and sends what was on its way. */
  async load(): Promise<void> {
    this.isStopped = false;
    this.loading ??= this.options.keeper.load();
    const unsent = await this.loading;
    const { text, sent, isLoaded } = this.snapshot();
    if (this.hasStopped() || isLoaded) {
      void this.deliver();
      return;
    }
    this.patch({ isLoaded: true, text: joined(unsent?.text ?? "", text), sent: sent ?? unsent?.sent ?? null });
    void this.deliver();
  }

  write(text: string): void {
    this.patch({ text, error: null });
    this.keep();
  }

  /** Sends the text as turn `no`; nothing without a text, or while another turn is on its way. */
  submit(no: number): void {
    const { text, sent, isLoaded } = this.snapshot();
    if (!isLoaded || sent !== null || text.trim() === "") return;
    const { newKey = newClientKey } = this.options;
    this.patch({ text: "", sent: { no, key: newKey(), text: text.trim() }, error: null });
    this.keep();
    void this.deliver();
  }

  /** Keeps nothing in the browser any more; what the page shows stays. */
  forget(): void {
    void this.options.keeper.keep(null);
  }

  /** Tries again at once. */
  readonly retry = (): void => {
    void this.deliver();
  };

  /** Sends nothing more; what is on its way stays in the browser. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** A method, because the type checker would not expect the field to change while something is awaited. */
  private hasStopped(): boolean {
    return this.isStopped;
  }

  private keep(): void {
    const { text, sent } = this.snapshot();
    void this.options.keeper.keep(text === "" && sent === null ? null : { text, sent });
  }

  private async deliver(): Promise<void> {
    const { sent } = this.snapshot();
    if (sent === null || this.isRunning || this.isStopped) return;
    clearTimeout(this.timer);
    this.isRunning = true;
    try {
      await this.options.say(sent);
      this.settle({ sent: null, isStuck: false });
    } catch (reason) {
      const error = toApiError(reason);
      if (isLater(error)) {
        this.patch({ isStuck: true });
        if (!this.hasStopped()) this.timer = setTimeout(this.retry, RETRY_MS);
      } else {
        this.settle({ sent: null, isStuck: false, text: joined(sent.text, this.snapshot().text), error });
      }
    } finally {
      this.isRunning = false;
    }
  }

  private settle(change: Partial<SenderState>): void {
    this.patch(change);
    this.keep();
  }
}
