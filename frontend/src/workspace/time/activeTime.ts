/**
 * Milliseconds that a person is active on one item. A stretch without a key or the pointer counts for its first
 * minute only: that long people look before they write. A page that is hidden does not count at all.
 */

/** Without input for so long, the person is taken to be elsewhere, in milliseconds. */
const IDLE_MS = 60_000;

export class ActiveTime {
  private total: number;
  /** Up to when `total` is counted; null while the page is hidden. */
  private since: number | null;

  /**
   * @param before milliseconds counted on earlier visits
   * @param clock milliseconds that never go back
   */
  constructor(
    before: number,
    private readonly clock: () => number,
    isVisible = true,
  ) {
    this.total = before;
    this.since = isVisible ? clock() : null;
  }

  /** A key, the pointer, the wheel. */
  input(): void {
    if (this.since === null) return;
    this.total = this.counted();
    this.since = this.clock();
  }

  /** Returning to the page counts as activity, like a key. */
  visible(isVisible: boolean): void {
    this.total = this.counted();
    this.since = isVisible ? this.clock() : null;
  }

  /** Whole milliseconds so far. */
  get ms(): number {
    return Math.round(this.counted());
  }

  private counted(): number {
    if (this.since === null) return this.total;
    return this.total + Math.min(IDLE_MS, Math.max(0, this.clock() - this.since));
  }
}
