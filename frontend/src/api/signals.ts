/** What answers tell beside their content: whether the server is reached, which build it is, whether we are signed in. */

export interface Signals {
  /** False after a request that got no answer, or while the browser says it is offline. */
  online: boolean;
  /** The server runs another build than the one this page was loaded with. */
  newBuild: boolean;
  /** The session ended; the sign-in page stands in front until somebody signs in again. */
  signedOut: boolean;
}

class SignalStore {
  private state: Signals = { online: true, newBuild: false, signedOut: false };
  private firstBuild: string | null = null;
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

  signedOut(): void {
    this.change({ signedOut: true });
  }

  signedIn(): void {
    this.change({ signedOut: false });
  }

  private change(part: Partial<Signals>): void {
    const next = { ...this.state, ...part };
    if (next.online === this.state.online && next.newBuild === this.state.newBuild && next.signedOut === this.state.signedOut) return;
    this.state = next;
    for (const listener of this.listeners) listener();
  }
}

export const signals = new SignalStore();

if (typeof window !== "undefined") {
  window.addEventListener("offline", () => signals.reached(false));
  window.addEventListener("online", () => signals.reached(true));
}
