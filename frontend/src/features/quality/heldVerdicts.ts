/**
 * Verdicts that can still be taken back.
 *
 * On the server a verdict is final and is never overwritten, so the ten seconds of "undo" are
 * spent here: a verdict is held, then sent. Completing the sheet or leaving the page sends at once.
 */
import { toApiError, type ApiError } from "@/api/errors";

type HeldState = "held" | "sending" | "waiting" | "refused";

export interface Held<Verdict> {
  readonly itemId: number;
  readonly verdict: Verdict;
  /** Makes a repeat harmless; the same for every try of this verdict. */
  readonly key: string;
  readonly state: HeldState;
  readonly error: ApiError | null;
}

export interface HeldOptions<Verdict> {
  send: (held: Held<Verdict>) => Promise<void>;
  newKey: () => string;
  /** How long a verdict can be taken back, in milliseconds. */
  holdMs?: number;
}

const HOLD_MS = 10_000;
const RETRY_MS = 3_000;

export class HeldVerdicts<Verdict> {
  private readonly options: HeldOptions<Verdict>;
  private readonly listeners = new Set<() => void>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private readonly running = new Map<number, Promise<void>>();
  private list: readonly Held<Verdict>[] = [];

  constructor(options: HeldOptions<Verdict>) {
    this.options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Held<Verdict>[] => this.list;

  /** Takes a verdict; an earlier one on the item that was not sent yet is replaced. */
  hold(itemId: number, verdict: Verdict): void {
    if (this.running.has(itemId)) return;
    const held: Held<Verdict> = { itemId, verdict, key: this.options.newKey(), state: "held", error: null };
    this.list = [...this.list.filter((other) => other.itemId !== itemId), held];
    this.changed();
    this.sendIn(itemId, this.options.holdMs ?? HOLD_MS);
  }

  /** Takes the newest verdict back that is still here; returns its item. */
  undo(): number | null {
    const last = this.list.findLast((held) => held.state !== "sending");
    if (!last) return null;
    this.drop(last.itemId);
    return last.itemId;
  }

  /** Takes the verdict on one item back if it was not sent yet, and waits for its answer if it was. */
  async withdraw(itemId: number): Promise<void> {
    const going = this.running.get(itemId);
    if (going) await going;
    else this.drop(itemId);
  }

  get canUndo(): boolean {
    return this.list.some((held) => held.state !== "sending");
  }

  /** Sends everything now; resolves when every answer is there. True when nothing is left. */
  async flush(): Promise<boolean> {
    const going = [...this.running.values()];
    if (going.length > 0) await Promise.all(going);
    for (const { itemId, state } of this.list) if (state !== "refused") await this.send(itemId);
    return this.list.length === 0;
  }

  private sendIn(itemId: number, ms: number): void {
    const old = this.timers.get(itemId);
    if (old !== undefined) clearTimeout(old);
    this.timers.set(
      itemId,
      setTimeout(() => void this.send(itemId), ms),
    );
  }

  private async send(itemId: number): Promise<void> {
    const going = this.running.get(itemId);
    if (going) return going;
    const held = this.list.find((one) => one.itemId === itemId);
    if (!held) return;
    const timer = this.timers.get(itemId);
    if (timer !== undefined) clearTimeout(timer);
    const work = this.deliver(held);
    this.running.set(itemId, work);
    await work;
  }

  private async deliver(held: Held<Verdict>): Promise<void> {
    this.change(held.itemId, { state: "sending", error: null });
    try {
      await this.options.send(held);
      this.running.delete(held.itemId);
      this.drop(held.itemId);
    } catch (reason) {
      this.running.delete(held.itemId);
      const error = toApiError(reason);
      if (error.isPassing || error.status === 401) {
        this.change(held.itemId, { state: "waiting", error });
        this.sendIn(held.itemId, RETRY_MS);
      } else {
        this.change(held.itemId, { state: "refused", error });
      }
    }
  }

  private drop(itemId: number): void {
    const timer = this.timers.get(itemId);
    if (timer !== undefined) clearTimeout(timer);
    this.timers.delete(itemId);
    this.list = this.list.filter((held) => held.itemId !== itemId);
    this.changed();
  }

  private change(itemId: number, part: Pick<Held<Verdict>, "state" | "error">): void {
    this.list = this.list.map((held) => (held.itemId === itemId ? { ...held, ...part } : held));
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
