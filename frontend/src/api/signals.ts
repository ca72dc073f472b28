/** What answers tell beside their content: whether the server is reached, which build it is, whether we are signed in. */

export interface Signals {
  /** False after a request that got no answer, or while the browser says it is offline. */
  online: boolean;
  /** The server runs another build than the one this page was loaded with. */
  newBuild: boolean;
  /** The session ended; the sign-in page stands in front until somebody signs in again. */
  signedOut: boolean;
  /** Counts how often an answer came with other roles than the one before: what one may do has changed. */
  grantsChanged: number;
}

class SignalStore {
  private state: Signals = { online: true, newBuild: false, signedOut: false, grantsChanged: 0 };
  private firstBuild: string | null = null;
  private lastGrants: string | null = null;
  private listeners = new Set<() => void>();

  snapshot = (): Signals => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  reached(online: boolean): void {
    this.change({ online });
  }

  build(build: string | null): void {
    if (build === null || build === "") return;
    this.firstBuild ??= build;
    this.change({ newBuild: build !== this.firstBuild });
  }

  /** The digest of the person's roles that every answer to a signed-in request carries. */
  grants(digest: string | null): void {
    if (digest === null || digest === "") return;
    const before = this.lastGrants;
    this.lastGrants = digest;
    if (before !== null && before !== digest) this.change({ grantsChanged: this.state.grantsChanged + 1 });
  }

  signedOut(): void {
    // Whoever signs in next may be somebody else, whose roles are no change of these.
    this.lastGrants = null;
    this.change({ signedOut: true });
  }

  signedIn(): void {
    this.change({ signedOut: false });
  }

  private change(part: Partial<Signals>): void {
    const next = { ...this.state, ...part };
    if ((Object.keys(next) as (keyof Signals)[]).every((name) => next[name] === this.state[name])) return;
    this.state = next;
    for (const listener of this.listeners) listener();
  }
}

export const signals = new SignalStore();

if (typeof window !== "undefined") {
  window.addEventListener("offline", () => signals.reached(false));
  window.addEventListener("online", () => signals.reached(true));
}
