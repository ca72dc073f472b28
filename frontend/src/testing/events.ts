/** Stand-ins for EventSource, and for tabs of one browser, that tests move on. */
import type { Tabs } from "@/api/live/shared";
import type { Source } from "@/api/live/stream";

export class FakeSource implements Source {
  readonly listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();
  isClosed = false;

  constructor(readonly address: string) {}

  addEventListener(name: string, listener: (event: { data?: unknown }) => void): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  close(): void {
    this.isClosed = true;
  }

  /** The server sends an event; `error` is how an EventSource reports a 502 as well as a lost connection. */
  send(name: string, data: unknown = {}): void {
    for (const listener of this.listeners.get(name) ?? []) listener({ data: typeof data === "string" ? data : JSON.stringify(data) });
  }
}

/** Opens fakes and keeps them. */
export function fakeSources(): { all: FakeSource[]; open: (address: string) => FakeSource; last: () => FakeSource } {
  const all: FakeSource[] = [];
  return {
    all,
    open: (address) => {
      const source = new FakeSource(address);
      all.push(source);
      return source;
    },
    last: () => {
      const source = all.at(-1);
      if (source === undefined) throw new Error("nothing was opened");
      return source;
    },
  };
}

type FakeChannel = ReturnType<Tabs["channel"]>;

/** Locks and channels of one browser. */
export function fakeBrowser(): Tabs {
  const waiting: (() => void)[] = [];
  const channels = new Set<FakeChannel>();
  let isHeld = false;

  function next(): void {
    isHeld = false;
    waiting.shift()?.();
  }

  return {
    locks: {
      request: ((_name: string, options: { signal: AbortSignal }, work: () => Promise<void>) =>
        new Promise<void>((resolve, reject) => {
          const begin = () => {
            if (options.signal.aborted) {
              next();
              return;
            }
            isHeld = true;
            void work().then(() => { resolve(); next(); });
          };
          options.signal.addEventListener("abort", () => { reject(new Error("aborted")); });
          if (isHeld) waiting.push(begin);
          else begin();
        })) as LockManager["request"],
    },
    channel: () => {
      const channel: FakeChannel = {
        onmessage: null,
        postMessage: (data: unknown) => {
          for (const other of [...channels]) if (other !== channel) other.onmessage?.call(other as BroadcastChannel, { data } as MessageEvent);
        },
        close: () => { channels.delete(channel); },
      };
      channels.add(channel);
      return channel;
    },
  };
}
