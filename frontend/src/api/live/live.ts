/**
 * Tells parts of a page that something is new in what they show, so that they read it. Where there is no stream of
 * events they read every two seconds instead, and need not know the difference.
 */
import { Store, type Readable } from "@/store/store";
import { signals } from "../signals";
import { shareStream } from "./shared";
import type { Signal } from "./stream";

export type LiveTopic = "dialogue" | "lobby" | "typing";
/** Whether events come, or pages read again and again. */
export type LiveState = "live" | "polling";
/** Reads what is new. `n` is the newest number there; null: unknown, so it reads in any case. */
export type Callback = (n: number | null) => void;
export type OpenStream = (address: string, emit: (signal: Signal) => void) => () => void;

export const POLL_MS = 2_000;

interface Subscription {
  topic: LiveTopic;
  id: number;
  callback: Callback;
}

class State extends Store<LiveState> {
  change(next: LiveState): void {
    if (next !== this.snapshot()) this.set(next);
  }
}

export class Live {
  private readonly current = new State("polling");
  private readonly subscriptions = new Set<Subscription>();
  private address: string | null = null;
  private close: (() => void) | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly open: OpenStream = shareStream) {}

  /** `live` or `polling`; for `useStore`. */
  get state(): Readable<LiveState> {
    return this.current;
  }

  /** Where the stream is, from the session. On another host name the browser sends no session, so none is opened. */
  locate(address: string): void {
    const target = new URL(address, window.location.href);
    const usable = target.hostname === window.location.hostname ? target.href : null;
    if (usable === this.address) return;
    this.address = usable;
    this.stopStream();
    this.adjust();
  }

  /** Calls back whenever there may be something new in a row, also when the stream begins; ends by the returned function. */
  subscribe(topic: LiveTopic, id: number, callback: Callback): () => void {
    const subscription = { topic, id, callback };
    this.subscriptions.add(subscription);
    this.adjust();
    return () => {
      this.subscriptions.delete(subscription);
      this.adjust();
    };
  }

  /** The session ended or began: without one there is nothing to read. */
  readonly adjust = (): void => {
    const isNeeded = this.subscriptions.size > 0 && !signals.snapshot().signedOut;
    if (!isNeeded) this.stopStream();
    else if (this.close === null && this.address !== null) this.close = this.open(this.address, this.hear);
    const polls = isNeeded && this.current.snapshot() === "polling";
    if (!polls) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    else this.timer ??= setInterval(this.poll, POLL_MS);
  };

  private readonly poll = (): void => {
    // A tab in the background reads when it is looked at again, by its first turn.
    if (!document.hidden) this.callAll();
  };

  private stopStream(): void {
    this.close?.();
    this.close = null;
    this.current.change("polling");
  }

  private readonly hear = (signal: Signal): void => {
    if (signal.kind === "look") {
      for (const { topic, id, callback } of [...this.subscriptions]) if (topic === signal.topic && id === signal.id) callback(signal.n);
      return;
    }
    this.current.change(signal.kind === "away" ? "polling" : "live");
    this.adjust();
    if (signal.kind === "hello") this.callAll();
  };

  private callAll(): void {
    for (const { callback } of [...this.subscriptions]) callback(null);
  }
}

export const live = new Live();
signals.subscribe(live.adjust);
