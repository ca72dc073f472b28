/**
 * Pictures fetched and decoded before they are shown, and kept for a while after.
 *
 * Submitting shows the next picture at once and asks the network for nothing: what newly is ahead is fetched a moment
 * later, while the person looks at what came. The browser keeps a picture at hand as long as an element holds it.
 */

/** Milliseconds after the open picture changed before others are fetched. */
export const LATER_MS = 1_000;
/** Pictures kept that were shown before: going back finds them. */
const KEPT_PREVIOUS = 4;

interface Held {
  readonly picture: HTMLImageElement;
  /** Resolves when the picture is decoded, or cannot be. */
  settled: Promise<void>;
  isReady: boolean;
}

export class PictureCache {
  private readonly held = new Map<string, Held>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly onReady: () => void;
  private hasBegun = false;

  constructor(onReady: () => void) {
    this.onReady = onReady;
  }

  /** Holds the open picture and those ahead; the first picture has the line for itself, then the others follow. */
  want(open: string | null, ahead: readonly string[]): void {
    if (open === null) return;
    const opened = this.hold(open);
    const missing = ahead.filter((address) => !this.held.has(address) && !this.timers.has(address));
    if (this.hasBegun) {
      for (const address of missing) {
        this.timers.set(
          address,
          setTimeout(() => void this.hold(address), LATER_MS),
        );
      }
    } else {
      this.hasBegun = ahead.length > 0;
      void opened.settled.then(() => {
        // Unless the page was left meanwhile.
        if (this.held.get(open) === opened) for (const address of missing) this.hold(address);
      });
    }
    this.forget(new Set([open, ...ahead]));
  }

  isReady(address: string): boolean {
    return this.held.get(address)?.isReady ?? false;
  }

  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.held.clear();
    this.hasBegun = false;
  }

  private hold(address: string): Held {
    clearTimeout(this.timers.get(address));
    this.timers.delete(address);
    const before = this.held.get(address);
    if (before) {
      // Shown again: it is the last to be forgotten.
      this.held.delete(address);
      this.held.set(address, before);
      return before;
    }
    const held: Held = { picture: new Image(), settled: Promise.resolve(), isReady: false };
    this.held.set(address, held);
    held.picture.decoding = "async";
    held.picture.src = address;
    held.settled = held.picture.decode().then(
      () => {
        held.isReady = true;
        this.onReady();
      },
      // Fetched again, and complained about, when it is shown.
      () => void this.held.delete(address),
    );
    return held;
  }

  private forget(wanted: ReadonlySet<string>): void {
    const behind = [...this.held.keys()].filter((address) => !wanted.has(address));
    for (const address of behind.slice(0, -KEPT_PREVIOUS)) this.held.delete(address);
    for (const [address, timer] of this.timers) {
      if (wanted.has(address)) continue;
      clearTimeout(timer);
      this.timers.delete(address);
    }
  }
}
