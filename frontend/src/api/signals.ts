/** What every response carries beside its content: connection, build, session and roles. */
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";

export interface Signals {
  /** False after a request that got no answer, or while the browser says it is offline. */
  online: boolean;
  /** The server runs another build than the one this page was loaded with. */
  newBuild: boolean;
  /** The session ended; the sign-in page covers the application until the next sign-in. */
  signedOut: boolean;
  /** Counts responses whose role digest differs from the one before: permissions have changed. */
  grantsChanged: number;
}

class SignalStore extends Store<Signals> {
  private firstBuild: string | null = null;
  private lastGrants: string | null = null;
  private readonly returns = new Emitter<void>();

  /** Notifies when requests can succeed again: after reconnecting or signing in. */
  readonly onReturn = this.returns.on;

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
    if (before !== null && before !== digest) this.change({ grantsChanged: this.snapshot().grantsChanged + 1 });
  }

  signedOut(): void {
    // The next person to sign in may be another one, whose roles are not a change of these.
    this.lastGrants = null;
    this.change({ signedOut: true });
  }

  signedIn(): void {
    this.change({ signedOut: false });
  }

  private change(part: Partial<Signals>): void {
    const before = this.snapshot();
    const next = { ...before, ...part };
    if ((Object.keys(next) as (keyof Signals)[]).every((name) => next[name] === before[name])) return;
    this.set(next);
    if (isUsable(next) && !isUsable(before)) this.returns.emit();
  }
}

function isUsable({ online, signedOut }: Signals): boolean {
  return online && !signedOut;
}

export const signals = new SignalStore({ online: true, newBuild: false, signedOut: false, grantsChanged: 0 });

if (typeof window !== "undefined") {
  window.addEventListener("offline", () => signals.reached(false));
  window.addEventListener("online", () => signals.reached(true));
}
