/**
 * The seats someone holds in a pool: a heartbeat renews their leases while the page is open, what others were given
 * meanwhile is distinguished, and what is unfinished on leaving is released for others.
 */
import type { Answer } from "@/api/request";
import type { PoolItem } from "@/api/types";
import { Emitter } from "@/store/emitter";
import { Store } from "@/store/store";

type SeatState = "held" | "done" | "lost";

/** What is judged on a seat. */
export type Seated = Pick<PoolItem, "id" | "seat" | "lease_until">;

export interface SeatRow<Item extends Seated = PoolItem> {
  readonly item: Item;
  readonly state: SeatState;
}

export interface SeatOptions {
  renew: (seats: number[]) => Promise<Answer<"pool_renew">>;
  release: (seats: number[]) => Promise<unknown>;
  heartbeatMs: number;
}

export class PoolSeats<Item extends Seated = PoolItem> extends Store<readonly SeatRow<Item>[]> {
  private readonly options: SeatOptions;
  private readonly losses = new Emitter<readonly Item[]>();
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: SeatOptions) {
    super([]);
    this.options = options;
  }

  /** Reports items whose seat went to someone else. */
  readonly onLost = this.losses.on;

  /** What the person holds now; done and lost ones make room. */
  replace(items: readonly Item[]): void {
    this.set(items.map((item) => ({ item, state: "held" })));
  }

  find(itemId: number): Item | undefined {
    return this.snapshot().find((row) => row.item.id === itemId)?.item;
  }

  /** The item as it is after its verdict was taken. */
  judged(itemId: number, item: Partial<Item>): void {
    this.set(this.snapshot().map((row) => (row.item.id === itemId ? { item: { ...row.item, ...item }, state: "done" } : row)));
  }

  /** The item as it is now; it is still to be judged. */
  changed(itemId: number, item: Partial<Item>): void {
    this.set(this.snapshot().map((row) => (row.item.id === itemId ? { ...row, item: { ...row.item, ...item } } : row)));
  }

  start(): void {
    this.timer ??= setInterval(() => void this.beat(), this.options.heartbeatMs);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Renews what is held. Without a connection the leases run on, and the next beat tries again. */
  async beat(): Promise<void> {
    const seats = this.open();
    if (seats.length === 0) return;
    let answer: Answer<"pool_renew">;
    try {
      answer = await this.options.renew(seats);
    } catch {
      return;
    }
    const until = new Map(answer.kept.map((one) => [one.seat, one.lease_until]));
    const gone = new Set(answer.lost);
    // A verdict that was answered while the heartbeat was on its way leaves its seat, which is no loss.
    const lost = this.snapshot().filter((row) => row.state === "held" && gone.has(row.item.seat));
    this.set(
      this.snapshot().map((row) => {
        if (lost.includes(row)) return { ...row, state: "lost" };
        const lease = until.get(row.item.seat);
        return lease === undefined ? row : { ...row, item: { ...row.item, lease_until: lease } };
      }),
    );
    if (lost.length > 0) this.losses.emit(lost.map((row) => row.item));
  }

  /** Releases what was not judged. */
  async release(): Promise<void> {
    const seats = this.open();
    if (seats.length === 0) return;
    this.set(this.snapshot().filter((row) => row.state !== "held"));
    // Seats that cannot be released now fall free by themselves when their lease ends.
    await this.options.release(seats).catch(() => undefined);
  }

  private open(): number[] {
    return this.snapshot().filter((row) => row.state === "held").map((row) => row.item.seat);
  }
}
