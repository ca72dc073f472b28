/**
 * One stream for all tabs of a browser: the tab that holds a lock keeps it open and repeats its signals to the others.
 * When that tab closes, the lock passes to another one. Without locks (plain HTTP other than localhost) each tab has
 * its own stream.
 */
import { keepStreamOpen, SILENCE_MS, type OpenSource, type Signal } from "./stream";

const NAME = "lantern-live";
/** A tab that has just come asks whether there is a stream. */
const QUESTION = "question";
/** The answer: tabs that know of no stream take it for its beginning. */
const PRESENT = "present";

type Message = Signal | { kind: typeof QUESTION } | { kind: typeof PRESENT };

/** What browsers offer to tabs of one site; tests have their own. */
export interface Tabs {
  locks: Pick<LockManager, "request"> | undefined;
  channel: () => Pick<BroadcastChannel, "postMessage" | "close" | "onmessage">;
}

const browserTabs = (): Tabs => ({
  locks: (navigator as Partial<Navigator>).locks,
  channel: () => new BroadcastChannel(NAME),
});

/** Gives this tab the signals of the browser's stream until the returned function is called. */
export function shareStream(address: string, emit: (signal: Signal) => void, open?: OpenSource, tabs: Tabs = browserTabs()): () => void {
  if (tabs.locks === undefined) return keepStreamOpen(address, emit, open);
  const channel = tabs.channel();
  const end = new AbortController();
  let isLeader = false;
  let isPresent = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const post = (message: Message) => {
    channel.postMessage(message);
  };

  function hear(signal: Signal): void {
    isPresent = signal.kind !== "away";
    clearTimeout(timer);
    // A tab that leads and says nothing is frozen, or about to be closed.
    if (isPresent && !isLeader) timer = setTimeout(() => { hear({ kind: "away" }); }, SILENCE_MS);
    emit(signal);
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (isLeader) {
      if (data.kind === QUESTION && isPresent) post({ kind: PRESENT });
    } else if (data.kind !== QUESTION) {
      const begins = !isPresent && data.kind !== "away";
      if (begins) hear({ kind: "hello" });
      else if (data.kind !== PRESENT) hear(data);
    }
  };

  function lead(): Promise<void> {
    isLeader = true;
    clearTimeout(timer);
    return new Promise((resolve) => {
      const close = keepStreamOpen(address, (signal) => { hear(signal); post(signal); }, open);
      end.signal.addEventListener("abort", () => { close(); resolve(); });
    });
  }

  // Rejected when this tab ends before it holds the lock.
  tabs.locks.request(NAME, { signal: end.signal }, lead).catch(() => undefined);
  post({ kind: QUESTION });
  return () => {
    clearTimeout(timer);
    end.abort();
    channel.onmessage = null;
    channel.close();
  };
}
