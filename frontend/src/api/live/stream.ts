/**
 * One stream of the server's events. EventSource gives up for good after an answer such as 502, and never notices a
 * connection that died silently, so it is opened again here after every failure, with growing pauses.
 */

export type Signal =
  /** The stream begins: what came before is unknown, so everything is read again. */
  | { kind: "hello" }
  /** Row `id` of a topic has something new, up to number `n`. */
  | { kind: "look"; topic: string; id: number; n: number }
  /** The stream is alive. */
  | { kind: "ping" }
  /** There is no stream; it is being opened again. */
  | { kind: "away" };

/** What is used of an EventSource. */
export interface Source {
  addEventListener: (name: string, listener: (event: { data?: unknown }) => void) => void;
  close: () => void;
}

export type OpenSource = (address: string) => Source;

export const FIRST_PAUSE_MS = 500;
export const LONGEST_PAUSE_MS = 8_000;
/** The server sends something every 15 seconds. */
export const SILENCE_MS = 40_000;

const openEventSource: OpenSource = (address) => new EventSource(address, { withCredentials: true });

/** The data of a look; null if it has another form. */
function lookOf(data: unknown): Signal | null {
  try {
    const { topic, id, n } = JSON.parse(String(data)) as Record<string, unknown>;
    return typeof topic === "string" && typeof id === "number" && typeof n === "number" ? { kind: "look", topic, id, n } : null;
  } catch {
    return null;
  }
}

/** Keeps a stream open until the returned function is called. */
export function keepStreamOpen(address: string, emit: (signal: Signal) => void, open: OpenSource = openEventSource): () => void {
  let source: Source | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function expectMore(): void {
    clearTimeout(timer);
    timer = setTimeout(fail, SILENCE_MS);
  }

  function start(): void {
    const mine = open(address);
    source = mine;
    const on = (name: string, react: (data: unknown) => void) => {
      mine.addEventListener(name, ({ data }) => {
        if (source !== mine) return;
        expectMore();
        react(data);
      });
    };
    on("hello", () => {
      failures = 0;
      emit({ kind: "hello" });
    });
    on("look", (data) => {
      const look = lookOf(data);
      if (look !== null) emit(look);
    });
    on("ping", () => {
      emit({ kind: "ping" });
    });
    mine.addEventListener("error", () => {
      if (source === mine) fail();
    });
    expectMore();
  }

  function fail(): void {
    source?.close();
    source = null;
    clearTimeout(timer);
    timer = setTimeout(start, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
    failures += 1;
    emit({ kind: "away" });
  }

  start();
  return () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
}
