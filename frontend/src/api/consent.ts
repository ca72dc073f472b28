/**
 * Consent that is required in the middle of work. A contribution that the server refuses without it waits here while
 * the person reads the text; after consent it is sent again, otherwise it fails with the server's error.
 */
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";
import { useStore } from "@/store/useStore";

interface ConsentAsked {
  /** Slug of the benchmark whose consent text is shown; null when none is. */
  asked: string | null;
  /** The benchmark whose text the person dismissed: contributions to it fail until they open it again. */
  putAside: string | null;
}

class ConsentStore extends Store<ConsentAsked> {
  private waiting: ((given: boolean) => void)[] = [];
  private readonly agreements = new Emitter<void>();

  /** Notifies each time consent is given, so that refused writes can be retried. */
  readonly onGiven = this.agreements.on;

  /** The benchmark in an error's parameters, else the one in the address. */
  benchmarkIn(params: Readonly<Record<string, unknown>>): string | null {
    if (typeof params.benchmark === "string") return params.benchmark;
    return typeof window === "undefined" ? null : (/^\/b\/([^/]+)/.exec(window.location.pathname)?.[1] ?? null);
  }

  /** Resolves with the person's decision; at once with false when they have dismissed the text before. */
  ask(slug: string | null): Promise<boolean> {
    if (slug === null || this.snapshot().putAside === slug) return Promise.resolve(false);
    if (this.snapshot().asked !== null && this.snapshot().asked !== slug) return Promise.resolve(false);
    this.patch({ asked: slug });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Opens a dismissed text again. */
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

  /** Another person has signed in. */
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
