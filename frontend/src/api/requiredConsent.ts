/**
 * Consent that is required in the middle of work. A contribution that the server refuses without it waits here while
 * the person reads the text; after consent it is sent again, otherwise it fails with the server's error.
 */
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";
import { useStore } from "@/store/useStore";

interface RequiredConsent {
  /** Slug of the benchmark whose consent text is shown; null when none is. */
  required: string | null;
  /** The benchmark whose text the person dismissed: contributions to it fail until they open it again. */
  dismissed: string | null;
}

class ConsentStore extends Store<RequiredConsent> {
  private waiting: ((isAccepted: boolean) => void)[] = [];
  private readonly agreements = new Emitter<void>();

  /** Notifies each time the person agrees, so that refused writes can be retried. */
  readonly onAccepted = this.agreements.on;

  /** The benchmark in an error's parameters, else the one in the address. */
  benchmarkIn(params: Readonly<Record<string, unknown>>): string | null {
    if (typeof params.benchmark === "string") return params.benchmark;
    return typeof window === "undefined" ? null : (/^\/b\/([^/]+)/.exec(window.location.pathname)?.[1] ?? null);
  }

  /** Resolves with the person's decision; at once with false when they have dismissed the text before. */
  request(slug: string | null): Promise<boolean> {
    if (slug === null || this.snapshot().dismissed === slug) return Promise.resolve(false);
    if (this.snapshot().required !== null && this.snapshot().required !== slug) return Promise.resolve(false);
    this.patch({ required: slug });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Opens a dismissed text again. */
  reopen(slug: string): void {
    this.patch({ required: slug, dismissed: null });
  }

  accept(slug: string): void {
    const { dismissed } = this.snapshot();
    this.patch({ required: null, dismissed: dismissed === slug ? null : dismissed });
    this.agreements.emit();
    this.release(true);
  }

  dismiss(): void {
    this.patch({ required: null, dismissed: this.snapshot().required });
    this.release(false);
  }

  /** Another person has signed in. */
  reset(): void {
    this.patch({ required: null, dismissed: null });
    this.release(false);
  }

  private release(isAccepted: boolean): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve(isAccepted);
  }
}

export const requiredConsent = new ConsentStore({ required: null, dismissed: null });

export function useRequiredConsent(): RequiredConsent {
  return useStore(requiredConsent);
}
