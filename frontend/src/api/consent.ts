/**
 * Consent that is asked for in the middle of work. A contribution the server refuses for want of it waits here while
 * the person reads; when they agree it is sent again, when they do not it fails as it came.
 */
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";
import { useStore } from "@/store/useStore";

export interface ConsentAsked {
  /** Short name of the benchmark whose text has to be read; null when nothing is asked. */
  asked: string | null;
  /** The benchmark whose text the person has put aside: contributions there fail until they come back to it. */
  putAside: string | null;
}

class ConsentStore extends Store<ConsentAsked> {
  private waiting: ((given: boolean) => void)[] = [];
  private readonly agreements = new Emitter<void>();

  /** Tells each time the person agrees: what was refused before may be tried again. */
  readonly onGiven = this.agreements.on;

  /** The benchmark an error answer names, else the one in the address. */
  benchmarkIn(params: Readonly<Record<string, unknown>>): string | null {
    if (typeof params.benchmark === "string") return params.benchmark;
    return typeof window === "undefined" ? null : (/^\/b\/([^/]+)/.exec(window.location.pathname)?.[1] ?? null);
  }

  /** Resolves when the person has decided; at once with false when they have put the text aside before. */
  ask(slug: string | null): Promise<boolean> {
    if (slug === null || this.snapshot().putAside === slug) return Promise.resolve(false);
    if (this.snapshot().asked !== null && this.snapshot().asked !== slug) return Promise.resolve(false);
    this.patch({ asked: slug });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Opens a text that was put aside. */
  reopen(slug: string): void {
    this.patch({ asked: slug, putAside: null });
  }

  given(slug: string): void {
    const { putAside } = this.snapshot();
    this.patch({ asked: null, putAside: putAside === slug ? null : putAside });
    this.agreements.emit();
    this.release(true);
  }

  notNow(): void {
    this.patch({ asked: null, putAside: this.snapshot().asked });
    this.release(false);
  }

  /** Somebody else sits here now. */
  forget(): void {
    this.patch({ asked: null, putAside: null });
    this.release(false);
  }

  private release(given: boolean): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve(given);
  }
}

export const consent = new ConsentStore({ asked: null, putAside: null });

export function useConsentAsked(): ConsentAsked {
  return useStore(consent);
}
