/**
 * Consent that is asked for in the middle of work. A contribution the server refuses for want of it waits here while
 * the person reads; when they agree it is sent again, when they do not it fails as it came.
 */
import { useSyncExternalStore } from "react";

export interface ConsentAsked {
  /** Short name of the benchmark whose text has to be read; null when nothing is asked. */
  asked: string | null;
  /** The benchmark whose text the person has put aside: contributions there fail until they come back to it. */
  putAside: string | null;
  /** Counts how often the person has agreed on this page: what was refused before may be tried again. */
  given: number;
}

class ConsentStore {
  private state: ConsentAsked = { asked: null, putAside: null, given: 0 };
  private waiting: ((given: boolean) => void)[] = [];
  private listeners = new Set<() => void>();

  snapshot = (): ConsentAsked => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The benchmark an error answer names, else the one in the address. */
  benchmarkIn(params: Readonly<Record<string, unknown>>): string | null {
    if (typeof params.benchmark === "string") return params.benchmark;
    return typeof window === "undefined" ? null : (/^\/b\/([^/]+)/.exec(window.location.pathname)?.[1] ?? null);
  }

  /** Resolves when the person has decided; at once with false when they have put the text aside before. */
  ask(slug: string | null): Promise<boolean> {
    if (slug === null || this.state.putAside === slug) return Promise.resolve(false);
    if (this.state.asked !== null && this.state.asked !== slug) return Promise.resolve(false);
    this.change({ asked: slug });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Opens a text that was put aside. */
  reopen(slug: string): void {
    this.change({ asked: slug, putAside: null });
  }

  given(slug: string): void {
    const { putAside, given } = this.state;
    this.change({ asked: null, putAside: putAside === slug ? null : putAside, given: given + 1 });
    this.release(true);
  }

  notNow(): void {
    this.change({ asked: null, putAside: this.state.asked });
    this.release(false);
  }

  /** Somebody else sits here now. */
  forget(): void {
    this.change({ asked: null, putAside: null });
    this.release(false);
  }

  private release(given: boolean): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve(given);
  }

  private change(part: Partial<ConsentAsked>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

export const consent = new ConsentStore();

export function useConsentAsked(): ConsentAsked {
  return useSyncExternalStore(consent.subscribe, consent.snapshot, consent.snapshot);
}
